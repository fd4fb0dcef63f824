//! An agent and its declaration.

use std::sync::Arc;

use super::{
    capability::{CapabilityBuilder, CapabilityEntry},
    method::ReturnKind,
    principal::Principal,
    prompt::{PromptBuilder, PromptEntry},
    resource::{Place, ResourceBuilder, ResourceEntry},
    steps::InputCodec,
};
use crate::{
    contract::Icon,
    host::{Fixed, Host, Never},
    schema::SchemaError,
};

/// A type whose capabilities are handed to AI agents.
///
/// `#[agent]` on an impl block implements it; it is not written by hand.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an agent",
    note = "put `#[agent]` on an impl block of it"
)]
pub trait Agent: Send + Sync + Sized + 'static {
    /// The state that `available` and the context see. Without `model = ...` the agent itself.
    type Model: Send + Sync + 'static;
    /// The values that name the application's transitions.
    type Message: Send + 'static;
    /// The authenticated caller. Without `principal = ...` it is `()`.
    type Principal: Principal;
    /// Whether the agent needs a host: `()` or [`HostOf`].
    #[doc(hidden)]
    type Needs;

    /// The contract's data and the code behind it.
    #[doc(hidden)]
    fn declare() -> Declaration<Self>;
}

/// Marks an agent that is declared with `model = ...` and needs a host.
#[doc(hidden)]
pub struct HostOf<A>(std::marker::PhantomData<A>);

/// An agent that is its own Model.
#[diagnostic::on_unimplemented(
    message = "this agent needs a host: it is declared with `model = ...`",
    note = "use `Server::bind(agent, host)`; the embedded host is `Store::new(model, update)`",
    note = "for `Server::per_caller`, return `(agent, host)`"
)]
pub trait NoHost<A: Agent> {
    /// The host that stands for the agent itself.
    #[doc(hidden)]
    type Host: Host<Model = A::Model, Message = A::Message>;

    /// Makes it.
    #[doc(hidden)]
    fn host(agent: Arc<A>) -> Self::Host;
}

// All of it hangs on `Needs`, so that an agent with a host gets one error and not one for each bound.
impl<A: Agent<Model = A, Message = Never>> NoHost<A> for () {
    type Host = Fixed<A>;

    fn host(agent: Arc<A>) -> Fixed<A> {
        Fixed::from(agent)
    }
}

/// A declaration in the making; generated code fills it.
pub struct Declaration<A: Agent> {
    pub(crate) name: String,
    pub(crate) title: Option<String>,
    pub(crate) version: Option<String>,
    pub(crate) website: Option<String>,
    pub(crate) icons: Vec<Icon>,
    pub(crate) instructions: Option<String>,
    pub(crate) dotted_names: bool,
    pub(crate) capabilities: Vec<Result<CapabilityEntry<A>, DeclarationError>>,
    pub(crate) resources: Vec<Result<ResourceEntry<A>, DeclarationError>>,
    pub(crate) prompts: Vec<Result<PromptEntry<A>, DeclarationError>>,
    pub(crate) context: Option<Result<ResourceEntry<A>, DeclarationError>>,
}

/// An entry of the contract that cannot be offered, found when the server is built.
#[derive(Debug, thiserror::Error)]
#[error("`{entry}`: {error}")]
pub struct DeclarationError {
    pub(crate) entry: String,
    #[source]
    pub(crate) error: Reason,
}

/// Why an entry cannot be offered.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Reason {
    #[error(transparent)]
    Schema(#[from] SchemaError),
    /// Another block of the agent has one.
    #[error("an agent has one context; make this one a resource")]
    SecondContext,
    #[error("the variable `{0}` of its uri is no argument of the method")]
    NoArgument(String),
    #[error("the argument `{0}` has no place in its uri: write `{{{0}}}` where the value stands")]
    NoVariable(String),
    #[error("a prompt is what a model reads, and sends no Message; make it a capability")]
    Dispatches,
    #[error(
        "`{0}` is a list or an object, and what is given for it is one text: take a text, a number, a `bool` or an enum"
    )]
    NotText(String),
}

impl<A: Agent> Declaration<A> {
    /// Begins the declaration of the agent `name`.
    #[must_use]
    pub fn new(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            title: None,
            version: None,
            website: None,
            icons: Vec::new(),
            instructions: None,
            dotted_names: false,
            capabilities: Vec::new(),
            resources: Vec::new(),
            prompts: Vec::new(),
            context: None,
        }
    }

    /// The name for people.
    pub fn title(&mut self, title: &str) {
        self.title = Some(title.to_owned());
    }

    /// The version, where one is known: the agent's own, or that of its crate.
    pub fn version(&mut self, version: Option<&str>) {
        self.version = version.map(str::to_owned);
    }

    /// Where people read about it.
    pub fn website(&mut self, address: &str) {
        self.website = Some(address.to_owned());
    }

    /// A picture of it.
    pub fn icon(&mut self, icon: Icon) {
        self.icons.push(icon);
    }

    /// What a model should know of the whole.
    pub fn instructions(&mut self, text: &str) {
        self.instructions = Some(text.to_owned());
    }

    /// Allows dots in names, which several clients refuse.
    pub fn allow_dots(&mut self) {
        self.dotted_names = true;
    }

    /// Declares the capability `name`; it is added when the builder is told how to run it.
    pub fn capability<I: Send + Sync + 'static>(
        &mut self,
        name: &str,
        description: &str,
        codec: InputCodec<I>,
        kind: impl Into<ReturnKind>,
    ) -> CapabilityBuilder<'_, A, I> {
        CapabilityBuilder::new(self, name, description, codec, kind.into())
    }

    /// Declares the resource `name`; it is added when the builder is told how to run it.
    pub fn resource(
        &mut self,
        name: &str,
        description: &str,
        kind: impl Into<ReturnKind>,
    ) -> ResourceBuilder<'_, A, ()> {
        self.template(name, description, InputCodec::nothing(), kind)
    }

    /// Declares the resources `name` that share a template; they are added when the builder is told how to
    /// run them.
    pub fn template<I: Send + Sync + 'static>(
        &mut self,
        name: &str,
        description: &str,
        codec: InputCodec<I>,
        kind: impl Into<ReturnKind>,
    ) -> ResourceBuilder<'_, A, I> {
        ResourceBuilder::new(self, Place::Resource, name, description, codec, kind.into())
    }

    /// Declares the prompt `name`; it is added when the builder is told how to run it.
    pub fn prompt<I: Send + Sync + 'static>(
        &mut self,
        name: &str,
        description: &str,
        codec: InputCodec<I>,
        kind: impl Into<ReturnKind>,
    ) -> PromptBuilder<'_, A, I> {
        PromptBuilder::new(self, name, description, codec, &kind.into())
    }

    /// Declares the context; it is set when the builder is told how to run it.
    pub fn context(
        &mut self,
        description: &str,
        kind: impl Into<ReturnKind>,
    ) -> ResourceBuilder<'_, A, ()> {
        let codec = InputCodec::nothing();
        ResourceBuilder::new(self, Place::Context, "context", description, codec, kind.into())
    }

    /// Adds a part of the agent that is written elsewhere.
    pub fn part(&mut self, declare: fn(&mut Self)) {
        declare(self);
    }
}

/// The part `P` of an agent, written apart from its main block; `#[agent(part = P)]` implements it.
#[diagnostic::on_unimplemented(
    message = "`{P}` is not a part of `{Self}`",
    note = "write `#[agent(part = {P})]` on another impl block of `{Self}`"
)]
pub trait Part<P>: Agent {
    /// The names of its capabilities.
    #[doc(hidden)]
    const NAMES: &'static [&'static str];

    /// Adds this part's entries.
    #[doc(hidden)]
    fn declare_part(declaration: &mut Declaration<Self>);
}

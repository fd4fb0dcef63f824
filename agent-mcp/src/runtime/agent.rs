//! An agent's declaration: the contract's data and the code behind each entry.

use std::{sync::Arc, time::Duration};

use super::{
    completion::{Finished, IntoCompletion, Step, is_unit},
    context::{Call, Caller, Context},
    failure::Failure,
    hooks::{Available, BoxFuture, IntoAvailable, Verdict},
    output::Output,
    principal::Principal,
    source::{Source, SourceWatch},
};
use crate::{
    contract::{
        CapabilityDescriptor, CompletionDescriptor, CompletionKind, ContextDescriptor,
        ResourceDescriptor,
    },
    schema::{Faults, InputOptions, InputSchema, OutputSchema, SchemaError},
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
    note = "use `Server::bind(agent, host)`; the embedded host is `Store::new(model, update)`"
)]
pub trait NoHost {}

impl NoHost for () {}

/// A declaration in the making; generated code fills it.
pub struct Declaration<A: Agent> {
    pub(crate) name: String,
    pub(crate) title: Option<String>,
    pub(crate) version: Option<String>,
    pub(crate) instructions: Option<String>,
    pub(crate) dotted_names: bool,
    pub(crate) capabilities: Vec<Result<CapabilityEntry<A>, DeclarationError>>,
    pub(crate) resources: Vec<Result<ResourceEntry<A>, DeclarationError>>,
    pub(crate) context: Option<Result<ResourceEntry<A>, DeclarationError>>,
}

/// An entry of the contract that cannot be offered, found when the server is built.
#[derive(Debug, thiserror::Error)]
#[error("`{entry}`: {error}")]
pub struct DeclarationError {
    pub(crate) entry: String,
    #[source]
    pub(crate) error: SchemaError,
}

impl<A: Agent> Declaration<A> {
    /// Begins the declaration of the agent `name`.
    #[must_use]
    pub fn new(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            title: None,
            version: None,
            instructions: None,
            dotted_names: false,
            capabilities: Vec::new(),
            resources: Vec::new(),
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

    /// What a model should know of the whole.
    pub fn instructions(&mut self, text: &str) {
        self.instructions = Some(text.to_owned());
    }

    /// Allows dots in names, which several clients refuse.
    pub fn allow_dots(&mut self) {
        self.dotted_names = true;
    }

    /// Adds a capability.
    pub fn capability(&mut self, entry: Result<CapabilityEntry<A>, DeclarationError>) {
        self.capabilities.push(entry);
    }

    /// Adds a resource.
    pub fn resource(&mut self, entry: Result<ResourceEntry<A>, DeclarationError>) {
        self.resources.push(entry);
    }

    /// Sets the context.
    pub fn context(&mut self, entry: Result<ResourceEntry<A>, DeclarationError>) {
        self.context = Some(entry);
    }

    /// Adds a part of the agent that is written elsewhere.
    pub fn part<P>(&mut self)
    where
        A: Part<P>,
    {
        A::declare_part(self);
    }
}

/// The part `P` of an agent, written apart from its main block; `#[agent(part = P)]` implements it.
#[diagnostic::on_unimplemented(
    message = "`{P}` is not a part of `{Self}`",
    note = "write `#[agent(part = {P})]` on another impl block of `{Self}`"
)]
pub trait Part<P>: Agent {
    /// Adds this part's entries.
    #[doc(hidden)]
    fn declare_part(declaration: &mut Declaration<Self>);
}

/// What a method gave back, encoded where it may still borrow.
pub enum Returned<M> {
    /// A value for the caller.
    Value(Output),
    /// A Message for the host.
    Message(M),
    /// An error.
    Failed(Failure),
    /// A value that cannot be encoded; the text is for the log.
    Broken(String),
}

/// A method that was called.
pub enum Running<M> {
    /// It has returned.
    Ready(Returned<M>),
    /// It has yet to be polled.
    Future(BoxFuture<'static, Returned<M>>),
    /// It may block and has yet to be run on a thread of its own.
    Blocking(Box<dyn FnOnce() -> Returned<M> + Send>),
}

type Run<A, I> = dyn Fn(Arc<A>, Context<A>, I) -> Running<<A as Agent>::Message> + Send + Sync;
type Authorize<A, I> = dyn for<'a> Fn(&'a Call<A, I>) -> Verdict<'a> + Send + Sync;

/// How an input type is described and read; both come from one probe at the user's type.
pub struct InputCodec<I> {
    /// Builds the schema.
    pub schema: fn(InputOptions) -> Result<InputSchema, SchemaError>,
    /// Reads the arguments.
    pub decode: fn(&InputSchema, &[u8]) -> Result<I, Faults>,
}

/// What the return type decides; comes from one probe at the user's type.
pub struct ReturnKind {
    /// Builds the schema of a structured value.
    pub schema: fn() -> Result<Option<OutputSchema>, SchemaError>,
    /// Whether the method returns the agent's Message.
    pub dispatches: bool,
}

enum Fact<A: Agent, I> {
    Message(Arc<dyn Fn(&Call<A, I>, &A::Message) -> Step + Send + Sync>),
    Model(Arc<dyn Fn(&Call<A, I>, &A::Model) -> Step + Send + Sync>),
    Source(Arc<dyn Fn(Call<A, I>, &Arc<A>) -> Box<dyn SourceWatch> + Send + Sync>),
}

impl<A: Agent, I> Clone for Fact<A, I> {
    fn clone(&self) -> Self {
        match self {
            Self::Message(fact) => Self::Message(fact.clone()),
            Self::Model(fact) => Self::Model(fact.clone()),
            Self::Source(fact) => Self::Source(fact.clone()),
        }
    }
}

/// Declares one capability; generated code calls it.
pub struct CapabilityBuilder<A: Agent, I> {
    descriptor: CapabilityDescriptor,
    options: InputOptions,
    codec: InputCodec<I>,
    kind: ReturnKind,
    completion_schema: Option<fn() -> Result<Option<OutputSchema>, SchemaError>>,
    available: Available<A>,
    authorize: Option<Box<Authorize<A, I>>>,
    fact: Option<Fact<A, I>>,
}

impl<A: Agent, I: Send + Sync + 'static> CapabilityBuilder<A, I> {
    /// Begins the capability `name`, which is the method `method`.
    #[must_use]
    pub fn new(
        name: &str,
        method: &str,
        description: &str,
        codec: InputCodec<I>,
        kind: ReturnKind,
    ) -> Self {
        let mut descriptor = CapabilityDescriptor::new(name, description);
        descriptor.method = method.to_owned();
        descriptor.dispatches = kind.dispatches;
        Self {
            descriptor,
            options: InputOptions::default(),
            codec,
            kind,
            completion_schema: None,
            available: Available::Always,
            authorize: None,
            fact: None,
        }
    }

    /// The name for people.
    #[must_use]
    pub fn title(mut self, title: &str) -> Self {
        self.descriptor.title = Some(title.to_owned());
        self
    }

    /// Whether it changes nothing.
    #[must_use]
    pub fn read_only(mut self, hint: bool) -> Self {
        self.descriptor.annotations.read_only = Some(hint);
        self
    }

    /// Whether it may destroy something.
    #[must_use]
    pub fn destructive(mut self, hint: bool) -> Self {
        self.descriptor.annotations.destructive = Some(hint);
        self
    }

    /// Whether doing it twice is as doing it once.
    #[must_use]
    pub fn idempotent(mut self, hint: bool) -> Self {
        self.descriptor.annotations.idempotent = Some(hint);
        self
    }

    /// Whether it reaches out to a world that the application does not own.
    #[must_use]
    pub fn open_world(mut self, hint: bool) -> Self {
        self.descriptor.annotations.open_world = Some(hint);
        self
    }

    /// Accepts undeclared members.
    #[must_use]
    pub fn open(mut self) -> Self {
        self.options.open = true;
        self.descriptor.open = true;
        self
    }

    /// Reads exact texts where another type is due.
    #[must_use]
    pub fn coerce(mut self) -> Self {
        self.options.coerce = true;
        self.descriptor.coerce = true;
        self
    }

    /// Limits the method's own run and, with a completion, sending and waiting together.
    #[must_use]
    pub fn timeout(mut self, limit: Duration) -> Self {
        self.descriptor.timeout = Some(limit);
        self
    }

    /// Limits how many calls run at a time.
    #[must_use]
    pub fn concurrency(mut self, limit: usize) -> Self {
        self.descriptor.concurrency = Some(limit);
        self
    }

    /// The capability exists while `hook` holds of the Model.
    #[must_use]
    pub fn available<F>(mut self, hook: F) -> Self
    where
        F: Fn(&A::Model) -> bool + Send + Sync + 'static,
    {
        self.available = Available::ByModel(Box::new(hook));
        self.descriptor.conditional = true;
        self
    }

    /// The capability exists while `hook` holds of the Model and the principal.
    #[must_use]
    pub fn available_to<F>(mut self, hook: F) -> Self
    where
        F: Fn(&A::Model, &A::Principal) -> bool + Send + Sync + 'static,
    {
        self.available = Available::ByCaller(Box::new(hook));
        self.descriptor.conditional = true;
        self
    }

    /// The capability exists while `hook`, a function of either form, says so.
    #[must_use]
    pub fn available_when<F: IntoAvailable<A, M>, M>(mut self, hook: F) -> Self {
        self.available = hook.into_available();
        self.descriptor.conditional = true;
        self
    }

    /// The caller may use the capability when `hook` says so.
    #[must_use]
    pub fn authorize<F>(mut self, hook: F) -> Self
    where
        F: for<'a> Fn(&'a Call<A, I>) -> Verdict<'a> + Send + Sync + 'static,
    {
        self.authorize = Some(Box::new(hook));
        self.descriptor.authorized = true;
        self
    }

    /// The call resolves on a Message that the host tells of (B61).
    #[must_use]
    pub fn completion<F, T>(mut self, hook: F) -> Self
    where
        F: Fn(&Call<A, I>, &A::Message) -> super::Completion<T> + Send + Sync + 'static,
        T: Finished,
    {
        self.completes::<T>(CompletionKind::Message);
        self.fact =
            Some(Fact::Message(Arc::new(move |call, message| Step::of(hook(call, message)))));
        self
    }

    /// The call resolves on a state of the Model (B70).
    #[must_use]
    pub fn completion_when<F, C>(mut self, hook: F) -> Self
    where
        F: Fn(&Call<A, I>, &A::Model) -> C + Send + Sync + 'static,
        C: IntoCompletion,
    {
        self.completes::<C::Output>(CompletionKind::State);
        self.fact = Some(Fact::Model(Arc::new(move |call, model| Step::of(hook(call, model)))));
        self
    }

    /// The call resolves on a state outside the Model (B76). `source` picks it from the agent.
    #[must_use]
    pub fn completion_of<P, S, F, C>(mut self, source: P, hook: F) -> Self
    where
        P: Fn(&A) -> S + Send + Sync + 'static,
        S: Source,
        F: Fn(&Call<A, I>, &S::Value) -> C + Send + Sync + 'static,
        C: IntoCompletion,
    {
        self.completes::<C::Output>(CompletionKind::State);
        let hook = Arc::new(hook);
        self.fact = Some(Fact::Source(Arc::new(move |call, agent| {
            let hook = hook.clone();
            super::source::watch(source(agent), move |value| Step::of(hook(&call, value)))
        })));
        self
    }

    fn completes<T: Finished>(&mut self, kind: CompletionKind) {
        self.completion_schema =
            Some(if is_unit::<T>() { || Ok(None) } else { OutputSchema::of::<T> });
        self.descriptor.completion =
            Some(CompletionDescriptor::new(kind, CompletionDescriptor::DEFAULT_TIMEOUT));
    }

    /// Ends the declaration with an `async` method.
    pub fn run<F>(self, method: F) -> Result<CapabilityEntry<A>, DeclarationError>
    where
        F: Fn(Arc<A>, Context<A>, I) -> BoxFuture<'static, Returned<A::Message>>
            + Send
            + Sync
            + 'static,
    {
        self.build(Box::new(move |agent, cx, input| Running::Future(method(agent, cx, input))))
    }

    /// Ends the declaration with a method that is quick and runs where the call is.
    pub fn run_inline<F>(self, method: F) -> Result<CapabilityEntry<A>, DeclarationError>
    where
        F: Fn(Arc<A>, Context<A>, I) -> Returned<A::Message> + Send + Sync + 'static,
    {
        self.build(Box::new(move |agent, cx, input| Running::Ready(method(agent, cx, input))))
    }

    /// Ends the declaration with a method that may block.
    pub fn run_blocking<F>(self, method: F) -> Result<CapabilityEntry<A>, DeclarationError>
    where
        F: Fn(Arc<A>, Context<A>, I) -> Returned<A::Message> + Send + Sync + 'static,
    {
        let method = Arc::new(method);
        self.build(Box::new(move |agent, cx, input| {
            let method = method.clone();
            Running::Blocking(Box::new(move || method(agent, cx, input)))
        }))
    }

    fn build(mut self, run: Box<Run<A, I>>) -> Result<CapabilityEntry<A>, DeclarationError> {
        let name = self.descriptor.name.clone();
        let named = |error| DeclarationError { entry: name.clone(), error };
        let input = (self.codec.schema)(self.options).map_err(named)?;
        let output = self.completion_schema.unwrap_or(self.kind.schema)().map_err(named)?;
        self.descriptor.input = input.json().clone();
        self.descriptor.output = output.as_ref().map(|schema| schema.json().clone());
        if let (Some(completion), Some(limit)) =
            (&mut self.descriptor.completion, self.descriptor.timeout)
        {
            completion.timeout = limit;
        }
        Ok(CapabilityEntry {
            available: self.available,
            steps: Box::new(Typed {
                input,
                decode: self.codec.decode,
                shared: Arc::new(Shared { authorize: self.authorize, fact: self.fact, run }),
            }),
            descriptor: self.descriptor,
        })
    }
}

/// One capability: its data and its code.
pub struct CapabilityEntry<A: Agent> {
    pub(crate) descriptor: CapabilityDescriptor,
    pub(crate) available: Available<A>,
    pub(crate) steps: Box<dyn Steps<A>>,
}

/// What differs between capabilities, seen by the one pipeline that runs them all.
pub(crate) trait Steps<A: Agent>: Send + Sync {
    fn decode(&self, caller: Caller<A>, raw: &[u8]) -> Result<Box<dyn Prepared<A>>, Faults>;

    /// Decodes the arguments a second time for a completion, which outlives the method's own.
    fn fact(&self, caller: &Caller<A>, raw: &[u8], agent: &Arc<A>) -> Option<WaitFor<A>>;
}

/// A call whose arguments are decoded.
pub(crate) trait Prepared<A: Agent>: Send {
    fn authorize(&self) -> Option<Verdict<'_>>;
    fn run(self: Box<Self>, agent: Arc<A>) -> Running<A::Message>;
}

/// What a call waits for.
pub(crate) enum WaitFor<A: Agent> {
    Message(Box<dyn Fn(&A::Message) -> Step + Send + Sync>),
    Model(Box<dyn Fn(&A::Model) -> Step + Send + Sync>),
    Source(Box<dyn SourceWatch>),
}

struct Typed<A: Agent, I> {
    input: InputSchema,
    decode: fn(&InputSchema, &[u8]) -> Result<I, Faults>,
    shared: Arc<Shared<A, I>>,
}

struct Shared<A: Agent, I> {
    authorize: Option<Box<Authorize<A, I>>>,
    fact: Option<Fact<A, I>>,
    run: Box<Run<A, I>>,
}

impl<A: Agent, I: Send + Sync + 'static> Steps<A> for Typed<A, I> {
    fn decode(&self, caller: Caller<A>, raw: &[u8]) -> Result<Box<dyn Prepared<A>>, Faults> {
        let input = (self.decode)(&self.input, raw)?;
        Ok(Box::new(Decoded { shared: self.shared.clone(), call: Call { input, caller } }))
    }

    fn fact(&self, caller: &Caller<A>, raw: &[u8], agent: &Arc<A>) -> Option<WaitFor<A>> {
        let fact = self.shared.fact.as_ref()?;
        // The same bytes were decoded a moment ago, so they decode again.
        let input = (self.decode)(&self.input, raw).ok()?;
        let call = Call { input, caller: caller.clone() };
        Some(match fact.clone() {
            Fact::Message(fact) => WaitFor::Message(Box::new(move |message| fact(&call, message))),
            Fact::Model(fact) => WaitFor::Model(Box::new(move |model| fact(&call, model))),
            Fact::Source(fact) => WaitFor::Source(fact(call, agent)),
        })
    }
}

struct Decoded<A: Agent, I> {
    shared: Arc<Shared<A, I>>,
    call: Call<A, I>,
}

impl<A: Agent, I: Send + Sync + 'static> Prepared<A> for Decoded<A, I> {
    fn authorize(&self) -> Option<Verdict<'_>> {
        Some(self.shared.authorize.as_ref()?(&self.call))
    }

    fn run(self: Box<Self>, agent: Arc<A>) -> Running<A::Message> {
        let Call { input, caller } = self.call;
        (self.shared.run)(agent, Context::new(caller), input)
    }
}

/// One resource, or the context: its data and its code.
pub struct ResourceEntry<A: Agent> {
    pub(crate) descriptor: ResourceDescriptor,
    pub(crate) authorize: Option<Box<Authorize<A, ()>>>,
    pub(crate) read: Box<Read<A>>,
}

type Read<A> = dyn Fn(Arc<A>, Context<A>) -> Running<<A as Agent>::Message> + Send + Sync;

/// Declares one resource; generated code calls it.
pub struct ResourceBuilder<A: Agent> {
    descriptor: ResourceDescriptor,
    kind: ReturnKind,
    authorize: Option<Box<Authorize<A, ()>>>,
}

impl<A: Agent> ResourceBuilder<A> {
    /// Begins the resource `name`.
    #[must_use]
    pub fn new(name: &str, description: &str, kind: ReturnKind) -> Self {
        Self { descriptor: ResourceDescriptor::new(name, description), kind, authorize: None }
    }

    /// The name for people.
    #[must_use]
    pub fn title(mut self, title: &str) -> Self {
        self.descriptor.title = Some(title.to_owned());
        self
    }

    /// The caller may read the resource when `hook` says so (O39).
    #[must_use]
    pub fn authorize<F>(mut self, hook: F) -> Self
    where
        F: for<'a> Fn(&'a Call<A, ()>) -> Verdict<'a> + Send + Sync + 'static,
    {
        self.authorize = Some(Box::new(hook));
        self.descriptor.authorized = true;
        self
    }

    /// Ends the declaration with an `async` method.
    pub fn run<F>(self, method: F) -> Result<ResourceEntry<A>, DeclarationError>
    where
        F: Fn(Arc<A>, Context<A>) -> BoxFuture<'static, Returned<A::Message>>
            + Send
            + Sync
            + 'static,
    {
        self.build(Box::new(move |agent, cx| Running::Future(method(agent, cx))))
    }

    /// Ends the declaration with a method that is quick and runs where the read is.
    pub fn run_inline<F>(self, method: F) -> Result<ResourceEntry<A>, DeclarationError>
    where
        F: Fn(Arc<A>, Context<A>) -> Returned<A::Message> + Send + Sync + 'static,
    {
        self.build(Box::new(move |agent, cx| Running::Ready(method(agent, cx))))
    }

    /// Ends the declaration with a method that may block.
    pub fn run_blocking<F>(self, method: F) -> Result<ResourceEntry<A>, DeclarationError>
    where
        F: Fn(Arc<A>, Context<A>) -> Returned<A::Message> + Send + Sync + 'static,
    {
        let method = Arc::new(method);
        self.build(Box::new(move |agent, cx| {
            let method = method.clone();
            Running::Blocking(Box::new(move || method(agent, cx)))
        }))
    }

    fn build(mut self, read: Box<Read<A>>) -> Result<ResourceEntry<A>, DeclarationError> {
        let schema = (self.kind.schema)()
            .map_err(|error| DeclarationError { entry: self.descriptor.name.clone(), error })?;
        self.descriptor.schema = schema.map(|schema| schema.json().clone());
        Ok(ResourceEntry { descriptor: self.descriptor, authorize: self.authorize, read })
    }
}

impl<A: Agent> ResourceEntry<A> {
    pub(crate) fn as_context(&self) -> ContextDescriptor {
        ContextDescriptor {
            description: self.descriptor.description.clone(),
            schema: self.descriptor.schema.clone(),
        }
    }
}

//! What makes a contract unusable.

use std::fmt;

use super::{HeaderError, IconError, MetaKeyError, NameError, TemplateError, VIEW_TYPE};

/// A contract that cannot be served, with everything that is wrong with it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ContractError(Vec<Fault>);

impl ContractError {
    /// `Ok` when there is no fault.
    pub(super) fn from_faults(faults: Vec<Fault>) -> Result<(), Self> {
        if faults.is_empty() { Ok(()) } else { Err(Self(faults)) }
    }

    /// What is wrong, in the order of declaration.
    pub fn faults(&self) -> &[Fault] {
        &self.0
    }
}

impl fmt::Display for ContractError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the contract cannot be served")?;
        for (index, fault) in self.0.iter().enumerate() {
            write!(f, "{} {fault}", if index == 0 { ":" } else { ";" })?;
        }
        Ok(())
    }
}

impl std::error::Error for ContractError {}

/// One thing that makes a contract unusable.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Fault {
    /// An agent without a name.
    #[error("an agent has no name")]
    NoName,
    /// A capability whose name is not allowed.
    #[error("the name `{name}` of {place} is not allowed: {error}")]
    CapabilityName {
        /// The name.
        name: String,
        /// Where it is declared.
        place: Place,
        /// What is wrong with it.
        error: NameError,
    },
    /// A resource without a name.
    #[error("{0} has no name")]
    ResourceName(Place),
    /// Something that a model would have to choose without knowing what it is.
    #[error("{0} has no description: a model chooses by it")]
    NoDescription(Place),
    /// A resource whose uri is none.
    #[error("`{uri}` of {place} is not a uri: write a scheme and percent-encode the rest")]
    Uri {
        /// The text.
        uri: String,
        /// Where it is declared.
        place: Place,
    },
    /// A resource whose uri has variables and is no template.
    #[error("`{uri}` of {place} is no template of uris: {error}")]
    UriTemplate {
        /// The text.
        uri: String,
        /// Where it is declared.
        place: Place,
        /// What is wrong with it.
        error: TemplateError,
    },
    /// An argument that is to be repeated in a header and cannot be.
    #[error("{argument} in the arguments of {place} cannot be repeated in a header: {error}")]
    Header {
        /// The argument.
        argument: String,
        /// Where its capability is declared.
        place: Place,
        /// What is in the way.
        error: HeaderError,
    },
    /// An icon that clients do not show.
    #[error("the icon `{src}` of {place} cannot be used: {error}")]
    Icon {
        /// Where it is, cut where it is long.
        src: String,
        /// Where it is declared.
        place: Place,
        /// What is wrong with it.
        error: IconError,
    },
    /// A key of `_meta` that is not allowed.
    #[error("the `_meta` key `{key}` of {place} is not allowed: {error}")]
    MetaKey {
        /// The key.
        key: String,
        /// Where it is declared.
        place: Place,
        /// What is wrong with it.
        error: MetaKeyError,
    },
    /// A capability whose view is not there.
    #[error(
        "{place} names the view `{uri}`, but there is no resource at that uri; declare it with \
         `#[resource(uri = \"{uri}\")]`"
    )]
    UnknownView {
        /// The uri.
        uri: String,
        /// Where it is named.
        place: Place,
    },
    /// A view of another type than a view has.
    #[error("{place} is a view, so its type is `{VIEW_TYPE}`; remove the `mime_type`")]
    ViewType {
        /// Where it is declared.
        place: Place,
    },
    /// Two capabilities of one name.
    // B13.
    #[error("two capabilities are called `{name}`: {first} and {second}; rename one of them")]
    DuplicateCapability {
        /// The name.
        name: String,
        /// Where it is declared first.
        first: Place,
        /// Where it is declared again.
        second: Place,
    },
    /// Two resources of one name.
    // B14.
    #[error("two resources are called `{name}`: {first} and {second}; rename one of them")]
    DuplicateResource {
        /// The name.
        name: String,
        /// Where it is declared first.
        first: Place,
        /// Where it is declared again.
        second: Place,
    },
    /// A prompt has a name that is not allowed.
    #[error("{place} cannot be called `{name}`: {error}")]
    PromptName {
        /// The name.
        name: String,
        /// Where it is declared.
        place: Place,
        /// What is wrong with it.
        error: NameError,
    },
    /// Two prompts of one name.
    #[error("two prompts are called `{name}`: {first} and {second}; rename one of them")]
    DuplicatePrompt {
        /// The name.
        name: String,
        /// Where it is declared first.
        first: Place,
        /// Where it is declared again.
        second: Place,
    },
    /// Two things that would be read at one uri.
    #[error("{first} and {second} would both be read at `{uri}`; give one of them another uri")]
    DuplicateUri {
        /// The uri.
        uri: String,
        /// What is declared first.
        first: Place,
        /// What is declared again.
        second: Place,
    },
    /// Two agents of one server with a context.
    #[error(
        "a server has one context, and there are {first} and {second}; make one of them a `#[resource]`"
    )]
    SecondContext {
        /// What is declared first.
        first: Place,
        /// What is declared again.
        second: Place,
    },
}

/// Where something is declared.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Place {
    /// The agent's name.
    pub agent: String,
    /// What it is there.
    pub item: Item,
}

/// What is declared at a [`Place`].
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Item {
    /// The capability of that method.
    Capability(String),
    /// The prompt of that name.
    Prompt(String),
    /// The resource of that name.
    Resource(String),
    /// The context.
    Context,
    /// The agent itself.
    Agent,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.item {
            Item::Capability(method) => write!(f, "the method `{method}`")?,
            Item::Prompt(name) => write!(f, "the prompt `{name}`")?,
            Item::Resource(name) => write!(f, "the resource `{name}`")?,
            Item::Context => f.write_str("the context")?,
            Item::Agent => return write!(f, "the agent `{}`", self.agent),
        }
        write!(f, " of the agent `{}`", self.agent)
    }
}

//! The data of a contract.

use std::fmt::Write as _;
use std::time::Duration;

use serde_json::{Value, json};

use super::{Extras, Icon, Notes, PromptDescriptor};

/// Everything that one agent offers, in declaration order.
///
/// ```
/// use agent_mcp::contract::{CapabilityDescriptor, Contract};
///
/// let mut contract = Contract::new("todo");
/// contract.capabilities.push(CapabilityDescriptor::new("clear_done", "Clear what is done."));
/// assert_eq!(contract.capability("clear_done").unwrap().description, "Clear what is done.");
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Contract {
    /// The agent's name, for machines.
    pub name: String,
    /// The agent's name, for people.
    pub title: Option<String>,
    /// The application's own version.
    pub version: Option<String>,
    /// Where people read about it.
    pub website: Option<String>,
    /// Pictures of it.
    pub icons: Vec<Icon>,
    /// What a model should know before it chooses among the capabilities.
    pub instructions: Option<String>,
    /// Whether capability names may have dots, which several clients refuse.
    pub dotted_names: bool,
    /// The actions on offer.
    pub capabilities: Vec<CapabilityDescriptor>,
    /// The readable projections of state.
    pub resources: Vec<ResourceDescriptor>,
    /// The messages that a person can choose to begin with.
    pub prompts: Vec<PromptDescriptor>,
    /// The projection that every caller is meant to start from, if there is one.
    // B17: absent when none is declared, never an empty object.
    pub context: Option<ContextDescriptor>,
}

impl Contract {
    /// Makes a contract that offers nothing yet.
    pub fn new(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
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

    /// The capability of that name.
    pub fn capability(&self, name: &str) -> Option<&CapabilityDescriptor> {
        self.capabilities.iter().find(|capability| capability.name == name)
    }

    /// The prompt of that name.
    pub fn prompt(&self, name: &str) -> Option<&PromptDescriptor> {
        self.prompts.iter().find(|prompt| prompt.name == name)
    }

    /// The resource of that name.
    pub fn resource(&self, name: &str) -> Option<&ResourceDescriptor> {
        self.resources.iter().find(|resource| resource.name == name)
    }
}

impl Default for Contract {
    /// An empty contract with the default name, `agent`.
    // B24: the name that an agent has when none is given.
    fn default() -> Self {
        Self::new("agent")
    }
}

/// One action on offer.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct CapabilityDescriptor {
    /// The name that callers use.
    pub name: String,
    /// The name for people.
    pub title: Option<String>,
    /// What a model chooses by.
    pub description: String,
    /// The Rust method behind it: the internal tag, which a change of `name` leaves alone.
    pub method: String,
    /// The advertised schema of the arguments.
    pub input: Value,
    /// The advertised schema of the structured result, where there is one.
    pub output: Option<Value>,
    /// What the capability says about its own effects.
    pub annotations: Annotations,
    /// Whether it has an `available` hook, so that it comes and goes with the Model.
    pub conditional: bool,
    /// Whether it has an `authorize` hook.
    pub authorized: bool,
    /// The scopes that a caller's credentials must carry, all of them.
    pub scopes: Vec<String>,
    /// Whether it sends a Message to the host.
    pub dispatches: bool,
    /// What a dispatched Message waits for, if for anything.
    pub completion: Option<CompletionDescriptor>,
    /// The limit on the method's own run.
    pub timeout: Option<Duration>,
    /// The uri of the view that clients show its results in.
    pub ui: Option<String>,
    /// Whether it is for views alone, and not for models.
    pub app_only: bool,
    /// How often the runtime reports progress while the method does not.
    pub heartbeat: Option<Duration>,
    /// How many calls may run at once.
    pub concurrency: Option<usize>,
    /// Whether a call may, or must, become a task.
    pub task: Option<TaskMode>,
    /// Whether undeclared arguments are accepted.
    pub open: bool,
    /// Whether exact conversions of arguments are accepted, such as `"5"` for `5`.
    pub coerce: bool,
    /// What is said of it beside that.
    pub extras: Extras,
}

impl CapabilityDescriptor {
    /// Makes a capability without arguments, of a method of the same name, with all defaults.
    pub fn new(name: impl Into<String>, description: impl Into<String>) -> Self {
        let name = name.into();
        Self {
            method: name.clone(),
            name,
            title: None,
            description: description.into(),
            // B27: exactly one value is accepted, the empty object, and the schema says so.
            input: json!({ "type": "object", "properties": {}, "additionalProperties": false }),
            output: None,
            annotations: Annotations::default(),
            conditional: false,
            authorized: false,
            scopes: Vec::new(),
            dispatches: false,
            completion: None,
            timeout: None,
            ui: None,
            app_only: false,
            heartbeat: None,
            concurrency: None,
            task: None,
            open: false,
            coerce: false,
            extras: Extras::default(),
        }
    }
}

/// What a capability says about its own effects; `None` is "not said".
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Annotations {
    /// It changes nothing.
    pub read_only: Option<bool>,
    /// It may destroy something.
    pub destructive: Option<bool>,
    /// A second call with the same arguments changes nothing more.
    pub idempotent: Option<bool>,
    /// It reaches beyond the application.
    pub open_world: Option<bool>,
}

impl Annotations {
    /// Whether nothing is said at all.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// Whether a call becomes a task: something that goes on when its caller has been let go.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TaskMode {
    /// It does for callers that keep tasks; others wait for the outcome.
    Optional,
    /// It always does; callers that keep no tasks are refused.
    Required,
}

impl TaskMode {
    /// The word for it in documents.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Optional => "optional",
            Self::Required => "required",
        }
    }
}

/// What a dispatched Message waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct CompletionDescriptor {
    /// What decides that it is complete.
    pub kind: CompletionKind,
    /// How long sending and waiting may take together.
    pub timeout: Duration,
}

impl CompletionDescriptor {
    /// How long sending and waiting may take together when nothing is said.
    // B65: there is always a deadline.
    pub const DEFAULT_TIMEOUT: Duration = Duration::from_secs(30);

    /// Makes a completion that is decided by `kind` within `timeout`.
    pub fn new(kind: CompletionKind, timeout: Duration) -> Self {
        Self { kind, timeout }
    }
}

/// What decides that a dispatched Message is complete.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum CompletionKind {
    /// A Message that the application sends itself.
    Message,
    /// A state that the application reaches, whoever brings it about.
    State,
}

impl CompletionKind {
    /// The word for it in documents.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Message => "message",
            Self::State => "state",
        }
    }
}

/// One readable projection of state.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct ResourceDescriptor {
    /// The name that callers see.
    pub name: String,
    /// The name for people.
    pub title: Option<String>,
    /// What a model chooses by.
    pub description: String,
    /// Where it is read: `app://` and the name, unless it says otherwise. With variables it is a
    /// [template](super::UriTemplate), and stands for all that it can be expanded to.
    pub uri: String,
    /// The schema of the variables of a template.
    pub variables: Option<Value>,
    /// The type of what is read, where it is known and the same each time.
    pub mime_type: Option<String>,
    /// How many bytes are read, where that is known and the same each time.
    pub size: Option<u64>,
    /// For whom it is, and how much it matters.
    pub notes: Notes,
    /// The schema of what is read, where it is known.
    pub schema: Option<Value>,
    /// Whether it has an `available` hook, so that it comes and goes with the Model.
    pub conditional: bool,
    /// Whether it has an `authorize` hook.
    pub authorized: bool,
    /// The scopes that a caller's credentials must carry, all of them.
    pub scopes: Vec<String>,
    /// For how long and by whom what is read may be kept; not at all when nothing is said.
    pub cache: Option<CacheHint>,
    /// What is said of it beside that.
    pub extras: Extras,
}

/// For how long and by whom what is read may be kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CacheHint {
    /// How long it may be kept.
    pub ttl: Duration,
    /// Whether it is the same for every caller, so that one may be given what another has read.
    pub public: bool,
}

impl ResourceDescriptor {
    /// Makes a resource that is read at `app://<name>`, percent-encoded where the name needs it.
    pub fn new(name: impl Into<String>, description: impl Into<String>) -> Self {
        let name = name.into();
        Self {
            uri: app_uri(&name),
            variables: None,
            name,
            title: None,
            description: description.into(),
            mime_type: None,
            size: None,
            notes: Notes::default(),
            schema: None,
            conditional: false,
            authorized: false,
            scopes: Vec::new(),
            cache: None,
            extras: Extras::default(),
        }
    }

    /// Whether it stands for many resources.
    #[must_use]
    pub fn is_template(&self) -> bool {
        super::UriTemplate::is_template(&self.uri)
    }
}

/// The projection that every caller is meant to start from.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct ContextDescriptor {
    /// What it tells.
    pub description: String,
    /// The type of what is read, where it is known and the same each time.
    pub mime_type: Option<String>,
    /// The schema of what is read, where it is known.
    pub schema: Option<Value>,
    /// The scopes that a caller's credentials must carry, all of them.
    pub scopes: Vec<String>,
}

impl ContextDescriptor {
    /// Where the context is read.
    pub const URI: &'static str = "app://context";

    /// Makes a context that says nothing of its shape.
    pub fn new(description: impl Into<String>) -> Self {
        Self { description: description.into(), mime_type: None, schema: None, scopes: Vec::new() }
    }
}

/// `app://` and the name; O27: what may not stand in a uri is percent-encoded.
fn app_uri(name: &str) -> String {
    let mut uri = String::from("app://");
    for byte in name.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            uri.push(char::from(byte));
        } else {
            // Writing to a `String` cannot fail.
            let _ = write!(uri, "%{byte:02X}");
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn o27_a_resource_uri_is_percent_encoded_where_the_name_needs_it() {
        let uri = |name: &str| ResourceDescriptor::new(name, "x").uri;
        assert_eq!(uri("todos"), "app://todos");
        assert_eq!(uri("open-todos_2.v1~"), "app://open-todos_2.v1~");
        assert_eq!(uri("open todos/all"), "app://open%20todos%2Fall");
        assert_eq!(uri("größe"), "app://gr%C3%B6%C3%9Fe");
        assert_eq!(uri("50%"), "app://50%25");
    }

    #[test]
    fn b24_an_agent_without_a_name_is_called_agent() {
        assert_eq!(Contract::default().name, "agent");
    }
}

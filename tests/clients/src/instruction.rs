use serde::Serialize;
use serde_json::Value;

/// What a client is told to do.
#[derive(Debug, Serialize)]
#[serde(tag = "op", rename_all = "snake_case")]
pub(crate) enum Instruction<'a> {
    /// Say what the conversation was opened with.
    Hello,
    /// List the tools.
    Tools,
    /// Call a tool.
    Call { name: &'a str, arguments: Value },
    /// List the prompts.
    Prompts,
    /// Get a prompt.
    Prompt { name: &'a str, arguments: Value },
    /// Ask what may be typed for an argument of a prompt or a template, where others are chosen.
    Complete { of: Value, argument: &'a str, typed: &'a str, chosen: Option<Value> },
    /// List the resources.
    Resources,
    /// List the templates of resources.
    Templates,
    /// Read a resource.
    Read { uri: &'a str },
    /// Ask to be told when a resource changes.
    Subscribe { uri: &'a str },
    /// Do not ask any more.
    Unsubscribe { uri: &'a str },
    /// Ask for log messages from this level on.
    LogFrom { level: &'a str },
    /// Wait for the next notice of that kind; one that came earlier counts.
    Heard { notice: Notice },
    /// Give that answer when the server asks so, or none for as long as it asks. The earlier of two is given first.
    WillAnswer { question: Question, answer: Option<Value> },
    /// Say what the server has asked so, and forget it.
    Asked { question: Question },
    /// Start a call, and do not wait for its answer.
    Start { name: &'a str, arguments: Value },
    /// Wait for the answer to that call.
    Finish,
    /// Give that call up, and say what had been answered.
    GiveUp,
    /// Leave the conversation as it is, and open another with the same server.
    Reopen,
}

/// What a server says without being asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Notice {
    /// The list of tools has changed.
    Tools,
    /// A resource has changed that the client subscribed to: `{"uri"}`.
    Updated,
    /// How far a call is: `{"progress", "total", "message"}`.
    Progress,
    /// A log message: `{"level", "data"}`.
    Log,
    /// A question without an answer is not asked any more.
    Withdrawn,
    /// What has become of a task that the client asks for: `{"status", "message"}`.
    Task,
}

/// What a server may ask, by the method of its request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub enum Question {
    /// A form for the person.
    #[serde(rename = "elicitation/create")]
    Form,
    /// A request to the client's model.
    #[serde(rename = "sampling/createMessage")]
    Sampling,
    /// The folders that the client works in.
    #[serde(rename = "roots/list")]
    Roots,
}

impl Question {
    /// The method of the request.
    pub(crate) fn method(self) -> &'static str {
        match self {
            Self::Form => "elicitation/create",
            Self::Sampling => "sampling/createMessage",
            Self::Roots => "roots/list",
        }
    }
}

//! How an invocation ended.

use std::{borrow::Cow, fmt, time::Duration};

use serde::Serialize;

use super::{
    dialogue::{Asks, Need},
    invocation::InvocationId,
    output::Output,
};
use crate::schema::Faults;

/// How an invocation ended.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// The method returned a value.
    Value(Output),
    /// The host accepted the Message; nothing further was declared.
    Dispatched,
    /// The fact that the capability waits for has come, with its value unless that is `()`.
    Completed(Option<Output>),
    /// The method, or a declared failure of the completion, says no.
    Failed {
        /// The text for the agent.
        text: String,
        /// Whether the application was reached.
        delivery: Delivery,
    },
    /// The method asked for an error of the protocol.
    Protocol {
        /// The JSON-RPC code.
        code: i32,
        /// The text for the caller.
        message: String,
        /// Whether the application was reached.
        delivery: Delivery,
    },
    /// The method asks its caller, and is to be run again with the answers.
    Asks(Box<Asks>),
    /// A rule of the contract or the runtime says no.
    Refused(Refusal),
    /// Something broke; the cause is in the log and never described to a caller (B82).
    Defect(Defect),
}

/// Whether the application was reached (B90).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Delivery {
    /// Nothing was run or sent.
    No,
    /// The method has run, or the host has accepted the Message.
    Yes,
    /// The method or the host was started and did not come to an end.
    Unknown,
}

impl Delivery {
    /// The word.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::No => "no",
            Self::Yes => "yes",
            Self::Unknown => "unknown",
        }
    }

    fn sentence(self) -> &'static str {
        match self {
            Self::No => "Nothing was done.",
            Self::Yes => "It had already reached the application; nothing is undone.",
            Self::Unknown => "Whether it reached the application is unknown.",
        }
    }
}

impl Serialize for Delivery {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

/// The closed set of refusals (B79). The text of each addresses the agent (B80).
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Refusal {
    /// No capability has this name.
    UnknownCapability {
        /// What the caller asked for.
        capability: String,
    },
    /// The capability does not exist in the present state.
    Unavailable {
        /// The capability.
        capability: Cow<'static, str>,
        /// The hook's reason.
        #[serde(skip_serializing_if = "Option::is_none")]
        reason: Option<String>,
    },
    /// The arguments do not fit the advertised schema.
    InvalidInput {
        /// The capability.
        capability: Cow<'static, str>,
        /// Everything that is wrong with them.
        faults: Faults,
    },
    /// No prompt has this name.
    UnknownPrompt {
        /// What the caller asked for.
        prompt: String,
    },
    /// No resource has this address.
    UnknownResource {
        /// What the caller asked for.
        uri: String,
    },
    /// `authorize` said no.
    Unauthorized {
        /// The capability or resource.
        capability: Cow<'static, str>,
        /// The hook's reason.
        reason: Option<String>,
    },
    /// The caller's credentials do not carry the scopes.
    InsufficientScope {
        /// The capability or resource.
        capability: Cow<'static, str>,
        /// All scopes that it needs, those that the caller has among them.
        scopes: Vec<String>,
    },
    /// The caller cancelled.
    Cancelled {
        /// The capability.
        capability: Cow<'static, str>,
        /// Whether the application was reached.
        delivery: Delivery,
    },
    /// The time limit passed.
    TimedOut {
        /// The capability.
        capability: Cow<'static, str>,
        /// The limit.
        #[serde(skip)]
        limit: Duration,
        /// Whether the application was reached.
        delivery: Delivery,
        /// The call, for whoever asks what became of it.
        invocation: InvocationId,
    },
    /// The method asks what its caller cannot be asked.
    CannotAsk {
        /// The capability, prompt or resource.
        capability: Cow<'static, str>,
        /// What the caller would have to be able to do.
        needs: Vec<Need>,
        /// Whether the application was reached.
        delivery: Delivery,
    },
    /// The caller's answer to a question of the method is none.
    BadAnswer {
        /// The capability, prompt or resource.
        capability: Cow<'static, str>,
        /// The question's key.
        key: String,
        /// What is wrong with the answer.
        why: String,
        /// Whether the application was reached.
        delivery: Delivery,
    },
    /// A limit of the server is reached.
    Busy {
        /// The capability.
        capability: Cow<'static, str>,
        /// The setting that holds the limit.
        setting: &'static str,
    },
}

impl Refusal {
    /// The stable word for adapters and audit.
    #[must_use]
    pub fn status(&self) -> Status {
        match self {
            Self::UnknownCapability { .. } => Status::UnknownCapability,
            Self::Unavailable { .. } => Status::Unavailable,
            Self::InvalidInput { .. } => Status::InvalidInput,
            Self::UnknownPrompt { .. } => Status::UnknownPrompt,
            Self::UnknownResource { .. } => Status::UnknownResource,
            Self::Unauthorized { .. } => Status::Unauthorized,
            Self::InsufficientScope { .. } => Status::InsufficientScope,
            Self::Cancelled { .. } => Status::Cancelled,
            Self::TimedOut { .. } => Status::Timeout,
            Self::CannotAsk { .. } => Status::CannotAsk,
            Self::BadAnswer { .. } => Status::BadAnswer,
            Self::Busy { .. } => Status::Busy,
        }
    }

    fn delivery(&self) -> Delivery {
        match self {
            Self::Cancelled { delivery, .. }
            | Self::TimedOut { delivery, .. }
            | Self::CannotAsk { delivery, .. }
            | Self::BadAnswer { delivery, .. } => *delivery,
            _ => Delivery::No,
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownCapability { capability } => write!(f, "Unknown tool: {capability}"),
            Self::Unavailable { capability, reason: Some(reason) } => {
                write!(f, "`{capability}` is not available now: {reason}")
            }
            Self::Unavailable { capability, reason: None } => write!(
                f,
                "`{capability}` is not available now. List the tools again to see what is."
            ),
            Self::InvalidInput { capability, faults } => {
                write!(f, "The arguments of `{capability}` do not fit its schema: {faults}")
            }
            Self::UnknownPrompt { prompt } => write!(f, "Unknown prompt: {prompt}"),
            Self::UnknownResource { uri } => write!(f, "Unknown resource: {uri}"),
            Self::Unauthorized { capability, reason: None } => {
                write!(f, "You are not allowed to use `{capability}`.")
            }
            Self::Unauthorized { capability, reason: Some(reason) } => {
                write!(f, "You are not allowed to use `{capability}`: {reason}")
            }
            Self::InsufficientScope { capability, scopes } => {
                let (noun, scopes) =
                    (if scopes.len() == 1 { "scope" } else { "scopes" }, scopes.join(" "));
                write!(
                    f,
                    "`{capability}` needs the {noun} `{scopes}`, which your credentials do not carry."
                )
            }
            Self::Cancelled { capability, delivery } => {
                write!(f, "`{capability}` was cancelled. {}", delivery.sentence())
            }
            Self::TimedOut { capability, limit, delivery, .. } => {
                write!(f, "`{capability}` did not finish within {limit:?}. {}", delivery.sentence())
            }
            Self::CannotAsk { capability, needs, .. } => {
                let needs: Vec<_> = needs.iter().map(|need| need.as_str()).collect();
                write!(
                    f,
                    "`{capability}` needs a client that can do more: {}. This one does not offer it.",
                    needs.join(", ")
                )
            }
            Self::BadAnswer { capability, key, why, .. } => {
                write!(
                    f,
                    "The answer to the question `{key}` of `{capability}` does not fit: {why}"
                )
            }
            Self::Busy { capability, setting } => write!(
                f,
                "`{capability}` was not run: the server is at its limit `{setting}`. Try again later."
            ),
        }
    }
}

impl std::error::Error for Refusal {}

/// Something broke. A caller learns the name and the reference, the log holds the rest (B82).
#[derive(Clone, Debug, PartialEq)]
pub struct Defect {
    /// The number under which the log holds the cause.
    pub reference: InvocationId,
    /// Whether the application was reached.
    pub delivery: Delivery,
}

/// The stable word for how an invocation ended; the same in `_meta` and in the audit (O14).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[allow(missing_docs)] // Each says what it is.
pub enum Status {
    Ok,
    Dispatched,
    Completed,
    Failed,
    UnknownCapability,
    Unavailable,
    InvalidInput,
    UnknownPrompt,
    UnknownResource,
    Unauthorized,
    InsufficientScope,
    Cancelled,
    Timeout,
    Busy,
    Asks,
    CannotAsk,
    BadAnswer,
    Defect,
    /// A request whose caller is not known.
    Unauthenticated,
    /// A request under a foreign name, or from a foreign page.
    Forbidden,
    /// A request for somebody else's session.
    ForeignSession,
    /// The caller went away: the invocation was dropped before it ended.
    Interrupted,
}

impl Status {
    /// The word.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Dispatched => "dispatched",
            Self::Completed => "completed",
            Self::Failed => "failed",
            Self::UnknownCapability => "unknown_capability",
            Self::Unavailable => "unavailable",
            Self::InvalidInput => "invalid_input",
            Self::UnknownPrompt => "unknown_prompt",
            Self::UnknownResource => "unknown_resource",
            Self::Unauthorized => "unauthorized",
            Self::InsufficientScope => "insufficient_scope",
            Self::Cancelled => "cancelled",
            Self::Timeout => "timeout",
            Self::Busy => "busy",
            Self::Asks => "asks",
            Self::CannotAsk => "cannot_ask",
            Self::BadAnswer => "bad_answer",
            Self::Defect => "defect",
            Self::Unauthenticated => "unauthenticated",
            Self::Forbidden => "forbidden",
            Self::ForeignSession => "foreign_session",
            Self::Interrupted => "interrupted",
        }
    }
}

impl Serialize for Status {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

/// The class of an [`Outcome`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[allow(missing_docs)] // As in `Outcome`.
pub enum Kind {
    Value,
    Dispatched,
    Completed,
    Failed,
    Asks,
    Refused,
    Defect,
}

impl Kind {
    /// The word.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Value => "value",
            Self::Dispatched => "dispatched",
            Self::Completed => "completed",
            Self::Failed => "failed",
            Self::Asks => "asks",
            Self::Refused => "refused",
            Self::Defect => "defect",
        }
    }
}

impl Serialize for Kind {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

/// The machine code of an [`Outcome`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Code {
    /// The class.
    pub kind: Kind,
    /// Whether the application was reached.
    pub dispatched: Delivery,
    /// The exact word.
    pub status: Status,
}

/// An outcome in the words that every adapter uses (B78).
#[derive(Clone, Debug, PartialEq)]
pub struct Summary<'a> {
    /// False for failures, refusals and defects.
    pub ok: bool,
    /// The text for the agent.
    pub text: Cow<'a, str>,
    /// The JSON text of the structured value, where there is one.
    pub structured: Option<Cow<'a, str>>,
}

impl Outcome {
    /// The machine code.
    #[must_use]
    pub fn code(&self) -> Code {
        let (kind, dispatched, status) = match self {
            Self::Value(_) => (Kind::Value, Delivery::Yes, Status::Ok),
            Self::Dispatched => (Kind::Dispatched, Delivery::Yes, Status::Dispatched),
            Self::Completed(_) => (Kind::Completed, Delivery::Yes, Status::Completed),
            Self::Failed { delivery, .. } | Self::Protocol { delivery, .. } => {
                (Kind::Failed, *delivery, Status::Failed)
            }
            Self::Asks(_) => (Kind::Asks, Delivery::Unknown, Status::Asks),
            Self::Refused(refusal) => (Kind::Refused, refusal.delivery(), refusal.status()),
            Self::Defect(defect) => (Kind::Defect, defect.delivery, Status::Defect),
        };
        Code { kind, dispatched, status }
    }

    /// Whether the invocation did what it is for.
    #[must_use]
    pub fn is_ok(&self) -> bool {
        matches!(self, Self::Value(_) | Self::Dispatched | Self::Completed(_))
    }

    /// Says in words how the invocation of `capability` ended.
    #[must_use]
    pub fn summary(&self, capability: &str) -> Summary<'_> {
        match self {
            Self::Value(output) | Self::Completed(Some(output)) => Summary::of(output),
            Self::Dispatched => Summary::status(capability, "dispatched"),
            Self::Completed(None) => Summary::status(capability, "completed"),
            Self::Failed { text, .. } | Self::Protocol { message: text, .. } => {
                Summary::failure(Cow::Borrowed(text))
            }
            Self::Asks(_) => Summary::failure("An answer is needed first.".into()),
            Self::Refused(refusal) => Summary::failure(refusal.to_string().into()),
            Self::Defect(defect) => Summary::failure(
                format!(
                    "`{capability}` failed for an internal reason. Reference: {}",
                    defect.reference
                )
                .into(),
            ),
        }
    }
}

impl<'a> Summary<'a> {
    fn of(output: &'a Output) -> Self {
        match output {
            Output::Text(text) => Self { ok: true, text: text.into(), structured: None },
            Output::Json(json) => {
                Self { ok: true, text: json.into(), structured: Some(json.into()) }
            }
            Output::Messages(messages) => {
                let texts: Vec<_> = messages.iter().map(|it| it.content.to_string()).collect();
                Self { ok: true, text: texts.join("\n").into(), structured: None }
            }
            Output::Content(blocks) => {
                let texts: Vec<_> = blocks.iter().map(ToString::to_string).collect();
                Self { ok: true, text: texts.join("\n").into(), structured: None }
            }
        }
    }

    fn status(capability: &str, status: &str) -> Self {
        // Names are checked to hold no character that JSON escapes (B12).
        let json = format!(r#"{{"capability":"{capability}","status":"{status}"}}"#);
        Self { ok: true, text: json.clone().into(), structured: Some(json.into()) }
    }

    fn failure(text: Cow<'a, str>) -> Self {
        Self { ok: false, text, structured: None }
    }
}

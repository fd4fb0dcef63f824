//! How a method or a hook says no.

use std::{any::Any, error::Error, fmt};

use super::dialogue::Unanswered;
use crate::host::BoxError;

/// A failure that says more than a text: the error type of a method that wants control over it.
///
/// A method may fail with any type that implements `Display`; its text goes to the agent. `Failure` is
/// for the other cases. Every error becomes an [internal](Self::internal) one by `?`; a mere text is said.
///
/// ```
/// use agent_mcp::Failure;
///
/// fn load(path: &std::path::Path) -> Result<String, Failure> {
///     if path.components().count() > 1 {
///         return Err(Failure::say("give the name of a note, without a folder"));
///     }
///     Ok(std::fs::read_to_string(path)?)
/// }
/// # assert!(load("a/b".as_ref()).is_err());
/// assert_eq!(Failure::from("there is no shelf").to_string(), "there is no shelf");
/// assert_eq!(Failure::from(std::io::Error::other("disk 3")).to_string(), "internal failure");
/// ```
#[derive(Debug)]
pub struct Failure(pub(crate) FailureKind);

#[derive(Debug)]
pub(crate) enum FailureKind {
    Say(String),
    Internal(BoxError),
    Protocol { code: i32, message: String },
    NotFound,
}

/// What is said where nothing better is known.
pub(crate) const NOT_FOUND: &str = "there is no such thing";

impl Failure {
    /// Fails with a text for the agent.
    pub fn say(text: impl fmt::Display) -> Self {
        Self(FailureKind::Say(text.to_string()))
    }

    /// Fails with the text of `error` and of every error under it, joined by `: `.
    pub fn chain(error: impl Error) -> Self {
        let mut text = error.to_string();
        let mut source = error.source();
        while let Some(error) = source {
            text.push_str(": ");
            text.push_str(&error.to_string());
            source = error.source();
        }
        Self(FailureKind::Say(text))
    }

    /// Fails without telling the agent why: it gets a fixed text and a reference number, under which the
    /// log holds `error`.
    pub fn internal(error: impl Into<BoxError>) -> Self {
        Self(FailureKind::Internal(error.into()))
    }

    /// Fails because there is no such thing. A resource that says so, or that returns `None`, is one that the
    /// caller is told not to know; for a capability it is a text like any other.
    #[must_use]
    pub fn not_found() -> Self {
        Self(FailureKind::NotFound)
    }

    /// What it is for the people who run the server.
    pub(crate) fn into_cause(self) -> BoxError {
        match self.0 {
            FailureKind::Say(text) | FailureKind::Protocol { message: text, .. } => text.into(),
            FailureKind::Internal(cause) => cause,
            FailureKind::NotFound => NOT_FOUND.into(),
        }
    }

    /// Fails the request itself with a JSON-RPC error. Use it only where the protocol asks for one: a
    /// model does not see protocol errors and cannot repair its call.
    pub fn protocol(code: i32, message: impl Into<String>) -> Self {
        Self(FailureKind::Protocol { code, message: message.into() })
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            FailureKind::Say(text) | FailureKind::Protocol { message: text, .. } => {
                f.write_str(text)
            }
            FailureKind::Internal(_) => f.write_str("internal failure"),
            FailureKind::NotFound => f.write_str(NOT_FOUND),
        }
    }
}

impl<E: Into<BoxError> + 'static> From<E> for Failure {
    /// Lets `?` be used on every error; it is [internal](Self::internal), so the agent learns nothing of it. A mere
    /// text is [said](Self::say), as it is where a method returns one as its error, and so is that the user gave
    /// no answer ([`Unanswered`]).
    fn from(error: E) -> Self {
        let any: &dyn Any = &error;
        if let Some(text) = any.downcast_ref::<&str>() {
            return Self::say(text);
        }
        if let Some(text) = any.downcast_ref::<String>() {
            return Self::say(text);
        }
        let error = error.into();
        match error.downcast::<Unanswered>() {
            // It is about the caller, who may know of it.
            Ok(unanswered) => Self::say(unanswered),
            Err(error) => Self::internal(error),
        }
    }
}

/// Why `authorize` refuses: the error side of `Result<(), Denied>`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Denied(pub(crate) Option<String>);

impl Denied {
    /// Refuses with a reason for the agent.
    pub fn because(reason: impl fmt::Display) -> Self {
        Self(Some(reason.to_string()))
    }

    /// Refuses without a reason.
    #[must_use]
    pub fn new() -> Self {
        Self(None)
    }
}

impl Default for Denied {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Display for Denied {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.as_deref().unwrap_or("not allowed"))
    }
}

impl<E: Error> From<E> for Denied {
    /// Lets `?` be used in an `authorize` hook; the agent reads the error's text.
    fn from(error: E) -> Self {
        Self::because(error)
    }
}

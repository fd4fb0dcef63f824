//! A method that was called, and what it gave back.

use super::{failure::Failure, hooks::BoxFuture, output::Output};
use crate::schema::{OutputSchema, SchemaError};

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

/// What the return type decides; comes from one probe at the user's type.
pub struct ReturnKind {
    /// Builds the schema of a structured value.
    pub schema: DescribeOutput,
    /// The type of what is read, where it is known before.
    pub mime_type: Option<&'static str>,
    /// Whether the method returns the agent's Message.
    pub dispatches: bool,
}

/// Builds the schema of a structured value; `None` says that there is none to advertise.
pub type DescribeOutput = fn() -> Result<Option<OutputSchema>, SchemaError>;

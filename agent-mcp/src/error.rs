//! The error of building and serving.

use std::fmt;

use crate::{
    host::BoxError,
    runtime::{BuildError, Failure},
};

/// Why a server cannot be built or served.
///
/// Its `Debug` form is its text, because that is what `fn main() -> Result<()>` prints.
#[derive(thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The server cannot be built.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// An agent that is made [per caller](crate::Server::per_caller) cannot be made.
    #[error("the agents of the caller cannot be made: {0}")]
    Caller(#[source] BoxError),
    /// The skills cannot be served.
    #[cfg(feature = "skills")]
    #[error("the skills cannot be served: {0}")]
    Skills(#[from] crate::skills::SkillsError),
    /// The transport failed.
    #[error("the transport failed: {0}")]
    Transport(#[from] std::io::Error),
}

impl Error {
    /// No agent was made. It is said to the people who run the server, so with the cause.
    pub(crate) fn unbound(failure: Failure) -> Self {
        Self::Caller(failure.into_cause())
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The result of building and serving.
pub type Result<T, E = Error> = std::result::Result<T, E>;

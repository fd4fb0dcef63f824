//! The error of building and serving.

use std::fmt;

use crate::runtime::BuildError;

/// Why a server cannot be built or served.
///
/// Its `Debug` form is its text, because that is what `fn main() -> Result<()>` prints.
#[derive(thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The server cannot be built.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// The transport failed.
    #[error("the transport failed: {0}")]
    Transport(#[from] std::io::Error),
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The result of building and serving.
pub type Result<T, E = Error> = std::result::Result<T, E>;

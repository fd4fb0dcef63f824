//! The error of building and serving.

use crate::runtime::BuildError;

/// Why a server cannot be built or served.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The server cannot be built.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// The transport failed.
    #[error("the transport failed: {0}")]
    Transport(#[from] std::io::Error),
}

/// The result of building and serving.
pub type Result<T, E = Error> = std::result::Result<T, E>;

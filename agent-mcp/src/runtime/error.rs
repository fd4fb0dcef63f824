//! Why a server cannot be built or served.

use super::agent::DeclarationError;
use crate::contract::ContractError;

/// Why a server cannot be built.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BuildError {
    /// An entry cannot be described by a schema that every client accepts.
    #[error(transparent)]
    Declaration(#[from] DeclarationError),
    /// The contract breaks a rule of its own, such as two capabilities with one name.
    #[error(transparent)]
    Contract(#[from] ContractError),
    /// A setting has a value that cannot be used.
    #[error("the setting `{setting}` cannot be used: {reason}")]
    Setting {
        /// The setting.
        setting: &'static str,
        /// What is wrong with it.
        reason: String,
    },
    /// The host does not tell of Messages, and completions wait for them.
    #[error(
        "the host does not tell of Messages, which {} waits for: implement `Host::observe_messages`, or leave `completion` out",
        names(capabilities)
    )]
    HostTellsNoMessages {
        /// The capabilities that wait.
        capabilities: Vec<String>,
    },
    /// The host does not tell of new Models, and completions wait for them.
    #[error(
        "the host does not tell of new Models, which {} waits for: implement `Host::observe_model`, or leave `completion` out",
        names(capabilities)
    )]
    HostTellsNoModels {
        /// The capabilities that wait.
        capabilities: Vec<String>,
    },
}

fn names(capabilities: &[String]) -> String {
    capabilities.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

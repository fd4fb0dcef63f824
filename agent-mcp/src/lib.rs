#![doc = include_str!("docs/crate.md")]

#[doc(hidden)]
pub mod __private;
pub mod contract;
mod error;
pub mod host;
pub mod mcp;
pub mod runtime;
pub mod schema;
mod server;
pub mod transport;

pub use contract::Contract;
pub use error::{Error, Result};
pub use host::{BoxError, Effects, Host, Store};
pub use runtime::{
    Agent, Audit, AuditEntry, AuditLog, AuditSink, Call, Caller, Completion, Content, Context,
    Denied, Failure, InProcess, Invocation, InvocationId, Limits, LogLevel, Outcome, Principal,
    PrincipalId, Runtime,
};
pub use server::{Identified, Identity, Server, Unidentified};

pub use agent_mcp_macros::{agent, capability, context, data, resource};

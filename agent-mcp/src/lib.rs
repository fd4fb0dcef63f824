//! Hand a Rust application to AI agents.

pub mod contract;
pub mod host;
pub mod runtime;
pub mod schema;

pub use contract::Contract;
pub use host::{BoxError, Host};
pub use runtime::{
    Agent, Call, Caller, Completion, Content, Context, Denied, Failure, Invocation, InvocationId,
    Outcome, Principal, PrincipalId,
};

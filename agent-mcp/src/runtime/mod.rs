//! A contract bound to a host and a principal: the fixed order of every call.

mod agent;
mod audit;
mod bound;
mod completion;
mod context;
mod drive;
mod error;
mod failure;
mod hooks;
mod in_process;
mod invocation;
mod limits;
mod outcome;
mod output;
mod pipeline;
mod port;
mod principal;
#[allow(clippy::module_inception)] // The noun of the module is its main type.
mod runtime;
mod source;
mod time;
mod wait;

pub use agent::*;
pub use audit::{Action, Audit, AuditEntry, AuditLog, AuditSink, AuditedArguments};
pub use completion::{Completion, Finished, IntoCompletion};
pub use context::{Call, Caller, Context};
pub use error::BuildError;
pub use failure::{Denied, Failure};
pub use hooks::{Available, BoxFuture, Decision, IntoAvailable, IntoVerdict, Later, Now, Verdict};
pub use in_process::{InProcess, OutcomeError};
pub use invocation::{Invocation, InvocationId};
pub use limits::Limits;
pub use outcome::{Code, Defect, Delivery, Kind, Outcome, Refusal, Status, Summary};
pub use output::{Content, IntoContent, Output};
pub use port::{Client, LogLevel, Port, Progress, ProgressReport};
pub use principal::{Principal, PrincipalId};
pub(crate) use runtime::Gathering;
pub use runtime::Runtime;
pub use source::Source;

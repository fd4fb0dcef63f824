//! A contract bound to a host and a principal: the fixed order of every call.

mod agent;
mod completion;
mod context;
mod failure;
mod hooks;
mod invocation;
mod outcome;
mod output;
mod port;
mod principal;
mod source;

pub use agent::*;
pub use completion::{Completion, Finished, IntoCompletion};
pub use context::{Call, Caller, Context};
pub use failure::{Denied, Failure};
pub use hooks::{BoxFuture, Decision, IntoVerdict, Later, Now, Verdict};
pub use invocation::{Invocation, InvocationId};
pub use outcome::{Code, Defect, Delivery, Kind, Outcome, Refusal, Status, Summary};
pub use output::{Content, IntoContent, Output};
pub use port::{Client, LogLevel, Port, Progress, ProgressReport};
pub use principal::{Principal, PrincipalId};
pub use source::Source;

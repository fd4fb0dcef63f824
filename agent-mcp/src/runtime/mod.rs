//! A contract bound to a host and a principal: the fixed order of every call.

mod agent;
mod audit;
mod availability;
mod bound;
mod capability;
mod completion;
mod content;
mod context;
mod dialogue;
mod drive;
mod error;
mod failure;
mod hooks;
mod in_process;
mod invocation;
mod limits;
mod located;
mod method;
mod outcome;
mod output;
mod peek;
mod per_caller;
mod pipeline;
mod plan;
mod port;
mod principal;
mod prompt;
mod rate;
mod resource;
#[allow(clippy::module_inception)] // The noun of the module is its main type.
mod runtime;
mod source;
mod steps;
mod task;
mod time;
mod trace;
mod wait;
#[cfg(feature = "json-schema")]
mod written;

pub use agent::{Agent, Declaration, DeclarationError, HostOf, NoHost, Part};
#[cfg(feature = "http")]
pub(crate) use audit::RefusedRequest;
pub use audit::{Action, Audit, AuditEntry, AuditLog, AuditSink, AuditedArguments};
pub use availability::Availability;
pub(crate) use availability::Tells;
pub use capability::{CapabilityBuilder, CapabilityEntry};
pub use completion::{Completion, Finished, IntoCompletion};
pub(crate) use content::Body;
pub use content::{Audience, Audio, Content, Embedded, Image, Link, NotBase64, Notes, Text};
pub use context::{Call, Caller, Context};
#[cfg(test)]
pub(crate) use dialogue::described;
pub(crate) use dialogue::too_often;
pub use dialogue::{
    Answer, Asks, Choice, Dialogue, Field, FieldKind, Form, FormField, FormOption, FormSchema,
    IncludeContext, Means, Memory, Need, Question, Root, Sampled, SampledContent, Sampling,
    SamplingContent, TextFormat, ToolAnswer, ToolChoice, ToolUse, Unanswered,
};
#[doc(hidden)] // Of the derives.
pub use dialogue::{ChoiceField, FieldOf, FormPass, ListField, NumberField, TextField};
pub use error::BuildError;
pub use failure::{Denied, Failure};
#[cfg(feature = "http")]
pub(crate) use failure::{FailureKind, NOT_FOUND};
pub use hooks::{
    Available, BoxFuture, Decision, IntoAvailable, IntoStanding, IntoVerdict, Later, Now, Standing,
    Unavailable, Verdict,
};
pub use in_process::{InProcess, OutcomeError};
pub use invocation::{Invocation, InvocationId};
pub use limits::Limits;
pub(crate) use located::Located;
pub use method::{DescribeOutput, ReturnKind, Returned, Running};
pub use outcome::{Code, Defect, Delivery, Kind, Outcome, Refusal, Status, Summary};
pub use output::{Block, IntoContent, Output};
pub(crate) use peek::Peeked;
pub use per_caller::{Bindable, ForAll, PerCaller, Shared};
pub(crate) use plan::{Agents, Gathering, Plan};
pub use port::{Client, LogLevel, Port, Progress, ProgressReport};
pub use principal::{Principal, PrincipalId};
pub use prompt::{
    IntoSuggestions, PromptBuilder, PromptEntry, PromptMessage, Role, Suggested, Suggestions,
};
pub use resource::{ResourceBuilder, ResourceEntry};
pub(crate) use runtime::Completes;
pub use runtime::Runtime;
pub use source::Source;
pub use steps::InputCodec;
pub use task::{Begin, NoTask};
pub(crate) use time::Rfc3339;
pub use trace::Trace;

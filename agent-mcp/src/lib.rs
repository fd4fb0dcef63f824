#![doc = include_str!("docs/crate.md")]

#[doc(hidden)]
pub mod __private;
#[cfg(feature = "cli")]
pub mod cli;
#[cfg(any(feature = "testing", feature = "cli"))]
// Public to authors of tests only.
#[cfg_attr(not(feature = "testing"), allow(dead_code, unreachable_pub))]
mod client;
mod contain;
pub mod contract;
mod error;
pub mod host;
pub mod mcp;
pub mod runtime;
pub mod schema;
mod server;
#[cfg(feature = "skills")]
pub mod skills;
#[cfg(feature = "testing")]
pub mod testing;
pub mod transport;

pub use contract::{Contract, Icon, Theme};
pub use error::{Error, Result};
pub use host::{BoxError, Effects, Host, Store};
pub use runtime::{
    Agent, Audience, Audio, Audit, AuditEntry, AuditLog, AuditSink, Call, Caller, Choice,
    Completion, Content, Context, Denied, Embedded, Failure, Form, Image, InProcess,
    IncludeContext, Invocation, InvocationId, Limits, Link, LogLevel, Means, NotBase64, Outcome,
    PerCaller, Principal, PrincipalId, PromptMessage, Root, Runtime, Sampled, SampledContent,
    Sampling, SamplingContent, Shared, Text, ToolAnswer, ToolChoice, ToolUse, Unanswered,
};
pub use server::{Identified, Identity, Server, Unidentified};

#[doc = include_str!("docs/choice.md")]
pub use agent_mcp_macros::Choice;
#[doc = include_str!("docs/form.md")]
pub use agent_mcp_macros::Form;
#[doc = include_str!("docs/agent.md")]
pub use agent_mcp_macros::agent;
#[doc = include_str!("docs/capability.md")]
pub use agent_mcp_macros::capability;
#[doc = include_str!("docs/context.md")]
pub use agent_mcp_macros::context;
#[doc = include_str!("docs/data.md")]
pub use agent_mcp_macros::data;
#[doc = include_str!("docs/prompt.md")]
pub use agent_mcp_macros::prompt;
#[doc = include_str!("docs/resource.md")]
pub use agent_mcp_macros::resource;

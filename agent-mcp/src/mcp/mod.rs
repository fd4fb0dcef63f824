//! The Model Context Protocol as a pure state machine: message in, messages out.
//!
//! Every decision of the protocol is here and none in a transport, so that each can be tested by handing
//! over messages. It does no input or output and has no clock.
//!
//! A [`Handler`] is made once per server. A transport opens a [`Connection`] for each client, hands it
//! the bytes of each message and gets a [`Received`]; notices go to the [`Outbox`] it gave. All five
//! [revisions](Revision) are served, the modern one and the legacy ones mixed on one connection.

mod asking;
mod batch;
mod claims;
mod clock;
mod completion;
mod connection;
mod content;
mod cursor;
mod debounce;
mod envelope;
mod error;
mod exchange;
mod face;
mod form;
mod handler;
mod id;
mod incoming;
mod list;
mod listing;
mod loose;
mod method;
mod notices;
mod offered;
mod prompts;
mod protocol;
mod repeated;
mod reply;
mod request;
mod resources;
mod revision;
mod sampling;
mod scopes;
mod session;
#[cfg(feature = "skills")]
mod skills;
mod state;
mod subscription;
mod tasks;
mod terms;
mod tools;
mod tree;
mod updates;
mod views;
mod wrapped;
mod writer;

pub(crate) use asking::StateKeys;
#[cfg(feature = "http")]
pub(crate) use asking::{Used, UsedHere};
pub use claims::{Claim, Claims, Repeats, Said};
pub use connection::{Connection, Delivery};
pub use debounce::Debounce;
pub use exchange::{Exchange, NeedsScopes, Outbox, Received};
pub use handler::{FaultStyle, Handler, HandlerOptions};
pub(crate) use handler::{Handlers, KeptIn};
pub use incoming::{Form, Incoming, Refused};
pub use protocol::Protocol;
pub use revision::Revision;
#[cfg(feature = "http")]
pub(crate) use tasks::Tasks;
pub use tasks::{MemoryTasks, TaskAdmission, TaskLimits, TaskRecord, TaskStore};
pub use updates::Updates;

#[cfg(feature = "http")]
pub(crate) use error::RpcError;

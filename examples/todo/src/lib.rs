//! A todo list that people and agents share.
//!
//! This is the larger of the two examples: an *application*, whose state changes by messages only. What an agent
//! may do is in [`TodoAgent`]; each of its capabilities names one of the messages that the application has
//! anyway, and the rest of the crate does not know that there are agents.

mod admin;
mod agent;
pub mod model;
pub mod storage;
pub mod update;
pub mod user;

use std::io;

use agent_mcp::{Audit, AuditLog, Server, Store};

pub use admin::AuditLine;
pub use agent::{Find, NoSuchTodo, Saved, TodoAgent, TodoView, Visible};

use model::Model;
use storage::Storage;
use update::{Message, update};
use user::User;

/// The application, and what serves it to agents.
pub struct App {
    /// The state. The user interface reads it and sends it messages, as agents do.
    pub store: Store<Model, Message>,
    /// What an agent may do with it.
    pub server: Server<User>,
}

/// Puts the application together.
///
/// # Errors
///
/// The list cannot be loaded.
pub fn app(storage: Storage) -> io::Result<App> {
    let model = Model::with(storage.load()?);
    let store = Store::new(model, move |model, message| update(model, message, &storage));
    let agent = TodoAgent { audit: AuditLog::new(500) };
    // Reading the audit must not fill it.
    let audit = Audit::to(agent.audit.clone()).without_reads();
    let server = Server::bind(agent, store.clone()).audit(audit);
    Ok(App { store, server })
}

//! A todo list that people and agents share.
//!
//! This is the larger of the two examples: an *application*, whose state changes by messages only. What an agent
//! may do is in [`TodoAgent`]; each of its capabilities names one of the messages that the application has
//! anyway, and the rest of the crate does not know that there are agents.

mod admin;
mod agent;
mod import;
pub mod model;
pub mod storage;
pub mod update;
pub mod user;

use std::future::ready;
use std::io;

use agent_mcp::transport::http::{Authenticated, Http, bearer};
use agent_mcp::{Audit, AuditLog, BoxError, Server, Store};

pub use admin::AuditLine;
pub use agent::{
    Find, Imported, NoSuchTodo, NotKept, Saved, TodoAgent, TodoCalls, TodoView, Visible,
};

use model::Model;
use storage::Storage;
use update::{Message, update};
use user::{User, Users};

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
    let agent = TodoAgent { audit: AuditLog::new(500), storage: storage.clone() };
    let store = Store::new(model, move |model, message| update(model, message, &storage));
    // Reading the audit must not fill it.
    let audit = Audit::to(agent.audit.clone()).without_reads();
    let server = Server::bind(agent, store.clone()).audit(audit);
    Ok(App { store, server })
}

/// Serves it over HTTP to each of `users`, as far as their rights go.
pub fn over_http(http: Http<User>, users: Users) -> Http<User, Authenticated<User>> {
    http.authenticate(bearer(move |token| ready(users.find(&token))))
}

/// Saves what was changed, for a program that ends after one call.
///
/// # Errors
///
/// The list cannot be saved.
pub async fn keep(store: &Store<Model, Message>) -> Result<(), BoxError> {
    if store.model().saving.is_complete() {
        return Ok(());
    }
    store.send(Message::SaveRequested)?;
    let ended = |model: &Model| model.saving.is_complete() || model.saving.problem.is_some();
    match store.changes().until(ended).await {
        Some(model) => model.saving.problem.clone().map_or(Ok(()), |why| Err(why.into())),
        None => Ok(()),
    }
}

/// Writes something down from the command line and saves the list, by the same rules as any agent.
///
/// # Errors
///
/// `user` may not change the list, the title is none, or the list cannot be saved.
pub async fn write_down(app: App, user: User, title: String) -> Result<Saved, BoxError> {
    let list = TodoCalls::new(app.server.runtime()?.acting_as(user));
    list.add(title).await.json::<()>()?;
    Ok(list.save().await.json()?)
}

//! What a client is, before it connects.

use std::{future::IntoFuture, sync::Arc};

use serde_json::{Value, json};

use super::Client;
use crate::{
    client::{self, Introduction},
    mcp::{Handler, Handlers, Revision},
    runtime::{BoxFuture, BuildError, LogLevel, PerCaller, Principal},
    server::{Identity, Server},
};

/// A client for `server`, which works for the server's [principal](Server::principal) and connects when it is awaited.
///
/// ```
/// # use agent_mcp::{Server, agent, testing};
/// # struct Greeter;
/// # #[agent]
/// # impl Greeter {
/// #     /// A greeting for somebody.
/// #     #[capability(read_only)]
/// #     async fn greet(&self, name: String) -> String { format!("Hello, {name}!") }
/// # }
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() {
/// let client = testing::connect(Server::new(Greeter)).at("2025-11-25").await;
/// let greeting = client.call("greet", serde_json::json!({"name": "Ada"})).await;
/// assert_eq!(greeting.text(), "Hello, Ada!");
/// # }
/// ```
pub fn connect<P, I, B>(server: Server<P, I, B>) -> Connecting<P>
where
    P: Principal,
    I: Identity<P>,
    B: Into<PerCaller<P>>,
{
    let built =
        server.handlers().map(|(handlers, caller)| (Arc::new(handlers), caller.principal()));
    Connecting { built, revision: None, capabilities: json!({}), roots: Vec::new() }
}

/// A client that connects when it is awaited.
///
/// # Panics
///
/// Awaiting it panics when the server cannot be built, or does not serve the revision.
#[must_use = "it connects when it is awaited"]
pub struct Connecting<P: Principal> {
    built: Result<(Arc<Handlers<P>>, Arc<P>), BuildError>,
    revision: Option<String>,
    capabilities: Value,
    roots: Vec<Value>,
}

impl<P: Principal> Connecting<P> {
    pub(super) fn to(handlers: Arc<Handlers<P>>, principal: Arc<P>) -> Self {
        let built = Ok((handlers, principal));
        Self { built, revision: None, capabilities: json!({}), roots: Vec::new() }
    }

    /// Speaks this revision of the protocol; without it, the newest that the server has.
    pub fn at(mut self, revision: impl Into<String>) -> Self {
        self.revision = Some(revision.into());
        self
    }

    /// Can show forms and send the person to pages.
    pub fn elicitation(self) -> Self {
        self.capabilities(json!({"elicitation": {"form": {}, "url": {}}}))
    }

    /// Has a model that can be asked, and may use tools.
    pub fn sampling(self) -> Self {
        self.capabilities(json!({"sampling": {"tools": {}, "context": {}}}))
    }

    /// Works in these folders, such as `file:///home/ada/notes`.
    pub fn roots<T: AsRef<str>>(mut self, uris: impl IntoIterator<Item = T>) -> Self {
        self.roots = uris.into_iter().map(|uri| json!({ "uri": uri.as_ref() })).collect();
        self.capabilities(json!({"roots": {}}))
    }

    /// Keeps tasks: a call that becomes one is followed to its end.
    pub fn tasks(self) -> Self {
        self.capabilities(json!({"extensions": {"io.modelcontextprotocol/tasks": {}}}))
    }

    /// Can do what is said here in the words of the protocol, beside what it can do already.
    ///
    /// ```
    /// # use agent_mcp::{Server, testing};
    /// # use serde_json::json;
    /// # fn forms_only(server: Server) -> testing::Connecting<()> {
    /// testing::connect(server).capabilities(json!({"elicitation": {"form": {}}}))
    /// # }
    /// ```
    pub fn capabilities(mut self, more: Value) -> Self {
        for (name, value) in more.as_object().into_iter().flatten() {
            self.capabilities[name] = value.clone();
        }
        self
    }

    async fn open(self) -> Client<P> {
        let (handlers, principal) =
            self.built.unwrap_or_else(|error| panic!("the server cannot be built: {error}"));
        let handler = match handlers.shared() {
            Some(handler) => handler,
            None => handlers.make(&principal).await.unwrap_or_else(|failure| {
                panic!("the agents of the caller cannot be made: {}", failure.into_cause())
            }),
        };
        let says = Introduction {
            name: "agent-mcp-testing",
            revision: revision(&handler, self.revision.as_deref()),
            capabilities: self.capabilities,
            log_level: LogLevel::Debug,
        };
        let client = client::Client::connect(&handler, principal, says).await;
        let client =
            client.unwrap_or_else(|failed| panic!("the server refuses the client: {failed}"));
        Client::new(client, handlers, self.roots)
    }
}

/// The revision of that name, or the newest.
fn revision<P: Principal>(handler: &Handler<P>, name: Option<&str>) -> Revision {
    let offered = handler.offered();
    let found = match name {
        Some(name) => Revision::named(name).filter(|revision| offered.contains(revision)),
        None => offered.iter().max().copied(),
    };
    found.unwrap_or_else(|| {
        let offered: Vec<_> = offered.iter().map(|revision| revision.as_str()).collect();
        panic!(
            "the server does not speak `{}`; it speaks {}",
            name.unwrap_or_default(),
            offered.join(", ")
        )
    })
}

impl<P: Principal> IntoFuture for Connecting<P> {
    type Output = Client<P>;
    type IntoFuture = BoxFuture<'static, Client<P>>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(self.open())
    }
}

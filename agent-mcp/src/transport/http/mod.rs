//! Streamable HTTP: one endpoint for many callers, as an axum router or a tower service.
//!
//! [`Server::http`](crate::Server::http) leads here. Nothing has to be configured for a server to be safe:
//! it answers only to the names of this machine, refuses the pages of other sites, and every limit has a
//! value ([`Limits`](crate::Limits)).
//!
//! | setting | without it |
//! | --- | --- |
//! | [`authenticate`](Http::authenticate) | does not compile, unless the agents have no principal |
//! | [`allowed_origins`](Http::allowed_origins) | only pages that the server's own host serves |
//! | [`allowed_hosts`](Http::allowed_hosts) | only `localhost`, `127.0.0.1` and `[::1]` |
//! | [`protected_resource`](Http::protected_resource) | callers are not told where to sign in |
//! | [`path`](Http::path) | `/mcp`, or the path of the protected resource |
//! | [`sessions`](Http::sessions) | sessions are kept in memory, and this server alone has them |
//! | [`stateless`](Http::stateless) | clients of the revisions with a handshake have sessions |
//! | [`always_stream`](Http::always_stream) | an answer is a stream only where something comes before it, or where it takes long |
//!
//! # Two eras
//!
//! A request of 2026-07-28 stands for itself: it says its terms, its headers must say the same, and to close its
//! connection is to cancel it. The revisions before begin with `initialize`, which opens a session; it belongs to the
//! [id](crate::Principal::id) of its caller and is unknown to everybody else. In a session
//!
//! - GET opens a stream for what belongs to no request, such as a changed list. Each notice goes to one stream;
//! - the streams of calls outlive their connections: with `Last-Event-ID` a client goes on where it was, and a call
//!   whose client is gone runs to its end. [`Context::release`](crate::Context::release) lets a client go on purpose;
//! - DELETE ends it. One that is idle for [`session_idle`](crate::Limits::session_idle) ends by itself.
//!
//! # By hand
//!
//! A session, its stream of notices, and its end:
//!
//! ```sh
//! url=http://127.0.0.1:8787/mcp
//! post() { curl -s "$url" -H 'Content-Type: application/json' -H 'Accept: application/json, text/event-stream' "$@"; }
//! post -D head -d '{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25",
//!   "capabilities":{},"clientInfo":{"name":"hand","version":"1"}}}'
//! session=$(grep -i '^mcp-session-id' head | tr -d '\r')
//! post -H "$session" -d '{"jsonrpc":"2.0","method":"notifications/initialized"}'
//! post -H "$session" -d '{"jsonrpc":"2.0","id":1,"method":"tools/list"}'
//! curl -sN "$url" -H "$session" -H 'Accept: text/event-stream'
//! curl -s -X DELETE "$url" -H "$session"
//! ```
//!
//! Notices at 2026-07-28, which has no sessions:
//!
//! ```sh
//! post -N -H 'MCP-Protocol-Version: 2026-07-28' -H 'Mcp-Method: subscriptions/listen' \
//!   -d '{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{"notifications":{"toolsListChanged":true},
//!   "_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}'
//! ```
//!
//! Callers that show a token add `-H 'Authorization: Bearer ..'` to each.
//!
//! # Who calls, and what they may do
//!
//! [`authenticate`](Http::authenticate) gives the caller of each request, most often by [`bearer`] or, with the
//! feature `jwt`, by the signed tokens of an authorization server (`jwt::Jwt`). With
//! [`protected_resource`](Http::protected_resource) a client that knows nothing but the address of the server finds
//! out where its user signs in. Capabilities ask for scopes with `scopes = [".."]`, and
//! [`Principal::has_scope`] decides what a caller has.
//!
//! | what is wrong | status | `WWW-Authenticate: Bearer` |
//! | --- | --- | --- |
//! | no token | 401 | where to sign in, and the scopes to begin with |
//! | a token that is not good | 401 | the same, and `error="invalid_token"` |
//! | a token in the address, or two | 400 | `error="invalid_request"` |
//! | a token without the scopes of a capability | 403 | `error="insufficient_scope"`, and all these scopes |
//!
//! When the answer is a stream that has begun, its status is sent; missing scopes are then a failed result, as they
//! are over standard input and output. The [audit](crate::Audit) holds each of these requests, and those from foreign
//! pages or for foreign sessions.
//!
//! TLS is left to a proxy or to the server that [the router](Http::into_router) is mounted in.

mod authenticate;
mod body;
mod call;
mod callers;
mod calls;
mod challenge;
mod changes;
mod channel;
mod connections;
mod endpoint;
mod events;
mod get;
mod guard;
mod head;
mod instances;
#[cfg(feature = "jwt")]
pub mod jwt;
mod legacy;
mod post;
mod resource;
mod respond;
mod sentinel;
mod serve;
mod sessions;
pub mod store;

use std::{future::Future, marker::PhantomData, sync::Arc};

pub use self::{
    authenticate::{Authenticate, Authenticated, Head, Open, Unauthenticated, bearer},
    body::Body,
    endpoint::Endpoint,
    resource::ProtectedResource,
    serve::{Closer, Listening},
    store::{MemoryStore, SessionStore},
};
use self::{challenge::Challenges, endpoint::Options, guard::Guard, resource::Resource};
use crate::{
    mcp::Handlers,
    runtime::{BuildError, Principal},
};

/// A server on its way to HTTP; [`Server::http`](crate::Server::http) makes it.
#[must_use = "nothing is served before `serve` or `into_router`"]
pub struct Http<P: Principal, A = Open> {
    built: Result<Handlers<P>, BuildError>,
    authenticate: A,
    guard: Guard,
    resource: Option<Resource>,
    path: Option<String>,
    options: Options,
    _principal: PhantomData<fn(P)>,
}

impl<P: Principal> Http<P> {
    pub(crate) fn new(built: Result<Handlers<P>, BuildError>) -> Self {
        Self {
            built,
            authenticate: Open,
            guard: Guard::default(),
            resource: None,
            path: None,
            options: Options::default(),
            _principal: PhantomData,
        }
    }

    /// Says who calls, by the head of each request.
    ///
    /// It is asked for every request, and its answer is used for that request alone: rights that are taken
    /// away count at once. [`bearer`] is the usual way; a layer in front may also put the caller into the
    /// request's extensions:
    ///
    /// ```
    /// # use agent_mcp::{Principal, Server, transport::http::{Http, Unauthenticated}};
    /// # fn serve<User: Principal + Clone>(server: Server<User>) {
    /// server.http().authenticate(|head| async move {
    ///     let user = head.extensions.get::<User>().cloned();
    ///     user.ok_or_else(|| Unauthenticated::because("Sign in first"))
    /// })
    /// # ; }
    /// ```
    pub fn authenticate<F, R>(self, check: F) -> Http<P, Authenticated<P>>
    where
        F: Fn(Head) -> R + Send + Sync + 'static,
        R: Future<Output = Result<P, Unauthenticated>> + Send + 'static,
    {
        Http {
            built: self.built,
            authenticate: Authenticated::new(check),
            guard: self.guard,
            resource: self.resource,
            path: self.path,
            options: self.options,
            _principal: PhantomData,
        }
    }
}

impl<P: Principal, A> Http<P, A> {
    /// Lets the pages of these sites use the server: `https://app.example`, exactly as a browser writes it.
    /// They get the headers of CORS that a browser needs.
    pub fn allowed_origins<T: Into<String>>(
        mut self,
        origins: impl IntoIterator<Item = T>,
    ) -> Self {
        origins.into_iter().for_each(|origin| self.guard.allow_origin(origin.into()));
        self
    }

    /// Answers to these names too: `tools.example` with every port, `tools.example:8443` with this one.
    ///
    /// A name that is not known is refused, because a foreign page can give any name to this machine.
    pub fn allowed_hosts<T: Into<String>>(mut self, hosts: impl IntoIterator<Item = T>) -> Self {
        hosts.into_iter().for_each(|host| self.guard.allow_host(host.into()));
        self
    }

    /// Answers every request with a stream of events, where the caller reads streams. Without it an answer is
    /// one document, unless its call has something to say before it or takes long.
    pub fn always_stream(mut self) -> Self {
        self.options.always_stream = true;
        self
    }

    /// Keeps sessions in `store`, which other servers may share: each then serves the sessions of all.
    ///
    /// ```
    /// # use agent_mcp::{Server, transport::http::MemoryStore};
    /// # fn two(one: Server, other: Server) -> agent_mcp::Result<()> {
    /// let store = MemoryStore::new();
    /// let one = one.http().sessions(store.clone()).into_router()?;
    /// let other = other.http().sessions(store).into_router()?;
    /// # Ok(())
    /// # }
    /// ```
    pub fn sessions(mut self, store: impl SessionStore) -> Self {
        self.options.store = Arc::new(store);
        self
    }

    /// Serves the revisions with a handshake without sessions, so that each request may go to another server:
    /// the header `MCP-Protocol-Version` alone says the revision. There are no streams but those of a call,
    /// and nothing is told of changes. The modern revision never has sessions.
    pub fn stateless(mut self) -> Self {
        self.options.stateless = true;
        self
    }

    /// Tells clients who signs them in, by the server's public address.
    ///
    /// The metadata of [RFC 9728] is served beside the endpoint, without credentials, and every challenge says
    /// where it is. The host of the address is [allowed](Self::allowed_hosts), and the endpoint is served at
    /// its path unless [`path`](Self::path) says otherwise.
    ///
    /// Whether a token is good, and for this server, is for [`authenticate`](Self::authenticate) to find out.
    ///
    /// ```
    /// # use agent_mcp::{Principal, Server};
    /// use agent_mcp::transport::http::{ProtectedResource, bearer};
    ///
    /// # async fn find(token: &str) -> Option<String> { None }
    /// # fn app<User: Principal + From<String>>(server: Server<User>) -> agent_mcp::Result<axum::Router> {
    /// let resource = ProtectedResource::new("https://tools.example/mcp")
    ///     .authorization_server("https://login.example");
    /// let http = server
    ///     .http()
    ///     .authenticate(bearer(|token| async move { find(&token).await.map(User::from) }))
    ///     .protected_resource(resource);
    /// Ok(http.into_router()?)
    /// # }
    /// ```
    ///
    /// [RFC 9728]: https://www.rfc-editor.org/rfc/rfc9728
    pub fn protected_resource(mut self, resource: ProtectedResource) -> Self {
        match resource.resolve() {
            Ok(resource) => {
                self.guard.allow_host(resource.address.authority.clone());
                self.resource = Some(resource);
            }
            Err(error) => self.built = self.built.and(Err(error)),
        }
        self
    }

    /// Serves at this path, in place of `/mcp`.
    pub fn path(mut self, path: impl Into<String>) -> Self {
        self.path = Some(path.into());
        self
    }
}

// What authenticates is asked for by each method that serves: a whole block would hide the methods and say nothing.
impl<P: Principal, A> Http<P, A> {
    /// The server as a router of axum 0.8, to be merged into an application's own or nested in it.
    ///
    /// Nested under `/agents` the endpoint is `/agents/mcp`. With [`path("/")`](Self::path) it would be `/agents`.
    ///
    /// Nested, the metadata of a [protected resource](Self::protected_resource) is not where clients look for
    /// it: mount [its own routes](ProtectedResource::router) at the root.
    ///
    /// ```
    /// # use agent_mcp::Server;
    /// # fn app(server: Server) -> agent_mcp::Result<axum::Router> {
    /// Ok(axum::Router::new().nest("/agents", server.http().into_router()?))
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// The server cannot be built.
    pub fn into_router(self) -> Result<axum::Router, BuildError>
    where
        A: Authenticate<P>,
    {
        Ok(self.mounted()?.1)
    }

    /// The server as a tower service, which looks at no path. The metadata of a protected resource is
    /// [a router of its own](ProtectedResource::router).
    ///
    /// # Errors
    ///
    /// The server cannot be built.
    pub fn into_service(self) -> Result<Endpoint<P, A>, BuildError>
    where
        A: Authenticate<P>,
    {
        let challenges = self.resource.map_or_else(Challenges::default, |it| it.challenges);
        let (handlers, guard) = (self.built?, self.guard);
        Ok(Endpoint::new(handlers, self.authenticate, guard, challenges, self.options))
    }

    /// Where the endpoint is.
    pub(crate) fn endpoint_path(&self) -> &str {
        match (&self.path, &self.resource) {
            (Some(path), _) => path,
            (None, Some(resource)) => &resource.address.path,
            (None, None) => "/mcp",
        }
    }

    /// The server, and a router that it is in.
    fn mounted(self) -> Result<(Endpoint<P, A>, axum::Router), BuildError>
    where
        A: Authenticate<P>,
    {
        let metadata = self.resource.as_ref().map(Resource::router).unwrap_or_default();
        let path = self.endpoint_path().to_owned();
        let endpoint = self.into_service()?;
        let router = endpoint.clone().router(&path).merge(metadata);
        Ok((endpoint, router))
    }
}

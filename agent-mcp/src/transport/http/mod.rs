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
//! | [`path`](Http::path) | `/mcp` |
//!
//! TLS is left to a proxy or to the server that [the router](Http::into_router) is mounted in.

mod authenticate;
mod body;
mod call;
mod calls;
mod changes;
mod channel;
mod endpoint;
mod events;
mod guard;
mod head;
mod post;
mod respond;
mod sentinel;
mod serve;
mod sessions;

use std::{future::Future, marker::PhantomData};

use self::guard::Guard;
pub use self::{
    authenticate::{Authenticate, Authenticated, Head, Open, Unauthenticated, bearer},
    body::Body,
    endpoint::Endpoint,
    serve::{Closer, Listening},
};
use crate::{
    mcp::Handler,
    runtime::{BuildError, Principal},
};

/// A server on its way to HTTP; [`Server::http`](crate::Server::http) makes it.
#[must_use = "nothing is served before `serve` or `into_router`"]
pub struct Http<P: Principal, A = Open> {
    built: Result<Handler<P>, BuildError>,
    authenticate: A,
    guard: Guard,
    path: String,
    always_stream: bool,
    _principal: PhantomData<fn(P)>,
}

impl<P: Principal> Http<P> {
    pub(crate) fn new(built: Result<Handler<P>, BuildError>) -> Self {
        Self {
            built,
            authenticate: Open,
            guard: Guard::default(),
            path: "/mcp".to_owned(),
            always_stream: false,
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
            path: self.path,
            always_stream: self.always_stream,
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
        self.always_stream = true;
        self
    }

    /// Serves at this path, in place of `/mcp`.
    pub fn path(mut self, path: impl Into<String>) -> Self {
        self.path = path.into();
        self
    }
}

impl<P: Principal, A: Authenticate<P>> Http<P, A> {
    /// The server as a router, to be merged into an application's own or nested in it.
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
    pub fn into_router(self) -> Result<axum::Router, BuildError> {
        let path = self.path.clone();
        Ok(self.into_service()?.router(&path))
    }

    /// The server as a tower service, which looks at no path.
    ///
    /// # Errors
    ///
    /// The server cannot be built.
    pub fn into_service(self) -> Result<Endpoint<P, A>, BuildError> {
        Ok(Endpoint::new(self.built?, self.authenticate, self.guard, self.always_stream))
    }
}

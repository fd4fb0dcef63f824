//! The server as a function from a request to a response.

use std::{
    convert::Infallible,
    error::Error,
    future::Future,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
};

use bytes::Bytes;
use http::{HeaderValue, Method, Request, Response, StatusCode, header};
use tokio_util::sync::CancellationToken;

use super::{
    authenticate::{Authenticate, Head, Open},
    body::Body,
    callers::Callers,
    calls::Calls,
    challenge::Challenges,
    guard::{self, Guard},
    head,
    respond::Refusal,
    sessions::Sessions,
    store::{MemoryStore, SessionStore, UsedInStore},
};
use crate::{
    contain::whole,
    mcp::{Handlers, KeptIn, Protocol, Tasks, Used},
    runtime::{Limits, Principal, RefusedRequest, Status},
};

/// The server as a tower service, for every library that speaks `http::Request` and `http::Response`.
///
/// Clones share it. It answers whatever the path of a request is: where it is mounted is the application's
/// business.
pub struct Endpoint<P: Principal, A = Open> {
    inner: Arc<Inner<P, A>>,
}

impl<P: Principal, A> Clone for Endpoint<P, A> {
    fn clone(&self) -> Self {
        Self { inner: self.inner.clone() }
    }
}

pub(super) struct Inner<P: Principal, A> {
    pub(super) callers: Callers<P>,
    authenticate: A,
    guard: Guard,
    pub(super) challenges: Challenges,
    pub(super) calls: Arc<Calls>,
    pub(super) streams: Arc<Calls>,
    pub(super) sessions: Arc<Sessions<P>>,
    pub(super) always_stream: bool,
    /// Legacy callers have no sessions.
    pub(super) stateless: bool,
    /// Cancelled when the streams of notices end.
    pub(super) closing: CancellationToken,
}

/// What may be chosen of an endpoint.
pub(super) struct Options {
    pub(super) store: Arc<dyn SessionStore>,
    pub(super) always_stream: bool,
    pub(super) stateless: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self { store: Arc::new(MemoryStore::new()), always_stream: false, stateless: false }
    }
}

impl<P: Principal, A: Authenticate<P>> Endpoint<P, A> {
    pub(super) fn new(
        handlers: Handlers<P>,
        authenticate: A,
        guard: Guard,
        challenges: Challenges,
        options: Options,
    ) -> Self {
        let Options { store, always_stream, stateless } = options;
        let used = KeptIn(Arc::new(UsedInStore(store.clone())) as Arc<dyn Used>);
        let handlers = handlers.with(|protocol| {
            // Where a legacy client has no stream for what belongs to no request, it is not promised
            // anything there.
            protocol.standing_streams &= !stateless;
            protocol.used = Some(used);
        });
        let callers = Callers::new(handlers);
        let limits = callers.protocol().limits();
        let calls = Arc::new(Calls::new(limits.calls_in_flight));
        let sessions = Sessions::new(store, limits);
        let streams = Arc::new(Calls::new(callers.protocol().options().streams));
        let inner = Inner {
            callers,
            authenticate,
            guard,
            challenges,
            calls,
            streams,
            sessions,
            always_stream,
            stateless,
            closing: CancellationToken::new(),
        };
        Self { inner: Arc::new(inner) }
    }

    /// Ends the streams of notices. Calls go on.
    pub fn close(&self) {
        self.inner.closing.cancel();
    }

    /// How many sessions there are.
    #[must_use]
    pub fn sessions(&self) -> usize {
        self.inner.sessions.count()
    }

    pub(super) fn limits(&self) -> &Limits {
        self.inner.protocol().limits()
    }

    pub(super) fn tasks(&self) -> Arc<Tasks> {
        self.inner.protocol().tasks().clone()
    }

    /// Waits until what has happened is recorded.
    pub(super) async fn flush(self) {
        self.inner.protocol().plan().flush_audit().await;
    }

    /// Puts the server into a router, at `path` and at `path` with a slash.
    pub(super) fn router(self, path: &str) -> axum::Router {
        let path = path.trim_end_matches('/');
        let router = axum::Router::new().route_service(&format!("{path}/"), self.clone());
        // http-599: a redirect would lose the body.
        if path.is_empty() { router } else { router.route_service(path, self) }
    }
}

impl<P: Principal, A> Inner<P, A> {
    /// What is the same for all callers.
    pub(super) fn protocol(&self) -> &Protocol {
        self.callers.protocol()
    }
}

impl<P: Principal, A: Authenticate<P>> Inner<P, A> {
    async fn respond<B>(&self, request: Request<B>) -> Response<Body>
    where
        B: http_body::Body<Data = Bytes>,
        B::Error: Into<Box<dyn Error + Send + Sync>>,
    {
        let (parts, body) = request.into_parts();
        let head: Head = Arc::new(parts);
        let origin = match self.guard.admit(&head) {
            Ok(origin) => origin,
            Err(refusal) => return self.refuse(&head, refusal),
        };
        let preflight = origin.and_then(|origin| Guard::preflight(&head, origin));
        let mut response = match preflight {
            Some(response) => return response,
            None => {
                let answer = whole(self.admitted(&head, body)).await.unwrap_or_else(broken);
                answer.unwrap_or_else(|refusal| self.refuse(&head, refusal))
            }
        };
        if let Some(origin) = origin {
            guard::share(&mut response, origin);
        }
        response
    }

    /// Answers with a refusal, and records it where it says so.
    fn refuse(&self, head: &Head, mut refusal: Refusal) -> Response<Body> {
        if let Some(audited) = refusal.take_audited() {
            // The query is left out: who does not know better puts a secret into it.
            let target = format!("{} {}", head.method, head.uri.path());
            // Of a foreign name or page only itself tells what it is about.
            let note = (audited.status == Status::Forbidden).then(|| {
                let said =
                    |name| head.headers.get(&name).and_then(|it| it.to_str().ok()).unwrap_or("-");
                format!("host {}, origin {}", said(header::HOST), said(header::ORIGIN))
            });
            self.protocol().plan().audit_refused(RefusedRequest {
                transport: "http",
                target: shortened(target),
                status: audited.status,
                principal: audited.principal,
                session: audited.session,
                note: note.map(shortened),
            });
        }
        refusal.respond()
    }

    /// B144: the first check that fails decides.
    async fn admitted<B>(&self, head: &Head, body: B) -> Result<Response<Body>, Refusal>
    where
        B: http_body::Body<Data = Bytes>,
        B::Error: Into<Box<dyn Error + Send + Sync>>,
    {
        let headers = &head.headers;
        let has_sessions = !self.stateless && self.protocol().newest_legacy().is_some();
        if has_sessions
            && head::session(headers).is_some()
            && head::names_revision(headers)
            && !head::revision(headers).is_some_and(|it| self.protocol().offered().contains(&it))
        {
            return Err(Refusal::unknown_revision());
        }
        let principal = self.authenticate.authenticate(head).await;
        let principal =
            principal.map_err(|unauthenticated| unauthenticated.refusal(head, &self.challenges))?;
        match head.method {
            Method::POST => self.post(head, body, &principal).await,
            Method::GET if has_sessions => self.get(head, &principal).await,
            Method::DELETE if has_sessions => self.delete(head, &principal).await,
            _ => {
                let offered = if has_sessions { "GET, POST, DELETE" } else { "POST" };
                Err(Refusal::new(
                    StatusCode::METHOD_NOT_ALLOWED,
                    "The endpoint does not offer this method",
                )
                .header(header::ALLOW, HeaderValue::from_static(offered)))
            }
        }
    }
}

/// The application's code that says who calls, or keeps the sessions, has panicked.
fn broken(panic: String) -> Result<Response<Body>, Refusal> {
    tracing::error!(%panic, "a request ends in a panic");
    Err(Refusal::new(StatusCode::INTERNAL_SERVER_ERROR, "The server cannot answer this request"))
}

/// What anybody may write is not kept at any length.
fn shortened(mut text: String) -> String {
    const LONGEST: usize = 256;
    if text.len() > LONGEST {
        text.truncate(text.floor_char_boundary(LONGEST));
        text.push('…');
    }
    text
}

impl<P, A, B> tower_service::Service<Request<B>> for Endpoint<P, A>
where
    P: Principal,
    A: Authenticate<P>,
    B: http_body::Body<Data = Bytes> + Send + 'static,
    B::Error: Into<Box<dyn Error + Send + Sync>>,
{
    type Response = Response<Body>;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<Response<Body>, Infallible>> + Send>>;

    fn poll_ready(&mut self, _cx: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<B>) -> Self::Future {
        let inner = self.inner.clone();
        Box::pin(async move { Ok(inner.respond(request).await) })
    }
}

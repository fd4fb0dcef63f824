//! Responses: every error has a body of JSON-RPC, and no body says more than it must.

use std::sync::Arc;

use bytes::Bytes;
use http::{HeaderName, HeaderValue, Response, StatusCode, header};

use super::body::Body;
use crate::{
    host::BoxError,
    mcp::RpcError,
    runtime::{PrincipalId, Status},
};

const JSON: HeaderValue = HeaderValue::from_static("application/json");
const EVENTS: HeaderValue = HeaderValue::from_static("text/event-stream");

/// A request that is not served, and why: in words that are safe to send.
#[derive(Debug)]
pub(super) struct Refusal {
    status: StatusCode,
    body: Bytes,
    header: Option<(HeaderName, HeaderValue)>,
    audited: Option<Box<Audited>>,
}

/// What the audit is to hold of a refusal.
#[derive(Debug)]
pub(super) struct Audited {
    pub(super) status: Status,
    pub(super) principal: PrincipalId,
    pub(super) session: Option<Arc<str>>,
}

impl Refusal {
    pub(super) fn new(status: StatusCode, reason: impl Into<String>) -> Self {
        let error = if status.is_server_error() {
            RpcError::new(RpcError::INTERNAL, reason.into())
        } else {
            RpcError::invalid_request(reason.into())
        };
        Self::with_body(status, error.reply(None))
    }

    /// There are `limit` already of what `setting` limits; to be tried again after so many seconds.
    pub(super) fn over_limit(limit: usize, setting: &str, retry: &'static str) -> Self {
        let reason = format!("There are {limit} already, which is the limit `{setting}`");
        Self::new(StatusCode::TOO_MANY_REQUESTS, reason)
            .header(header::RETRY_AFTER, HeaderValue::from_static(retry))
    }

    /// The revision of the headers is not served.
    pub(super) fn unknown_revision() -> Self {
        Self::new(
            StatusCode::BAD_REQUEST,
            "`MCP-Protocol-Version` names no revision that is served",
        )
    }

    /// The sessions cannot be reached. What went wrong is for the log.
    pub(super) fn of_store(error: BoxError) -> Self {
        tracing::error!(%error, "the store of sessions fails");
        Self::new(StatusCode::SERVICE_UNAVAILABLE, "Sessions cannot be served at the moment")
    }

    /// With the answer of the protocol.
    pub(super) fn with_body(status: StatusCode, body: Bytes) -> Self {
        Self { status, body, header: None, audited: None }
    }

    pub(super) fn header(mut self, name: HeaderName, value: HeaderValue) -> Self {
        self.header = Some((name, value));
        self
    }

    /// Has the audit hold that somebody was refused who is not known.
    pub(super) fn audited(self, status: Status) -> Self {
        self.audited_of(status, PrincipalId::anonymous(), None)
    }

    /// Has the audit hold that `principal` was refused.
    pub(super) fn audited_of(
        mut self,
        status: Status,
        principal: PrincipalId,
        session: Option<Arc<str>>,
    ) -> Self {
        self.audited = Some(Box::new(Audited { status, principal, session }));
        self
    }

    pub(super) fn take_audited(&mut self) -> Option<Box<Audited>> {
        self.audited.take()
    }

    pub(super) fn respond(self) -> Response<Body> {
        let mut response = json(self.status, self.body);
        if let Some((name, value)) = self.header {
            response.headers_mut().insert(name, value);
        }
        response
    }
}

pub(super) fn empty(status: StatusCode) -> Response<Body> {
    let mut response = Response::new(Body::empty());
    *response.status_mut() = status;
    response
}

pub(super) fn json(status: StatusCode, body: Bytes) -> Response<Body> {
    let mut response = Response::new(body.into());
    *response.status_mut() = status;
    response.headers_mut().insert(header::CONTENT_TYPE, JSON);
    response
}

/// A stream of events.
pub(super) fn events(body: Body) -> Response<Body> {
    let mut response = Response::new(body);
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, EVENTS);
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    // MH-16: a proxy must not hold events back.
    headers.insert(HeaderName::from_static("x-accel-buffering"), HeaderValue::from_static("no"));
    response
}

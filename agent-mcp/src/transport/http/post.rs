//! POST: one message, and what is answered to it.

use std::{
    error::Error,
    future::Future,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
};

use bytes::Bytes;
use http::{HeaderMap, HeaderValue, Response, StatusCode, header};
use http_body_util::{BodyExt, LengthLimitError, Limited};
use tokio::time::timeout;

use super::{
    authenticate::{Authenticate, Head},
    body::Body,
    endpoint::Inner,
    head::{self, Accepts},
    respond::{self, Refusal},
};
use crate::{
    mcp::{Connection, Delivery, Exchange, Form, Incoming, Outbox, Received},
    runtime::{Limits, Principal},
};

impl<P: Principal, A: Authenticate<P>> Inner<P, A> {
    pub(super) async fn post<B>(
        &self,
        head: &Head,
        body: B,
        principal: &Arc<P>,
    ) -> Result<Response<Body>, Refusal>
    where
        B: http_body::Body<Data = Bytes>,
        B::Error: Into<Box<dyn Error + Send + Sync>>,
    {
        let accepts = Accepts::of(&head.headers);
        if accepts.nothing() {
            return Err(Refusal::new(
                StatusCode::NOT_ACCEPTABLE,
                "Answers are `application/json` or `text/event-stream`; `Accept` has neither",
            ));
        }
        if !head::has_json(&head.headers) {
            return Err(Refusal::new(
                StatusCode::UNSUPPORTED_MEDIA_TYPE,
                "The body must be `application/json`",
            ));
        }
        let message = read(&head.headers, body, self.handler.runtime().limits()).await?;
        let incoming = self.handler.read(&message);
        match incoming.form() {
            // BASE-14: nothing was asked.
            Form::Response => Err(refuse(&incoming, "The server has asked nothing")),
            // Nothing in the modern era is brought about by a notification: a cancellation is the end of
            // its request's connection.
            Form::Notification => Ok(respond::empty(StatusCode::ACCEPTED)),
            Form::Request => Err(Refusal::with_body(
                StatusCode::BAD_REQUEST,
                incoming.refuse_bare(&self.handler),
            )),
            _ => self.take(incoming, head, accepts, principal).await,
        }
    }

    /// A message that needs no session: it gets a connection of its own, so that nothing of one request
    /// can reach another (BASE-15).
    async fn take(
        &self,
        incoming: Incoming<'_>,
        head: &Head,
        accepts: Accepts,
        principal: &Arc<P>,
    ) -> Result<Response<Body>, Refusal> {
        let notices: Arc<dyn Outbox> = Arc::new(Unheard);
        let connection = self.handler.connect(principal.clone(), notices.clone());
        let claims = head::claims(&head.headers);
        let delivery = Delivery { principal, notices: &notices, claims: Some(&claims) };
        let reply = match connection.accept(incoming, &delivery) {
            Ok(Received::Nothing) => return Ok(respond::empty(StatusCode::ACCEPTED)),
            Ok(Received::Reply(reply)) => reply,
            Ok(Received::Call(exchange)) if exchange.is_stream() => {
                let body = exchange.refuse("This server sends no streams of notices");
                return Err(Refusal::with_body(StatusCode::NOT_ACCEPTABLE, body));
            }
            Ok(Received::Call(exchange)) => {
                let Some(_place) = self.calls.take(principal.id()) else {
                    return Err(busy(exchange, self.calls.limit()));
                };
                let call = Call { connection, exchange: Some(exchange) };
                call.await.unwrap_or_default()
            }
            Err(refused) => {
                let status = if refused.unknown_method {
                    StatusCode::NOT_FOUND
                } else {
                    StatusCode::BAD_REQUEST
                };
                return Err(Refusal::with_body(status, refused.reply));
            }
        };
        Ok(if accepts.json {
            respond::json(StatusCode::OK, reply)
        } else {
            respond::one_event(&reply)
        })
    }
}

/// What a call says before its answer is not heard: the answer is a single document.
struct Unheard;

impl Outbox for Unheard {
    fn send(&self, _message: Bytes) {}
}

/// A call that is polled in place for as long as its caller waits.
struct Call<P: Principal> {
    connection: Connection<P>,
    exchange: Option<Exchange>,
}

impl<P: Principal> Future for Call<P> {
    type Output = Option<Bytes>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Bytes>> {
        let Some(exchange) = &mut self.exchange else { return Poll::Ready(None) };
        let reply = std::task::ready!(Pin::new(exchange).poll(cx));
        self.exchange = None;
        Poll::Ready(reply)
    }
}

impl<P: Principal> Drop for Call<P> {
    fn drop(&mut self) {
        // MH-17: who closes the connection cancels. The method is told, and gets its time to clean up.
        if let Some(exchange) = self.exchange.take() {
            self.connection.close();
            if let Ok(runtime) = tokio::runtime::Handle::try_current() {
                runtime.spawn(exchange);
            }
        }
    }
}

/// Reads a body, and no more of it than is allowed.
async fn read<B>(headers: &HeaderMap, body: B, limits: &Limits) -> Result<Bytes, Refusal>
where
    B: http_body::Body<Data = Bytes>,
    B::Error: Into<Box<dyn Error + Send + Sync>>,
{
    let limit = limits.http_body;
    let too_large = || {
        Refusal::new(
            StatusCode::PAYLOAD_TOO_LARGE,
            format!("The body is longer than {limit} bytes, which is the limit `http_body`"),
        )
    };
    let length = head::one(headers, &header::CONTENT_LENGTH).and_then(|value| value.to_str().ok());
    if length.and_then(|length| length.parse::<u64>().ok()).is_some_and(|n| n > limit as u64) {
        return Err(too_large());
    }
    match timeout(limits.http_read, Limited::new(body, limit).collect()).await {
        Ok(Ok(collected)) => Ok(collected.to_bytes()),
        Ok(Err(error)) if error.is::<LengthLimitError>() => Err(too_large()),
        Ok(Err(error)) => {
            tracing::debug!(%error, "a body cannot be read");
            Err(Refusal::new(StatusCode::BAD_REQUEST, "The body cannot be read"))
        }
        Err(_) => Err(Refusal::new(
            StatusCode::REQUEST_TIMEOUT,
            "The body did not come within the time `http_read`",
        )),
    }
}

fn refuse(incoming: &Incoming<'_>, reason: &str) -> Refusal {
    Refusal::with_body(StatusCode::BAD_REQUEST, incoming.refuse(reason))
}

fn busy(exchange: Exchange, limit: usize) -> Refusal {
    let reason = format!("{limit} calls are in flight, which is the limit `calls_in_flight`");
    Refusal::with_body(StatusCode::TOO_MANY_REQUESTS, exchange.refuse(&reason))
        .header(header::RETRY_AFTER, HeaderValue::from_static("1"))
}

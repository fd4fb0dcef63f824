//! POST: one message, and what is answered to it.

use std::{error::Error, future::Future, sync::Arc, time::Duration};

use bytes::Bytes;
use http::{HeaderMap, HeaderValue, Response, StatusCode, header};
use http_body_util::{BodyExt, LengthLimitError, Limited};
use tokio::time::timeout;

use super::{
    authenticate::{Authenticate, Head},
    body::Body,
    call::{Alone, Call, Owner},
    callers::Serving,
    channel::Channel,
    endpoint::Inner,
    events::{self, Direct, End, Events, First},
    head::{self, Accepts},
    respond::{self, Refusal},
};
use crate::{
    mcp::{Delivery, Exchange, Form, Incoming, NeedsScopes, Outbox, Received, Refused, Revision},
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
        if head::is_coded(&head.headers) {
            return Err(Refusal::new(
                StatusCode::UNSUPPORTED_MEDIA_TYPE,
                "The body must not be compressed",
            ));
        }
        let message = read(&head.headers, body, self.protocol().limits()).await?;
        let incoming = self.protocol().read(&message);
        match incoming.form() {
            Form::Enveloped => self.alone(incoming, head, accepts, principal).await,
            Form::Unreadable => Err(unfit(&incoming)),
            Form::Handshake => self.open(incoming, accepts, principal).await,
            _ if self.stateless && self.is_legacy(&head.headers) => {
                self.without_session(incoming, head, accepts, principal).await
            }
            _ if self.is_legacy(&head.headers) => {
                self.in_session(incoming, head, accepts, principal).await
            }
            // BASE-14: nothing was asked.
            Form::Response => Err(refuse(&incoming, "The server has asked nothing")),
            // Nothing in the modern era is brought about by a notification: a cancellation is the end of
            // its request's connection.
            Form::Notification => Ok(respond::empty(StatusCode::ACCEPTED)),
            Form::Request => Err(Refusal::with_body(
                StatusCode::BAD_REQUEST,
                incoming.refuse_bare(self.protocol()),
            )),
            Form::Batch => Err(unfit(&incoming)),
        }
    }

    /// VER-12: without an envelope the header decides, and what says nothing is legacy.
    fn is_legacy(&self, headers: &HeaderMap) -> bool {
        self.protocol().newest_legacy().is_some()
            && !head::revision(headers).is_some_and(Revision::is_modern)
    }

    /// A message that needs no session: it gets a connection of its own, so that nothing of one request
    /// can reach another (BASE-15).
    async fn alone(
        &self,
        incoming: Incoming<'_>,
        head: &Head,
        accepts: Accepts,
        principal: &Arc<P>,
    ) -> Result<Response<Body>, Refusal> {
        let (channel, notices) = self.channel(accepts);
        let _serving = self.serving(&incoming, principal).await?;
        let connection = Arc::new(_serving.handler.connect(principal.clone(), notices.clone()));
        let claims = head::claims(&head.headers);
        let delivery = Delivery { principal, notices: &notices, claims: Some(&claims) };
        let exchange = match connection.accept(incoming, &delivery).map_err(refused)? {
            Received::Nothing => return Ok(respond::empty(StatusCode::ACCEPTED)),
            Received::Reply(reply) => return Ok(self.answer(reply, accepts)),
            Received::Call(exchange) => exchange,
        };
        if exchange.is_stream() {
            let Some(channel) = channel else {
                let body = exchange.refuse("Notices are sent as `text/event-stream` only");
                return Err(Refusal::with_body(StatusCode::NOT_ACCEPTABLE, body));
            };
            let Some(_place) = self.streams.take(principal.id()) else {
                return Err(busy(exchange, self.streams.limit(), "streams"));
            };
            let _listening = Some(_serving.changes.listen(connection.clone()));
            let owner = Alone { connection: connection.clone(), _place, _listening, _serving };
            let mut call = Call::new(exchange, owner);
            let end = End::new(principal.expires_at(), &self.closing);
            // SUB-7: what ends on this side ends with a result.
            let reply = Box::pin(async move {
                tokio::select! {
                    biased;
                    reply = &mut call => return reply,
                    () = end.reached() => connection.end_streams(),
                }
                call.await
            });
            return Ok(self.stream(reply, channel));
        }
        let Some(_place) = self.calls.take(principal.id()) else {
            return Err(busy(exchange, self.calls.limit(), "calls_in_flight"));
        };
        let call = Call::new(exchange, Alone { connection, _place, _listening: None, _serving });
        Ok(self.run(call, channel, accepts).await)
    }

    /// What serves a request without a session.
    pub(super) async fn serving(
        &self,
        incoming: &Incoming<'_>,
        principal: &Arc<P>,
    ) -> Result<Serving<P>, Refusal> {
        let serving = self.callers.serving(principal).await;
        serving.map_err(|error| error.refusal(Some(incoming)))
    }

    /// Where a request's notices go: to its stream, if its caller reads streams.
    pub(super) fn channel(&self, accepts: Accepts) -> (Option<Arc<Channel>>, Arc<dyn Outbox>) {
        if !accepts.events {
            return (None, Arc::new(Unheard));
        }
        let channel = Arc::new(Channel::new(self.protocol().limits()));
        (Some(channel.clone()), channel)
    }

    /// Answers a call with one document if it has nothing to say before and is done soon, else with a
    /// stream.
    pub(super) async fn run<O: Owner>(
        &self,
        mut call: Call<O>,
        channel: Option<Arc<Channel>>,
        accepts: Accepts,
    ) -> Response<Body> {
        match self.begin(&mut call, channel.as_ref(), accepts).await {
            Begun::Whole(response) => response,
            Begun::Stream(First::Stream, channel) => self.stream(call.detached(), channel),
            Begun::Stream(First::Reply(reply), channel) => {
                self.stream(std::future::ready(reply), channel)
            }
        }
    }

    /// Waits until it is clear what the answer to a call is: a document, or a stream that begins with
    /// something.
    pub(super) async fn begin<O: Owner>(
        &self,
        call: &mut Call<O>,
        channel: Option<&Arc<Channel>>,
        accepts: Accepts,
    ) -> Begun {
        let Some(channel) = channel else {
            let reply = (&mut *call).await;
            return Begun::Whole(self.whole(call, reply, accepts));
        };
        let limits = self.protocol().limits();
        let patience = if self.always_stream { Duration::ZERO } else { limits.stream_after };
        match events::first(call, channel, patience).await {
            // A stream has no status, so what is refused with one never is a stream.
            First::Reply(reply)
                if channel.is_empty() && (!self.always_stream || call.is_refused()) =>
            {
                Begun::Whole(self.whole(call, reply, accepts))
            }
            first => Begun::Stream(first, channel.clone()),
        }
    }

    /// The answer to a call that is done and has said nothing before.
    fn whole<O: Owner>(
        &self,
        call: &mut Call<O>,
        reply: Option<Bytes>,
        accepts: Accepts,
    ) -> Response<Body> {
        match call.take_needs_scopes() {
            Some(needs) => self.needs_scopes(needs).respond(),
            None if call.is_lacking() => {
                respond::json(StatusCode::BAD_REQUEST, reply.unwrap_or_default())
            }
            None => self.answer(reply.unwrap_or_default(), accepts),
        }
    }

    fn needs_scopes(&self, needs: NeedsScopes) -> Refusal {
        Refusal::with_body(StatusCode::FORBIDDEN, needs.error)
            .header(header::WWW_AUTHENTICATE, self.challenges.insufficient_scope(&needs.scopes))
    }

    fn stream(
        &self,
        reply: impl Future<Output = Option<Bytes>> + Send + Unpin + 'static,
        channel: Arc<Channel>,
    ) -> Response<Body> {
        let keep_alive = self.protocol().limits().keep_alive;
        respond::events(Body::events(Events::new(Direct { reply, channel }, keep_alive)))
    }

    /// The answer of the protocol, in a form that the caller reads.
    pub(super) fn answer(&self, reply: Bytes, accepts: Accepts) -> Response<Body> {
        if accepts.json && !(self.always_stream && accepts.events) {
            return respond::json(StatusCode::OK, reply);
        }
        let mut frame = Vec::with_capacity(reply.len() + 8);
        events::event(&mut frame, None, &reply);
        respond::events(Bytes::from(frame).into())
    }
}

/// What an answer to a call begins with.
pub(super) enum Begun {
    /// All of it.
    Whole(Response<Body>),
    /// A stream, and why it is one.
    Stream(First<Option<Bytes>>, Arc<Channel>),
}

pub(super) fn refused(refused: Refused) -> Refusal {
    if let Some(wait) = refused.retry_after {
        let seconds = wait.as_secs() + 1;
        return Refusal::with_body(StatusCode::TOO_MANY_REQUESTS, refused.reply)
            .header(header::RETRY_AFTER, HeaderValue::from(seconds));
    }
    let status =
        if refused.unknown_method { StatusCode::NOT_FOUND } else { StatusCode::BAD_REQUEST };
    Refusal::with_body(status, refused.reply)
}

/// What is said before an answer is not heard where the answer can only be a document.
pub(super) struct Unheard;

impl Outbox for Unheard {
    fn send(&self, _message: Bytes) {}

    fn carries_requests(&self) -> bool {
        false
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

/// A message that nobody takes who has no session.
fn unfit(incoming: &Incoming<'_>) -> Refusal {
    Refusal::with_body(StatusCode::BAD_REQUEST, incoming.unfit())
}

pub(super) fn refuse(incoming: &Incoming<'_>, reason: &str) -> Refusal {
    Refusal::with_body(StatusCode::BAD_REQUEST, incoming.refuse(reason))
}

pub(super) fn busy(exchange: Exchange, limit: usize, setting: &str) -> Refusal {
    let reason = format!("You may have {limit} going on at a time, which is the limit `{setting}`");
    Refusal::with_body(StatusCode::TOO_MANY_REQUESTS, exchange.refuse(&reason))
        .header(header::RETRY_AFTER, HeaderValue::from_static("1"))
}

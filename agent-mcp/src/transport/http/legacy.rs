//! POST in the legacy era: what opens a session, and what belongs to one.

use std::sync::{Arc, OnceLock};

use bytes::Bytes;
use http::{HeaderValue, Response, StatusCode};

use super::{
    authenticate::{Authenticate, Head},
    body::Body,
    call::{Call, InSession, Stateless},
    channel::Channel,
    endpoint::Inner,
    events::{Events, First, Kept},
    head::{self, Accepts},
    post::{Begun, Unheard, busy, refuse, refused},
    respond::{self, Refusal},
    sessions::{Log, NO_SESSION, NotOpened, Place, Session, UNKNOWN_SESSION},
};
use crate::{
    mcp::{Delivery, Form, Incoming, Outbox, Received, Revision},
    runtime::{Principal, Status},
};

impl<P: Principal, A: Authenticate<P>> Inner<P, A> {
    /// `initialize`: opens a session, whatever session its header names (session-95c).
    pub(super) async fn open(
        &self,
        incoming: Incoming<'_>,
        accepts: Accepts,
        principal: &Arc<P>,
    ) -> Result<Response<Body>, Refusal> {
        let notices: Arc<dyn Outbox> = Arc::new(Unheard);
        let delivery = Delivery { principal, notices: &notices, claims: None };
        if self.stateless {
            let serving = self.serving(&incoming, principal).await?;
            let connection = serving.handler.connect(principal.clone(), notices.clone());
            return match connection.accept(incoming, &delivery).map_err(refused)? {
                Received::Reply(reply) => Ok(self.answer(reply, accepts)),
                _ => Ok(respond::empty(StatusCode::ACCEPTED)),
            };
        }
        let instance = self.callers.for_session(principal).await;
        let instance = instance.map_err(|error| error.refusal(Some(&incoming)))?;
        let opening = self.sessions.begin(instance, principal.clone());
        let Received::Reply(reply) =
            opening.connection.accept(incoming, &delivery).map_err(refused)?
        else {
            return Ok(respond::empty(StatusCode::ACCEPTED));
        };
        let mut response = self.answer(reply, accepts);
        if let Some(record) = opening.connection.take_record() {
            let opened = self.sessions.open(opening, principal.id(), record).await;
            let id = opened.map_err(|error| match error {
                NotOpened::Full(setting, limit) => Refusal::over_limit(limit, setting, "60"),
                NotOpened::Failed(error) => Refusal::of_store(error),
            })?;
            if let Ok(id) = HeaderValue::from_str(&id) {
                response.headers_mut().insert(head::SESSION, id);
            }
        }
        Ok(response)
    }

    /// A message of a session.
    pub(super) async fn in_session(
        &self,
        incoming: Incoming<'_>,
        head: &Head,
        accepts: Accepts,
        principal: &Arc<P>,
    ) -> Result<Response<Body>, Refusal> {
        let Some(id) = head::session(&head.headers) else {
            return Err(refuse(&incoming, NO_SESSION));
        };
        let found = self.sessions.find(id, &self.callers, principal).await;
        let found = found.map_err(|error| error.refusal(Some(&incoming)))?;
        let Some(in_use) = found else {
            let refusal =
                Refusal::with_body(StatusCode::NOT_FOUND, incoming.refuse(UNKNOWN_SESSION));
            return Err(self.unknown_session(refusal, id, &**principal));
        };
        let (channel, notices) = self.channel(accepts);
        let delivery = Delivery { principal, notices: &notices, claims: None };
        let (form, message) = (incoming.form(), incoming.message().clone());
        let session = in_use.0.clone();
        let received = session.connection.accept(incoming, &delivery).map_err(refused)?;
        if matches!(form, Form::Notification | Form::Response) {
            self.sessions.pass_on(id, message).await;
        } else if let Some(record) = session.connection.take_record() {
            self.sessions.store.update(id, record).await.map_err(Refusal::of_store)?;
            self.sessions.pass_on(id, message).await;
        }
        match received {
            // It was ended since it was found.
            Received::Nothing if form == Form::Request => {
                Err(Refusal::new(StatusCode::NOT_FOUND, UNKNOWN_SESSION))
            }
            Received::Nothing => Ok(respond::empty(StatusCode::ACCEPTED)),
            Received::Reply(reply) => match channel {
                Some(channel) if self.always_stream => {
                    self.keep(&session, &channel, Rest::Reply(Some(reply))).await
                }
                _ => Ok(self.answer(reply, accepts)),
            },
            Received::Call(exchange) => {
                let limit = self.calls.limit();
                let Ok(place) = Place::of_calls(in_use, exchange.calls(), limit) else {
                    return Err(busy(exchange, limit, "calls_in_flight"));
                };
                let log = Arc::new(OnceLock::new());
                let mut call = Call::new(exchange, InSession { place, log: log.clone() });
                match self.begin(&mut call, channel.as_ref(), accepts).await {
                    Begun::Whole(response) => Ok(response),
                    Begun::Stream(First::Reply(reply), channel) => {
                        self.keep(&session, &channel, Rest::Reply(reply)).await
                    }
                    Begun::Stream(First::Stream, channel) => {
                        self.keep(&session, &channel, Rest::Call(call, log)).await
                    }
                }
            }
        }
    }

    /// Somebody else's session is as good as none to the caller, but not to the audit.
    pub(super) fn unknown_session(&self, refusal: Refusal, id: &str, caller: &P) -> Refusal {
        match self.sessions.of_another(id, &caller.id()) {
            Some(id) => refusal.audited_of(Status::ForeignSession, caller.id(), Some(id)),
            None => refusal,
        }
    }

    /// Answers with a stream that its caller can come back to.
    async fn keep(
        &self,
        session: &Arc<Session<P>>,
        channel: &Channel,
        rest: Rest<P>,
    ) -> Result<Response<Body>, Refusal> {
        let Some((log, tail)) = session.log().await.map_err(Refusal::of_store)? else {
            return Err(Refusal::new(StatusCode::NOT_FOUND, UNKNOWN_SESSION));
        };
        channel.divert(&log);
        match rest {
            Rest::Reply(reply) => {
                reply.into_iter().for_each(|reply| log.append(reply));
                log.finish();
            }
            Rest::Call(call, place) => {
                let _ = place.set(log.clone());
                // Whether its caller reads is nothing to it.
                tokio::spawn(call);
            }
        }
        let primes = session.connection.revision().is_some_and(Revision::primes_streams);
        let kept = Kept {
            stream: log.stream,
            tail,
            end: None,
            prime: primes,
            polls: primes,
            _held: Box::new(session.in_use()),
        };
        let keep_alive = self.protocol().limits().keep_alive;
        Ok(respond::events(Body::events(Events::new(kept, keep_alive))))
    }

    /// A message of a client that keeps no session; its header alone says the revision.
    pub(super) async fn without_session(
        &self,
        incoming: Incoming<'_>,
        head: &Head,
        accepts: Accepts,
        principal: &Arc<P>,
    ) -> Result<Response<Body>, Refusal> {
        let headers = &head.headers;
        let offered = |revision: &Revision| self.protocol().offered().contains(revision);
        let revision = if head::names_revision(headers) {
            head::revision(headers).filter(offered).ok_or_else(Refusal::unknown_revision)?
        } else {
            // SES-16.
            Some(Revision::V2025_03_26)
                .filter(offered)
                .or(self.protocol().newest_legacy())
                .ok_or_else(Refusal::unknown_revision)?
        };
        let (channel, notices) = self.channel(accepts);
        let _serving = self.serving(&incoming, principal).await?;
        let connection = _serving.handler.assume(revision, principal.clone(), notices.clone());
        let delivery = Delivery { principal, notices: &notices, claims: None };
        match connection.accept(incoming, &delivery).map_err(refused)? {
            Received::Nothing => Ok(respond::empty(StatusCode::ACCEPTED)),
            Received::Reply(reply) => Ok(self.answer(reply, accepts)),
            Received::Call(exchange) => {
                let Some(_place) = self.calls.take_many(principal.id(), exchange.calls()) else {
                    return Err(busy(exchange, self.calls.limit(), "calls_in_flight"));
                };
                let call = Call::new(exchange, Stateless { _place, _serving });
                Ok(self.run(call, channel, accepts).await)
            }
        }
    }
}

/// What of a request is still to come when its stream begins.
enum Rest<P: Principal> {
    Reply(Option<Bytes>),
    Call(Call<InSession<P>>, Arc<OnceLock<Log>>),
}

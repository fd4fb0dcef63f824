//! One connection: from a message to what becomes of it.

mod changes;

use std::sync::{Arc, Mutex, PoisonError};

use bytes::Bytes;

use super::{
    asking, batch,
    claims::Claims,
    envelope::{self, Asked, Message, Raw, Rejected},
    error::RpcError,
    exchange::{Outbox, Received},
    handler::Handler,
    id::Id,
    incoming::{Content, Incoming, Refused},
    method::Method,
    reply::Reply,
    request::Request,
    revision::Revision,
    session::Session,
    state::{Shared, State},
    terms::{self, Terms},
};
use crate::runtime::Principal;

/// One connection to a client: a pipe, on which both eras may be mixed (VER-13).
pub struct Connection<P: Principal> {
    handler: Handler<P>,
    /// Who has sent the last message: what is told is told to that caller (O21).
    principal: Mutex<Arc<P>>,
    outbox: Arc<dyn Outbox>,
    shared: Shared,
}

/// How a message comes, where each has a channel of its own to be answered on.
pub struct Delivery<'a, P> {
    /// Who sends it.
    pub principal: &'a Arc<P>,
    /// Where notices go that belong to it.
    pub notices: &'a Arc<dyn Outbox>,
    /// What is said of it beside it; a modern request is held to it.
    pub claims: Option<&'a Claims<'a>>,
}

/// Where a message comes from and what it borrows its parts from.
struct Origin<'a, P> {
    bytes: &'a Bytes,
    principal: &'a Arc<P>,
    notices: &'a Arc<dyn Outbox>,
    claims: Option<&'a Claims<'a>>,
    /// Whether it is answered on a channel that nothing else is answered on.
    own_channel: bool,
    /// Whether it is a member of a batch.
    in_batch: bool,
}

impl<P: Principal> Connection<P> {
    pub(crate) fn new(handler: Handler<P>, principal: Arc<P>, outbox: Arc<dyn Outbox>) -> Self {
        Self { handler, principal: Mutex::new(principal), outbox, shared: Shared::default() }
    }

    /// Begins with a session that was opened elsewhere.
    pub(crate) fn in_session(self, session: Session) -> Self {
        self.shared.lock().session = Some(session);
        self
    }

    /// Takes one message, or a batch. What it changes is changed when this returns (B139).
    pub fn receive(&self, message: Bytes) -> Received {
        self.receive_from(message, &self.principal(), &self.outbox)
    }

    /// Takes one message of a caller and with an outbox of its own, for transports where each message
    /// has a channel for what belongs to it.
    pub fn receive_from(
        &self,
        message: Bytes,
        principal: &Arc<P>,
        notices: &Arc<dyn Outbox>,
    ) -> Received {
        let origin = Origin {
            bytes: &message,
            principal,
            notices,
            claims: None,
            own_channel: false,
            in_batch: false,
        };
        let content = Incoming::read(&message, &self.handler).content;
        self.take_content(content, &origin).unwrap_or_else(|refused| refused.reply.into())
    }

    /// Takes a message that has been read, from a transport that answers each on a channel of its own.
    ///
    /// Two requests may have one id there, and a call that was cancelled is answered. Nothing is answered
    /// to a request when the connection is closed.
    ///
    /// # Errors
    ///
    /// The message is not taken, for what it is or lacks.
    pub fn accept(
        &self,
        incoming: Incoming<'_>,
        delivery: &Delivery<'_, P>,
    ) -> Result<Received, Refused> {
        self.is_used_by(delivery.principal);
        let origin = Origin {
            bytes: incoming.bytes,
            principal: delivery.principal,
            notices: delivery.notices,
            claims: delivery.claims,
            own_channel: true,
            in_batch: false,
        };
        self.take_content(incoming.content, &origin)
    }

    /// The answer to a message that the transport cannot take, and whose id is therefore not known.
    #[must_use]
    pub fn refuse(&self, reason: &str) -> Bytes {
        self.to_nothing(&RpcError::invalid_request(reason.to_owned()))
    }

    /// An error that answers nothing in particular: the older revisions say so with a null, as plain JSON-RPC
    /// does, and the newer ones leave the id out (BASE-5).
    fn to_nothing(&self, error: &RpcError) -> Bytes {
        let revision = self.shared.lock().session.as_ref().map(|session| session.revision);
        let omits = revision.is_none_or(Revision::has_errors_without_id);
        error.reply((!omits).then_some("null"))
    }

    fn malformed(&self, error: &RpcError, id: Option<Id<'_>>) -> Refused {
        let reply = id.map_or_else(|| self.to_nothing(error), |id| error.reply(Some(id.raw())));
        Refused { reply, unknown_method: false, retry_after: error.retry_after }
    }

    /// Ends the connection: what runs is cancelled, streams get their closing result, and nothing is
    /// said any more. Closing twice is closing once (B133).
    pub fn close(&self) {
        self.shared.lock().close();
    }

    /// Ends the streams of notices only; calls go on. For a transport that drains.
    pub fn end_streams(&self) {
        self.shared.lock().end_streams();
    }

    /// Nothing more will be received: streams end, and questions, which nobody can answer now, are not waited
    /// for. Calls go on. For a transport that drains what has no other way to the client.
    pub fn end_input(&self) {
        self.shared.lock().end_input();
    }

    /// The revision that a handshake has agreed on.
    #[must_use]
    pub fn revision(&self) -> Option<Revision> {
        self.shared.lock().session.as_ref().map(|session| session.revision)
    }

    /// What another connection has to know of the session to [go on](Handler::resume) with it, where that has
    /// changed since it was asked for last.
    #[must_use]
    pub fn take_record(&self) -> Option<Bytes> {
        let mut state = self.shared.lock();
        let session = state.session.as_mut()?;
        std::mem::take(&mut session.changed).then(|| session.record())
    }

    /// Takes a message that another connection of the session has taken and answered: what it means to the
    /// session or a request in flight, it means here too.
    pub fn overhear(&self, message: &Bytes) {
        match Incoming::read(message, &self.handler).content {
            Content::One(Ok(Message::Notification(call))) => self.notification(&call),
            Content::One(Ok(Message::Response { id, result, error })) => {
                self.answer(id, result, error);
            }
            Content::One(Ok(Message::Request { call, .. })) => {
                if let Some(session) = &mut self.shared.lock().session {
                    session.overhear(&call);
                }
            }
            _ => {}
        }
    }

    /// Who has sent the last message.
    fn principal(&self) -> Arc<P> {
        self.principal.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn take_content(
        &self,
        content: Content<'_>,
        origin: &Origin<'_, P>,
    ) -> Result<Received, Refused> {
        match content {
            Content::One(message) => self.take(message, origin),
            Content::Batch(members) => {
                self.batch(members, origin).map_err(|error| self.malformed(&error, None))
            }
        }
    }

    fn batch(
        &self,
        members: serde_json::Result<Vec<&serde_json::value::RawValue>>,
        origin: &Origin<'_, P>,
    ) -> Result<Received, RpcError> {
        let members = members.map_err(|error| batch::no_json(&error))?;
        let has_batches = {
            let state = self.shared.lock();
            if state.closed {
                return Ok(Received::Nothing);
            }
            state.session.as_ref().is_some_and(|session| session.revision.has_batches())
        };
        if !has_batches {
            return Err(batch::none_here());
        }
        let limit = self.handler.options().batch;
        if members.is_empty() || members.len() > limit {
            return Err(RpcError::invalid_request(format!(
                "A batch holds 1 to {limit} messages (setting `batch`), not {}",
                members.len()
            )));
        }
        let origin = Origin { in_batch: true, ..*origin };
        let answers = members.iter().map(|member| {
            self.take(envelope::read(member.get()), &origin)
                .unwrap_or_else(|refused| refused.reply.into())
        });
        Ok(batch::join(answers.collect(), origin.bytes.len()))
    }

    fn take(
        &self,
        message: Result<Message<'_>, Rejected<'_>>,
        origin: &Origin<'_, P>,
    ) -> Result<Received, Refused> {
        match message {
            Ok(Message::Request { id, call }) => self.request(id, &call, origin),
            Ok(Message::Notification(call)) => {
                self.notification(&call);
                Ok(Received::Nothing)
            }
            Ok(Message::Response { id, result, error }) => {
                self.answer(id, result, error);
                Ok(Received::Nothing)
            }
            Err(rejected) => Err(self.malformed(&rejected.error, rejected.id)),
        }
    }

    /// LSR-3: what was not asked here, or not any more, answers nothing.
    fn answer(&self, id: Raw<'_>, result: Raw<'_>, error: Raw<'_>) {
        if let Some(id) = id.and_then(envelope::text) {
            let answer = asking::read(result, error);
            self.shared.lock().answer(&id, answer);
        }
    }

    /// BASE-6: nothing is ever answered, and B115: a method that wants an answer is not run.
    fn notification(&self, call: &Asked<'_>) {
        let mut state = self.shared.lock();
        match &*call.method {
            "notifications/initialized" => {
                if let Some(session) = &mut state.session {
                    session.initialized = true;
                }
                drop(state);
                // What has changed since an early list was not told, for the client was not ready. Nothing is
                // subscribed to yet.
                let _ = self.announce_changes();
            }
            // CAN-3: `initialize` is answered at once and so never in flight.
            "notifications/cancelled" => {
                if let Some(id) = call.params.request_id.and_then(|raw| Id::new(raw.get())) {
                    state.cancel(id);
                }
            }
            _ => {}
        }
    }

    fn request(
        &self,
        id: Id<'_>,
        call: &Asked<'_>,
        origin: &Origin<'_, P>,
    ) -> Result<Received, Refused> {
        let malformed = |error| self.malformed(&error, Some(id));
        let handler = &self.handler;
        let mut state = self.shared.lock();
        if state.closed {
            return Ok(Received::Nothing);
        }
        let Some(terms) = self.terms(id, call, origin, &mut state).map_err(malformed)? else {
            drop(state);
            return self.without_session(id, call);
        };
        let terms = match terms {
            Opening::Terms(terms) => terms,
            Opening::Welcome(reply) => return Ok(reply.into()),
        };
        let revision = terms.revision;
        let Some(method) = Method::named(&call.method, revision, handler.offers()) else {
            return unknown_method(id, call, revision);
        };
        let request = Request {
            handler,
            shared: &self.shared,
            id,
            params: &call.params,
            terms,
            bytes: origin.bytes,
            principal: origin.principal,
            notices: origin.notices,
            own_channel: origin.own_channel,
        };
        request.dispatch(method, state).or_else(|error| match error.is_of_the_request() {
            true => Err(malformed(error)),
            false => Ok(error.reply(Some(id.raw())).into()),
        })
    }

    /// The terms of a request, or the answer to a handshake; `None` where there is neither an envelope nor
    /// a session.
    fn terms(
        &self,
        id: Id<'_>,
        call: &Asked<'_>,
        origin: &Origin<'_, P>,
        state: &mut State,
    ) -> Result<Option<Opening>, RpcError> {
        let handler = &self.handler;
        if !origin.own_channel && state.is_in_flight(id) {
            return Err(RpcError::invalid_request("A request with this id is still in flight"));
        }
        // VER-12: the envelope decides first, then the method, then the session.
        let envelope = call.params.meta().filter(|meta| meta.is_modern() && handler.has_modern());
        if let Some(meta) = envelope {
            if origin.in_batch {
                return Err(RpcError::invalid_request("This revision has no batches"));
            }
            let terms = Terms::of_envelope(meta, call, origin.claims, handler, state)?;
            Ok(Some(Opening::Terms(terms)))
        } else if call.method == "initialize" {
            if origin.in_batch {
                return Err(RpcError::invalid_request("`initialize` cannot be part of a batch"));
            }
            let session = terms::handshake(&call.params, handler)?;
            let welcome = handler.face(session.revision).welcome(id.raw());
            state.session = Some(session);
            Ok(Some(Opening::Welcome(welcome)))
        } else {
            let session = state.session.as_ref();
            Ok(session.map(|session| Opening::Terms(Terms::of_session(session, handler.offers()))))
        }
    }

    /// What is asked before any handshake and without an envelope.
    fn without_session(&self, id: Id<'_>, call: &Asked<'_>) -> Result<Received, Refused> {
        let missing = || self.malformed(&terms::missing(&self.handler), Some(id));
        let Some(legacy) = self.handler.newest_legacy() else {
            return Err(missing());
        };
        match Method::named(&call.method, legacy, self.handler.offers()) {
            // O1: always.
            Some(Method::Ping) => {
                Ok(Reply::new(id.raw(), self.handler.face(legacy), 0).end().into())
            }
            // A probe for the modern era is answered as one that this server does not know.
            None if !self.handler.has_modern() => unknown_method(id, call, legacy),
            _ => Err(missing()),
        }
    }
}

/// What a request begins with.
enum Opening {
    Terms(Terms),
    Welcome(Bytes),
}

fn unknown_method(id: Id<'_>, call: &Asked<'_>, revision: Revision) -> Result<Received, Refused> {
    let reply = RpcError::unknown_method(&call.method).reply(Some(id.raw()));
    // MH-5: legacy has no such refusal, there it is an answer like any other.
    if revision.is_modern() {
        Err(Refused { reply, unknown_method: true, retry_after: None })
    } else {
        Ok(reply.into())
    }
}

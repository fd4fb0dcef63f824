//! GET and DELETE (legacy): a stream for what belongs to no request, one that goes on, and the end.

use std::sync::Arc;

use http::{Response, StatusCode};

use super::{
    authenticate::{Authenticate, Head},
    body::Body,
    endpoint::Inner,
    events::{End, Events, Kept},
    head::{self, Accepts},
    respond::{self, Refusal},
    sessions::{InUse, NO_SESSION, Place, UNKNOWN_SESSION},
    store::{EventId, StreamKind},
};
use crate::{host::BoxError, mcp::Revision, runtime::Principal};

impl<P: Principal, A: Authenticate<P>> Inner<P, A> {
    /// Opens a stream, or goes on with one (B160, B164).
    pub(super) async fn get(
        &self,
        head: &Head,
        principal: &Arc<P>,
    ) -> Result<Response<Body>, Refusal> {
        let headers = &head.headers;
        if !Accepts::of(headers).events {
            return Err(Refusal::new(
                StatusCode::NOT_ACCEPTABLE,
                "Streams are `text/event-stream`; `Accept` has something else",
            ));
        }
        let id = head::session(headers)
            .ok_or_else(|| Refusal::new(StatusCode::BAD_REQUEST, NO_SESSION))?;
        let session = self.sessions.find(id, &self.callers, principal).await;
        let session = session.map_err(|error| error.refusal(None))?.ok_or_else(|| {
            let refusal = Refusal::new(StatusCode::NOT_FOUND, UNKNOWN_SESSION);
            self.unknown_session(refusal, id, &**principal)
        })?;
        let limit = self.streams.limit();
        let place = Place::of_stream(session, limit)
            .map_err(|_| Refusal::over_limit(limit, "streams", "1"))?;
        let body = self.standing(head, principal, place).await.map_err(Refusal::of_store)?;
        body.map(respond::events)
            .ok_or_else(|| Refusal::new(StatusCode::NOT_FOUND, UNKNOWN_SESSION))
    }

    async fn standing(
        &self,
        head: &Head,
        principal: &Arc<P>,
        place: Place<P>,
    ) -> Result<Option<Body>, BoxError> {
        let InUse(session) = &place.session;
        let session = session.clone();
        let (store, id) = (&self.sessions.store, &*session.id);
        let last = head::last_event(&head.headers);
        // B166: who does not ask for old events gets none.
        let resumed = match &last {
            Some(last) => store.resume(id, *last).await?,
            None => None,
        };
        let is_new = resumed.is_none();
        let (after, kind) = match resumed {
            Some(resumed) => resumed,
            None => match store.open(id, StreamKind::Standing).await? {
                Some(stream) => (EventId { stream, event: 0 }, StreamKind::Standing),
                None => return Ok(None),
            },
        };
        let tail = store.tail(id, after).await?;
        let listening = (kind == StreamKind::Standing).then(|| {
            session.is_listened_to();
            session.instance.changes.listen(session.connection.clone())
        });
        let polls = session.connection.revision().is_some_and(Revision::primes_streams);
        let kept = Kept {
            stream: after.stream,
            tail,
            end: Some(End::new(principal.expires_at(), &self.closing)),
            prime: polls && is_new,
            polls,
            _held: Box::new((place, listening)),
        };
        let keep_alive = self.protocol().limits().keep_alive;
        Ok(Some(Body::events(Events::new(kept, keep_alive))))
    }

    /// Ends a session (B156).
    pub(super) async fn delete(&self, head: &Head, caller: &P) -> Result<Response<Body>, Refusal> {
        let id = head::session(&head.headers)
            .ok_or_else(|| Refusal::new(StatusCode::BAD_REQUEST, NO_SESSION))?;
        if self.sessions.end(id, &caller.id()).await.map_err(Refusal::of_store)? {
            Ok(respond::empty(StatusCode::NO_CONTENT))
        } else {
            let refusal = Refusal::new(StatusCode::NOT_FOUND, UNKNOWN_SESSION);
            Err(self.unknown_session(refusal, id, caller))
        }
    }
}

//! A call, for as long as its caller waits and after.

use std::{
    future::Future,
    pin::Pin,
    sync::{Arc, OnceLock},
    task::{Context, Poll, ready},
};

use bytes::Bytes;
use tokio::sync::oneshot;

use super::{
    callers::Serving,
    calls::Place,
    changes::Listening,
    sessions::{self, Log},
};
use crate::{
    mcp::{Connection, Exchange, NeedsScopes},
    runtime::Principal,
};

/// A call that is polled in place: one that does not suspend never has a task.
///
/// When its caller is gone before it is done, a task takes what is left of it. Whether that is also a
/// cancellation, the [`Owner`] decides.
pub(super) struct Call<O: Owner> {
    work: Option<(Exchange, O)>,
    needs: Option<NeedsScopes>,
    lacking: bool,
}

/// What a call keeps while it runs.
pub(super) trait Owner: Send + Unpin + 'static {
    /// The caller is gone.
    fn abandon(&self) {}

    /// The call is done.
    fn finish(&self, _reply: Option<&Bytes>) {}
}

/// A call that has a connection for itself (modern).
pub(super) struct Alone<P: Principal> {
    pub(super) connection: Arc<Connection<P>>,
    pub(super) _place: Place,
    /// Where it is told of changes, if it is a stream of notices.
    pub(super) _listening: Option<Listening<P>>,
    pub(super) _serving: Serving<P>,
}

impl<P: Principal> Owner for Alone<P> {
    /// MH-17: it is cancelled. The method is told, and gets its time to clean up.
    fn abandon(&self) {
        self.connection.close();
    }
}

/// A call without anything that others could know of.
pub(super) struct Stateless<P: Principal> {
    pub(super) _place: Place,
    pub(super) _serving: Serving<P>,
}

/// SES-10: when its caller is gone, it goes on.
impl<P: Principal> Owner for Stateless<P> {}

/// A call of a session (legacy). It goes on as well.
pub(super) struct InSession<P: Principal> {
    pub(super) place: sessions::Place<P>,
    /// Where its caller can come back to, once there is such a place.
    pub(super) log: Arc<OnceLock<Log>>,
}

impl<P: Principal> Owner for InSession<P> {
    fn finish(&self, reply: Option<&Bytes>) {
        // A session that nobody listens to is told what its own calls have changed.
        if let Some(updates) = self.place.session.0.connection.announce_changes() {
            tokio::spawn(updates);
        }
        if let Some(log) = self.log.get() {
            if let Some(reply) = reply {
                log.append(reply.clone());
            }
            log.finish();
        }
    }
}

impl<O: Owner> Call<O> {
    pub(super) fn new(exchange: Exchange, owner: O) -> Self {
        Self { work: Some((exchange, owner)), needs: None, lacking: false }
    }

    /// Goes on in a task, whether its caller reads or not: one that does not would hold up the call, and
    /// whatever the call holds. It is abandoned with the reply.
    pub(super) fn detached(mut self) -> impl Future<Output = Option<Bytes>> + Send + Unpin {
        let (mut answer, reply) = oneshot::channel();
        tokio::spawn(async move {
            let reply = tokio::select! {
                reply = &mut self => reply,
                () = answer.closed() => return,
            };
            let _ = answer.send(reply);
        });
        Box::pin(async move { reply.await.unwrap_or_default() })
    }

    /// Whether it has come to an error about what its request lacks.
    pub(super) fn is_lacking(&self) -> bool {
        self.lacking
    }

    /// Whether it has come to an error that has a status of its own.
    pub(super) fn is_refused(&self) -> bool {
        self.lacking || self.needs.is_some()
    }

    /// What its caller lacks, when it has come to a refusal for that reason.
    pub(super) fn take_needs_scopes(&mut self) -> Option<NeedsScopes> {
        self.needs.take()
    }
}

impl<O: Owner> Future for Call<O> {
    type Output = Option<Bytes>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Bytes>> {
        let Some((exchange, _)) = &mut self.work else { return Poll::Ready(None) };
        let reply = ready!(Pin::new(&mut *exchange).poll(cx));
        let (needs, lacking) = (exchange.take_needs_scopes(), exchange.is_lacking());
        (self.needs, self.lacking) = (needs, lacking);
        if let Some((_, owner)) = self.work.take() {
            owner.finish(reply.as_ref());
        }
        Poll::Ready(reply)
    }
}

impl<O: Owner> Drop for Call<O> {
    fn drop(&mut self) {
        let Some((exchange, owner)) = self.work.take() else { return };
        owner.abandon();
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            runtime.spawn(async move {
                let reply = exchange.await;
                owner.finish(reply.as_ref());
            });
        }
    }
}

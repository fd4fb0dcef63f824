//! A call, for as long as its caller waits and after.

use std::{
    future::Future,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll, ready},
};

use bytes::Bytes;

use super::{calls::Place, changes::Listening, sessions::InUse};
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
}

/// What a call keeps while it runs.
pub(super) trait Owner: Send + Unpin + 'static {
    /// The caller is gone.
    fn abandon(&self);
}

/// A call that has a connection for itself (modern).
pub(super) struct Alone<P: Principal> {
    pub(super) connection: Arc<Connection<P>>,
    pub(super) _place: Place,
    /// Where it is told of changes, if it is a stream of notices.
    pub(super) _listening: Option<Listening<P>>,
}

impl<P: Principal> Owner for Alone<P> {
    /// MH-17: it is cancelled. The method is told, and gets its time to clean up.
    fn abandon(&self) {
        self.connection.close();
    }
}

impl<P: Principal> Owner for InUse<P> {
    /// SES-10: it goes on.
    fn abandon(&self) {}
}

impl<O: Owner> Call<O> {
    pub(super) fn new(exchange: Exchange, owner: O) -> Self {
        Self { work: Some((exchange, owner)), needs: None }
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
        let needs = exchange.take_needs_scopes();
        (self.work, self.needs) = (None, needs);
        Poll::Ready(reply)
    }
}

impl<O: Owner> Drop for Call<O> {
    fn drop(&mut self) {
        let Some((exchange, owner)) = self.work.take() else { return };
        owner.abandon();
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            runtime.spawn(async move {
                exchange.await;
                drop(owner);
            });
        }
    }
}

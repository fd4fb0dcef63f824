//! An answer as a stream of events: what a request says, and its reply at the end.

use std::{
    fmt,
    future::{Future, poll_fn},
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
    time::Duration,
};

use bytes::Bytes;
use tokio::time::{Instant, Sleep, sleep};

use super::channel::{self, Channel};

/// A comment, which no client takes for a message.
const COMMENT: &[u8] = b":\n\n";

/// The stream of one request. Dropping it says that the caller is gone.
pub(super) struct Events {
    /// Nothing when the reply is written.
    reply: Option<Pin<Box<dyn Future<Output = Option<Bytes>> + Send>>>,
    channel: Arc<Channel>,
    keep_alive: Duration,
    silence: Pin<Box<Sleep>>,
    begun: bool,
}

/// What is first: the reply, or a reason for a stream.
pub(super) enum First {
    Reply(Option<Bytes>),
    Stream,
}

/// Waits for the reply of a request until it says something or `patience` is over. Nobody needs a timer for a
/// reply that is at hand.
pub(super) async fn first(
    reply: &mut (impl Future<Output = Option<Bytes>> + Unpin),
    channel: &Channel,
    patience: Duration,
) -> First {
    tokio::select! {
        biased;
        reply = reply => First::Reply(reply),
        () = poll_fn(|cx| channel.poll_said(cx)) => First::Stream,
        () = sleep(patience) => First::Stream,
    }
}

impl Events {
    pub(super) fn new(
        reply: impl Future<Output = Option<Bytes>> + Send + 'static,
        channel: Arc<Channel>,
        keep_alive: Duration,
    ) -> Self {
        let silence = Box::pin(sleep(keep_alive));
        Self { reply: Some(Box::pin(reply)), channel, keep_alive, silence, begun: false }
    }

    pub(super) fn is_over(&self) -> bool {
        self.reply.is_none()
    }

    pub(super) fn poll_frame(&mut self, cx: &mut Context<'_>) -> Poll<Option<Bytes>> {
        let Some(reply) = &mut self.reply else { return Poll::Ready(None) };
        let done = reply.as_mut().poll(cx);
        // What was said until now goes before the reply.
        let mut frame = Vec::new();
        self.channel.take(&mut frame, cx);
        if let Poll::Ready(reply) = done {
            // HTTP-8: the reply ends the stream.
            self.reply = None;
            if let Some(reply) = reply {
                channel::event(&mut frame, &reply);
            }
            return Poll::Ready((!frame.is_empty()).then(|| frame.into()));
        }
        if frame.is_empty() && (!self.begun || self.silence.as_mut().poll(cx).is_ready()) {
            frame.extend_from_slice(COMMENT);
        }
        if frame.is_empty() {
            return Poll::Pending;
        }
        self.begun = true;
        self.silence.as_mut().reset(Instant::now() + self.keep_alive);
        Poll::Ready(Some(frame.into()))
    }
}

impl fmt::Debug for Events {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Events").finish_non_exhaustive()
    }
}

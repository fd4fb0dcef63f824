//! Streams of events.

use std::{
    fmt,
    fmt::Write,
    future::{Future, poll_fn},
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
    time::{Duration, SystemTime},
};

use bytes::Bytes;
use tokio::time::{Instant, Sleep, sleep};
use tokio_util::sync::{CancellationToken, WaitForCancellationFutureOwned};

use super::{
    channel::Channel,
    store::{EventId, Tail, Told},
};

/// A comment, which no client takes for a message.
const COMMENT: &[u8] = b":\n\n";

/// How long a client is asked to stay away when the server ends a stream that goes on.
const RETRY: Duration = Duration::from_secs(1);

/// How much is put into one frame, if there is more.
const FRAME: usize = 64 * 1024;

/// A stream of events, as the body of a response. Dropping it says that the caller is gone.
pub(super) struct Events {
    /// Nothing when all is written.
    source: Option<Box<dyn Source>>,
    keep_alive: Duration,
    silence: Pin<Box<Sleep>>,
    begun: bool,
}

/// Where events come from.
pub(super) trait Source: Send + 'static {
    /// Writes what is there; ready when nothing follows.
    fn poll(&mut self, frame: &mut Vec<u8>, cx: &mut Context<'_>) -> Poll<()>;
}

/// What is first: the reply, or a reason for a stream.
pub(super) enum First<T> {
    Reply(T),
    Stream,
}

/// Waits for the reply of a request until it says something or `patience` is over. Nobody needs a timer for a
/// reply that is at hand.
pub(super) async fn first<T>(
    reply: &mut (impl Future<Output = T> + Unpin),
    channel: &Channel,
    patience: Duration,
) -> First<T> {
    tokio::select! {
        biased;
        reply = reply => First::Reply(reply),
        () = poll_fn(|cx| channel.poll_said(cx)) => First::Stream,
        () = sleep(patience) => First::Stream,
    }
}

impl Events {
    pub(super) fn new(source: impl Source, keep_alive: Duration) -> Self {
        let silence = Box::pin(sleep(keep_alive));
        Self { source: Some(Box::new(source)), keep_alive, silence, begun: false }
    }

    pub(super) fn is_over(&self) -> bool {
        self.source.is_none()
    }

    pub(super) fn poll_frame(&mut self, cx: &mut Context<'_>) -> Poll<Option<Bytes>> {
        let Some(source) = &mut self.source else { return Poll::Ready(None) };
        let mut frame = Vec::new();
        if source.poll(&mut frame, cx).is_ready() {
            self.source = None;
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

/// What a request says and its reply, which are told to its caller and kept nowhere.
pub(super) struct Direct<F> {
    pub(super) reply: F,
    pub(super) channel: Arc<Channel>,
}

impl<F: Future<Output = Option<Bytes>> + Send + Unpin + 'static> Source for Direct<F> {
    fn poll(&mut self, frame: &mut Vec<u8>, cx: &mut Context<'_>) -> Poll<()> {
        let reply = Pin::new(&mut self.reply).poll(cx);
        // What was said until now goes before the reply.
        for message in self.channel.take(cx) {
            event(frame, None, &message);
        }
        // HTTP-8: the reply ends the stream.
        reply.map(|reply| {
            if let Some(reply) = reply {
                event(frame, None, &reply);
            }
        })
    }
}

/// A stream that is kept: its reader may come back and go on where it was.
pub(super) struct Kept {
    pub(super) stream: u64,
    pub(super) tail: Tail,
    /// When the connection ends in any case.
    pub(super) end: Option<End>,
    /// Whether an event without a message is still to come first (SES-13).
    pub(super) prime: bool,
    /// Whether the client knows that a connection may end before its stream.
    pub(super) polls: bool,
    /// What is held as long as somebody reads.
    pub(super) _held: Box<dyn Send>,
}

impl Source for Kept {
    fn poll(&mut self, frame: &mut Vec<u8>, cx: &mut Context<'_>) -> Poll<()> {
        let stream = self.stream;
        if self.prime {
            self.prime = false;
            event(frame, Some(EventId { stream, event: 0 }), b"");
        }
        while frame.len() < FRAME {
            match self.tail.as_mut().poll_next(cx) {
                Poll::Ready(Some(Told::Message(number, message))) => {
                    event(frame, Some(EventId { stream, event: number }), &message);
                }
                Poll::Ready(Some(Told::Release(after))) => {
                    if self.polls {
                        retry(frame, after);
                        return Poll::Ready(());
                    }
                }
                Poll::Ready(None) => return Poll::Ready(()),
                Poll::Pending => break,
            }
        }
        if let Some(end) = &mut self.end
            && end.poll(cx).is_ready()
        {
            if self.polls {
                retry(frame, RETRY);
            }
            return Poll::Ready(());
        }
        Poll::Pending
    }
}

/// When a stream of notices ends, whatever happens on it: with its caller's credentials, and with the server.
pub(super) struct End {
    expired: Option<Pin<Box<Sleep>>>,
    closed: Pin<Box<WaitForCancellationFutureOwned>>,
}

impl End {
    pub(super) fn new(expires_at: Option<SystemTime>, closed: &CancellationToken) -> Self {
        // What is over ends at once, and what never ends has no timer.
        let left = expires_at.map(|end| end.duration_since(SystemTime::now()).unwrap_or_default());
        let expired = left.map(|left| Box::pin(sleep(left)));
        Self { expired, closed: Box::pin(closed.clone().cancelled_owned()) }
    }

    fn poll(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        if let Some(expired) = &mut self.expired
            && expired.as_mut().poll(cx).is_ready()
        {
            return Poll::Ready(());
        }
        self.closed.as_mut().poll(cx)
    }

    pub(super) async fn reached(mut self) {
        poll_fn(|cx| self.poll(cx)).await;
    }
}

/// Writes an event. A message of the protocol is always one line.
pub(super) fn event(frame: &mut Vec<u8>, id: Option<EventId>, message: &[u8]) {
    frame.reserve(message.len() + 40);
    if let Some(id) = id {
        line(frame, format_args!("id: {id}"));
    }
    frame.extend_from_slice(b"data: ");
    frame.extend_from_slice(message);
    frame.extend_from_slice(b"\n\n");
}

fn retry(frame: &mut Vec<u8>, after: Duration) {
    line(frame, format_args!("retry: {}", after.as_millis()));
    frame.push(b'\n');
}

fn line(frame: &mut Vec<u8>, text: fmt::Arguments<'_>) {
    let mut line = String::new();
    // A string takes everything.
    let _ = writeln!(line, "{text}");
    frame.extend_from_slice(line.as_bytes());
}

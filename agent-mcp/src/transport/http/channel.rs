//! What a request says before its answer.

use std::{
    collections::VecDeque,
    sync::{Mutex, MutexGuard, PoisonError},
    task::{Context, Poll, Waker},
};

use bytes::Bytes;

use crate::{mcp::Outbox, runtime::Limits};

/// Notices on their way to the stream of the request they belong to.
///
/// A caller that reads slowly misses some; nobody waits for it and nothing grows.
pub(super) struct Channel {
    messages: usize,
    bytes: usize,
    waiting: Mutex<Waiting>,
}

#[derive(Default)]
struct Waiting {
    messages: VecDeque<Bytes>,
    bytes: usize,
    reader: Option<Waker>,
}

impl Channel {
    pub(super) fn new(limits: &Limits) -> Self {
        Self {
            messages: limits.stream_messages,
            bytes: limits.stream_bytes,
            waiting: Mutex::default(),
        }
    }

    /// Puts all that was said into `frame`, as events, and wakes the reader for what follows.
    pub(super) fn take(&self, frame: &mut Vec<u8>, cx: &Context<'_>) {
        let mut waiting = self.lock();
        for message in waiting.messages.drain(..) {
            event(frame, &message);
        }
        waiting.bytes = 0;
        waiting.reader = Some(cx.waker().clone());
    }

    pub(super) fn is_empty(&self) -> bool {
        self.lock().messages.is_empty()
    }

    /// Ready as soon as something is said.
    pub(super) fn poll_said(&self, cx: &Context<'_>) -> Poll<()> {
        let mut waiting = self.lock();
        if !waiting.messages.is_empty() {
            return Poll::Ready(());
        }
        waiting.reader = Some(cx.waker().clone());
        Poll::Pending
    }

    fn lock(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Outbox for Channel {
    fn send(&self, message: Bytes) {
        let mut waiting = self.lock();
        // One alone is never too long.
        let full = waiting.messages.len() >= self.messages
            || waiting.bytes + message.len() > self.bytes && !waiting.messages.is_empty();
        if full {
            tracing::debug!("a notice is left out: the caller does not read");
            return;
        }
        waiting.bytes += message.len();
        waiting.messages.push_back(message);
        if let Some(reader) = waiting.reader.take() {
            reader.wake();
        }
    }
}

/// Writes an event. A message of the protocol is always one line.
pub(super) fn event(frame: &mut Vec<u8>, message: &[u8]) {
    frame.extend_from_slice(b"data: ");
    frame.extend_from_slice(message);
    frame.extend_from_slice(b"\n\n");
}

//! What a request says before its answer.

use std::{
    collections::VecDeque,
    sync::{Mutex, MutexGuard, PoisonError},
    task::{Context, Poll, Waker},
    time::Duration,
};

use bytes::Bytes;

use super::sessions::Log;
use crate::{mcp::Outbox, runtime::Limits};

/// Notices on their way to the stream of the request they belong to.
///
/// A caller that reads slowly misses some; nobody waits for it and nothing grows. What is asked it never misses:
/// no more is said while a question is open than the log remembers.
pub(super) struct Channel {
    messages: usize,
    bytes: usize,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    messages: VecDeque<Bytes>,
    bytes: usize,
    release: Option<Duration>,
    reader: Option<Waker>,
    /// Where everything goes, once there is such a place.
    log: Option<Log>,
    open: Open,
}

/// The questions without an answer, and what was said since the first of them, itself included.
#[derive(Default)]
struct Open {
    questions: usize,
    messages: usize,
    bytes: usize,
}

impl Channel {
    pub(super) fn new(limits: &Limits) -> Self {
        Self {
            messages: limits.stream_messages,
            bytes: limits.stream_bytes,
            state: Mutex::default(),
        }
    }

    /// Takes all that was said, and wakes the reader for what follows.
    pub(super) fn take(&self, cx: &Context<'_>) -> VecDeque<Bytes> {
        let mut state = self.lock();
        state.bytes = 0;
        state.reader = Some(cx.waker().clone());
        std::mem::take(&mut state.messages)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.lock().messages.is_empty()
    }

    /// Ready as soon as there is a reason for a stream.
    pub(super) fn poll_said(&self, cx: &Context<'_>) -> Poll<()> {
        let mut state = self.lock();
        if !state.messages.is_empty() || state.release.is_some() {
            return Poll::Ready(());
        }
        state.reader = Some(cx.waker().clone());
        Poll::Pending
    }

    /// Everything goes to `log` from now on, and what waits goes there first.
    pub(super) fn divert(&self, log: &Log) {
        let mut state = self.lock();
        for message in state.messages.drain(..) {
            log.append(message);
        }
        if let Some(retry) = state.release.take() {
            log.release(retry);
        }
        state.log = Some(log.clone());
    }

    /// Whether a message pushes no question out of what is remembered.
    fn keeps_questions(&self, open: &Open, message: &Bytes) -> bool {
        // One alone is never too long.
        open.messages == 0
            || open.messages < self.messages && open.bytes + message.len() <= self.bytes
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn add(&mut self, message: Bytes) {
        if self.open.questions > 0 {
            self.open.messages += 1;
            self.open.bytes += message.len();
        }
        if let Some(log) = &self.log {
            // Under the lock, so that none overtakes another.
            log.append(message);
            return;
        }
        self.bytes += message.len();
        self.messages.push_back(message);
        if let Some(reader) = self.reader.take() {
            reader.wake();
        }
    }
}

impl Outbox for Channel {
    fn send(&self, message: Bytes) {
        let mut state = self.lock();
        // One alone is never too long.
        let full = state.messages.len() >= self.messages
            || state.bytes + message.len() > self.bytes && !state.messages.is_empty();
        let full = full && state.log.is_none();
        if full || !self.keeps_questions(&state.open, &message) {
            tracing::debug!("a notice is left out: the caller does not read");
            return;
        }
        state.add(message);
    }

    fn ask(&self, request: Bytes) -> bool {
        let mut state = self.lock();
        let keeps = self.keeps_questions(&state.open, &request);
        if keeps {
            state.open.questions += 1;
            state.add(request);
        }
        keeps
    }

    fn settled(&self) {
        let mut state = self.lock();
        state.open.questions = state.open.questions.saturating_sub(1);
        if state.open.questions == 0 {
            state.open = Open::default();
        }
    }

    fn release(&self, retry: Duration) {
        let mut state = self.lock();
        if let Some(log) = &state.log {
            log.release(retry);
            return;
        }
        state.release = Some(retry);
        if let Some(reader) = state.reader.take() {
            reader.wake();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn channel(messages: usize, bytes: usize) -> Channel {
        let limits = Limits { stream_messages: messages, stream_bytes: bytes, ..Limits::default() };
        Channel::new(&limits)
    }

    fn waiting(channel: &Channel) -> Vec<Bytes> {
        channel.lock().messages.iter().cloned().collect()
    }

    #[test]
    fn what_is_said_pushes_no_open_question_out() {
        let channel = channel(3, 1_000);
        assert!(channel.ask("one?".into()));
        for notice in ["a", "b", "c", "d"] {
            channel.send(notice.into());
        }
        assert_eq!(waiting(&channel), ["one?", "a", "b"]);
        assert!(!channel.ask("two?".into()), "the first would be forgotten");
        channel.settled();
        assert!(channel.ask("two?".into()));
        assert_eq!(channel.lock().open.messages, 1);
    }

    #[test]
    fn questions_have_room_by_their_bytes_too() {
        let channel = channel(100, 10);
        assert!(channel.ask("longer than ten?".into()), "one alone is never too long");
        assert!(!channel.ask("x".into()));
        channel.settled();
        assert!(channel.ask("five?".into()) && channel.ask("five?".into()));
        assert!(!channel.ask("x".into()));
    }
}

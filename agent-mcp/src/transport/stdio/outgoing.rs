//! What waits to be written.

use std::{
    collections::VecDeque,
    sync::{Mutex, MutexGuard, PoisonError},
};

use bytes::Bytes;
use tokio::sync::{Notify, OwnedSemaphorePermit};

use crate::mcp::Outbox;

/// The place of a call in flight, held until its reply is written: a client that does not read its replies
/// has nobody to blame but itself when no further call starts.
pub(super) type Place = OwnedSemaphorePermit;

/// The messages that wait to be written, in order.
///
/// Replies of calls are bounded by the places they hold, everything else by the bytes of `stdio_backlog`: so
/// many of other answers, over which nothing more is read, and so many of notices, over which they are left
/// out. The two are apart, so that a call which never stops to tell of its progress keeps nobody from reading
/// its cancellation.
pub(super) struct Outgoing {
    queue: Mutex<Queue>,
    added: Notify,
    backlog: usize,
}

#[derive(Default)]
struct Queue {
    waiting: VecDeque<Message>,
    /// The bytes of answers without a place.
    answers: usize,
    notices: usize,
    left_out: u64,
}

/// One message, without its line end.
pub(super) struct Message {
    pub(super) bytes: Bytes,
    pub(super) place: Option<Place>,
    is_notice: bool,
}

impl Message {
    fn answer(bytes: Bytes, place: Option<Place>) -> Self {
        Self { bytes, place, is_notice: false }
    }

    fn notice(bytes: Bytes) -> Self {
        Self { bytes, place: None, is_notice: true }
    }
}

impl Outgoing {
    pub(super) fn new(backlog: usize) -> Self {
        Self { queue: Mutex::default(), added: Notify::new(), backlog }
    }

    /// Adds an answer; that of a call holds its place until it is written.
    pub(super) fn add(&self, bytes: Bytes, place: Option<Place>) {
        self.queue().push(Message::answer(bytes, place));
        self.added.notify_one();
    }

    /// Adds an answer that has no place.
    pub(super) fn answer(&self, bytes: Bytes) {
        self.add(bytes, None);
    }

    /// Whether there is room for answers that hold no place.
    pub(super) fn has_room(&self) -> bool {
        self.queue().answers < self.backlog
    }

    /// Whether there is so much room that a few notices are sure of it.
    pub(super) fn has_much_room(&self) -> bool {
        self.queue().notices <= self.backlog / 2
    }

    pub(super) fn is_empty(&self) -> bool {
        self.queue().waiting.is_empty()
    }

    /// Waits until there is something to write.
    pub(super) async fn something(&self) {
        while self.is_empty() {
            self.added.notified().await;
        }
    }

    /// Takes messages from the front for as long as `take` wants them.
    pub(super) fn take_while(&self, mut take: impl FnMut(&Message) -> bool) -> Vec<Message> {
        let mut queue = self.queue();
        let count = queue.waiting.iter().take_while(|message| take(message)).count();
        let taken: Vec<_> = queue.waiting.drain(..count).collect();
        for message in &taken {
            if let Some(waiting) = queue.waiting_bytes(message) {
                *waiting -= message.bytes.len();
            }
        }
        taken
    }

    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Queue {
    fn push(&mut self, message: Message) {
        if let Some(waiting) = self.waiting_bytes(&message) {
            *waiting += message.bytes.len();
        }
        self.waiting.push_back(message);
    }

    /// Where the bytes of such a message are counted; those of a call's reply are not.
    fn waiting_bytes(&mut self, message: &Message) -> Option<&mut usize> {
        match message {
            Message { is_notice: true, .. } => Some(&mut self.notices),
            Message { place: None, .. } => Some(&mut self.answers),
            Message { place: Some(_), .. } => None,
        }
    }
}

impl Outbox for Outgoing {
    /// Adds a notice, unless the client reads so slowly that they pile up.
    fn send(&self, message: Bytes) {
        let mut queue = self.queue();
        if queue.notices >= self.backlog {
            queue.left_out += 1;
            if queue.left_out.is_power_of_two() {
                tracing::warn!(
                    left_out = queue.left_out,
                    "the client reads too slowly: notices over `stdio_backlog` are left out"
                );
            }
            return;
        }
        queue.push(Message::notice(message));
        drop(queue);
        self.added.notify_one();
    }
}

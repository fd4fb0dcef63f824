//! The calls of one connection: those in flight, and those that wait for a place.

use std::{
    collections::VecDeque,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll, Waker},
};

use tokio::{sync::Semaphore, task::JoinSet};

use super::{
    outgoing::{Outgoing, Place},
    peer::Exchange,
};

/// Runs exchanges, so many at a time.
pub(super) struct Calls<E> {
    places: Arc<Semaphore>,
    /// How many places there are.
    in_flight: usize,
    outgoing: Arc<Outgoing>,
    waiting: VecDeque<E>,
    /// The bytes of those that wait, and how many are allowed.
    queued: usize,
    queue: usize,
    /// Dropping it drops every call.
    running: JoinSet<()>,
}

impl<E: Exchange> Calls<E> {
    pub(super) fn new(in_flight: usize, queue: usize, outgoing: Arc<Outgoing>) -> Self {
        let in_flight = in_flight.clamp(1, Semaphore::MAX_PERMITS);
        Self {
            places: Arc::new(Semaphore::new(in_flight)),
            in_flight,
            outgoing,
            waiting: VecDeque::new(),
            queued: 0,
            queue,
            running: JoinSet::new(),
        }
    }

    /// Whether a call that comes now starts now.
    pub(super) fn has_place(&self) -> bool {
        self.waiting.is_empty() && self.places.available_permits() > 0
    }

    /// Whether nothing runs and nothing waits.
    pub(super) fn is_idle(&self) -> bool {
        self.waiting.is_empty() && self.running.is_empty()
    }

    /// Starts `call`, or lets it wait, or refuses it.
    pub(super) fn add(&mut self, call: E) {
        if call.is_stream() {
            return self.start(call, None);
        }
        let calls = call.calls();
        if calls > self.in_flight {
            return self.outgoing.answer(call.refuse(&format!(
                "The message holds {calls} calls, more than the limit `calls_in_flight` of {}",
                self.in_flight
            )));
        }
        if self.waiting.is_empty()
            && let Some(place) = self.place(calls)
        {
            return self.start(call, Some(place));
        }
        let size = call.size();
        if self.is_full(size) {
            self.let_go();
        }
        if self.is_full(size) {
            return self.outgoing.answer(call.refuse(&format!(
                "The server is busy: the calls that wait have {} bytes, which is the limit `stdio_queue`",
                self.queue
            )));
        }
        self.queued += size;
        self.waiting.push_back(call);
    }

    /// Places for so many calls, if they are free.
    fn place(&self, calls: usize) -> Option<Place> {
        let calls = u32::try_from(calls).ok()?;
        self.places.clone().try_acquire_many_owned(calls).ok()
    }

    fn is_full(&self, size: usize) -> bool {
        self.queued.saturating_add(size) > self.queue
    }

    /// Lets the calls end that were cancelled while they waited: they need no place for it.
    fn let_go(&mut self) {
        for call in std::mem::take(&mut self.waiting) {
            if call.is_cancelled() {
                self.queued -= call.size();
                self.start(call, None);
            } else {
                self.waiting.push_back(call);
            }
        }
    }

    /// Waits for what moves calls on: a place for one that waits, or the end of one that runs.
    ///
    /// Dropping the future loses nothing. It never ends while nothing waits and nothing runs.
    pub(super) async fn progress(&mut self) {
        let first = self.waiting.front().map_or(0, Exchange::calls);
        let places = self.places.clone();
        tokio::select! {
            // No message waits that holds more calls than there are places.
            Ok(place) = places.acquire_many_owned(u32::try_from(first).unwrap_or(u32::MAX)),
                if first > 0 => self.start_waiting(place),
            Some(_) = self.running.join_next() => {}
            else => std::future::pending().await,
        }
    }

    fn start_waiting(&mut self, place: Place) {
        let mut place = Some(place);
        while let Some(calls) = self.waiting.front().map(Exchange::calls)
            && let Some(place) = place.take().or_else(|| self.place(calls))
            && let Some(call) = self.waiting.pop_front()
        {
            self.queued -= call.size();
            self.start(call, Some(place));
        }
    }

    /// Polls the call where it is: most are done at once and need no task.
    fn start(&mut self, mut call: E, place: Option<Place>) {
        // The task polls once more and leaves its own waker, so the one of this poll may do nothing.
        let mut context = Context::from_waker(Waker::noop());
        match Pin::new(&mut call).poll(&mut context) {
            Poll::Ready(Some(reply)) => self.outgoing.add(reply, place),
            Poll::Ready(None) => {}
            Poll::Pending => {
                let outgoing = self.outgoing.clone();
                self.running.spawn(async move {
                    if let Some(reply) = call.await {
                        outgoing.add(reply, place);
                    }
                });
            }
        }
    }
}

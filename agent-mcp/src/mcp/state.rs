//! What a connection remembers: its session and what is in flight.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use tokio::sync::oneshot;
use tokio_util::sync::CancellationToken;

use super::{
    exchange::Outbox,
    id::Id,
    offered::Offered,
    session::Session,
    subscription::Stream,
    updates::{Looking, Watched},
};
use crate::runtime::{Answer, Client};

/// The state of one connection, behind one lock that is never held for long.
///
/// Notices are handed to the outbox under the lock, so that none overtakes what it must follow.
#[derive(Clone, Default)]
pub(crate) struct Shared(Arc<Mutex<State>>);

#[derive(Default)]
pub(crate) struct State {
    pub(crate) closed: bool,
    /// What a handshake has agreed on.
    pub(crate) session: Option<Session>,
    /// The requests that are being worked on. Several have one id only where each is answered on a channel
    /// of its own.
    flights: HashMap<Arc<str>, Vec<Entry>>,
    /// What was asked of the client and is not answered, by the id of the request (LSR-3).
    pub(crate) questions: HashMap<String, oneshot::Sender<Answer>>,
    /// Whether the client has said its last word, so that nothing that it is asked will be answered.
    pub(crate) is_over: bool,
    /// How often a change was compared, to see whether one came in between.
    pub(crate) changes: u64,
    /// Tells two requests with one id apart, when the first is gone (O7).
    next: u64,
    /// Whether somebody compares what is subscribed to.
    pub(crate) looking: Looking,
    /// The last modern client: most say the same with every request.
    pub(crate) known: Option<Known>,
}

/// What a client said of itself, and what was read from it.
pub(crate) struct Known {
    pub(crate) capabilities: Box<str>,
    pub(crate) info: Option<Box<str>>,
    pub(crate) client: Arc<Client>,
}

/// A request that is being worked on.
struct Entry {
    number: u64,
    cancellation: CancellationToken,
    /// Whether it is a stream of notices, or becomes one.
    is_stream: bool,
    stream: Option<Stream>,
}

impl Shared {
    pub(crate) fn lock(&self) -> MutexGuard<'_, State> {
        // Nothing that can panic runs under the lock.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Puts the request `id` among those in flight. The state is this one's, locked already.
    pub(crate) fn take_off(&self, state: &mut State, id: Id<'_>) -> Flight {
        let key: Arc<str> = id.key().into();
        let raw = if *key == *id.raw() { key.clone() } else { id.raw().into() };
        let cancellation = CancellationToken::new();
        let number = state.next;
        state.next += 1;
        let entry =
            Entry { number, cancellation: cancellation.clone(), is_stream: false, stream: None };
        state.flights.entry(key.clone()).or_default().push(entry);
        Flight { id: raw, key, number, cancellation, shared: self.clone(), landed: false }
    }
}

impl State {
    /// Whether a request with that id is in flight.
    pub(crate) fn is_in_flight(&self, id: Id<'_>) -> bool {
        self.flights.contains_key(&*id.key())
    }

    /// The client answers a question. What was not asked is not answered (LSR-3).
    pub(crate) fn answer(&mut self, id: &str, answer: Answer) {
        if let Some(waiting) = self.questions.remove(id) {
            // Whoever asked may have gone in the meantime.
            let _ = waiting.send(answer);
        }
    }

    /// The caller no longer wants the answer. What is unknown or finished is nothing to it (CAN-2).
    pub(crate) fn cancel(&mut self, id: Id<'_>) {
        let key = id.key();
        match self.flights.get(&*key).map_or(0, Vec::len) {
            0 => {}
            1 => {
                for entry in self.flights.remove(&*key).into_iter().flatten() {
                    entry.cancellation.cancel();
                }
            }
            // Guessing would stop somebody else's call.
            calls => tracing::warn!(calls, "a cancellation that means several calls is ignored"),
        }
    }

    /// Whether anybody is to be told of changes.
    pub(crate) fn wants_changes(&self, outbox: &dyn Outbox) -> bool {
        let ready = |session: &Session| {
            session.initialized && session.told.is_known() || !session.subscriptions.is_empty()
        };
        self.session.as_ref().is_some_and(ready) && outbox.is_heard() || self.streams() > 0
    }

    /// Tells of the difference between what is on offer and what was told (B129).
    pub(crate) fn announce(&mut self, offered: &Offered, outbox: &dyn Outbox) {
        // A closed connection has neither a session nor a stream (B133).
        if let Some(Session { initialized: true, told, .. }) = &mut self.session
            && outbox.is_heard()
        {
            for list in told.catch_up(offered) {
                let notice = [r#"{"jsonrpc":"2.0","method":""#, list.changed(), r#""}"#].concat();
                outbox.send(notice.into());
            }
        }
        for stream in self.streams_mut() {
            stream.tell(offered);
        }
    }

    /// How many streams are open.
    pub(crate) fn streams(&self) -> usize {
        self.flights.values().flatten().filter(|entry| entry.is_stream).count()
    }

    pub(crate) fn streams_mut(&mut self) -> impl Iterator<Item = &mut Stream> {
        self.entries().filter_map(|entry| entry.stream.as_mut())
    }

    /// What streams are subscribed to.
    pub(crate) fn watched(&self) -> impl Iterator<Item = &Watched> {
        let streams = self.flights.values().flatten().filter_map(|entry| entry.stream.as_ref());
        streams.flat_map(Stream::watched)
    }

    fn entries(&mut self) -> impl Iterator<Item = &mut Entry> {
        self.flights.values_mut().flatten()
    }

    /// A request in flight will become a stream, and takes the place of one.
    pub(crate) fn opens(&mut self, flight: &Flight) {
        if let Some(entry) = self.entry(flight) {
            entry.is_stream = true;
        }
    }

    /// Makes a request in flight a stream and says so on it, unless it was ended meanwhile.
    pub(crate) fn open(&mut self, flight: &Flight, stream: Stream) {
        if let Some(entry) = self.entry(flight).filter(|entry| !entry.cancellation.is_cancelled()) {
            stream.acknowledge();
            entry.stream = Some(stream);
        }
    }

    fn entry(&mut self, flight: &Flight) -> Option<&mut Entry> {
        let mut entries = self.flights.get_mut(&*flight.key).into_iter().flatten();
        entries.find(|entry| entry.number == flight.number)
    }

    /// Ends the streams; their requests are answered (SUB-7).
    pub(crate) fn end_streams(&mut self) {
        for entry in self.entries() {
            if entry.is_stream {
                entry.stream = None;
                entry.cancellation.cancel();
            }
        }
    }

    /// Nothing more comes from the client: streams end, and what it was asked is not waited for.
    pub(crate) fn end_input(&mut self) {
        self.is_over = true;
        self.questions.clear();
        self.end_streams();
    }

    /// Ends everything (B133). Calls are not answered, streams are.
    pub(crate) fn close(&mut self) {
        self.closed = true;
        self.session = None;
        self.questions.clear();
        self.flights.retain(|_, entries| {
            entries.retain_mut(|entry| {
                entry.cancellation.cancel();
                entry.stream = None;
                entry.is_stream
            });
            !entries.is_empty()
        });
    }
}

/// A request that waits to be answered.
pub(crate) struct Awaited {
    pub(crate) id: Arc<str>,
    pub(crate) cancellation: CancellationToken,
}

/// The place of one request among those in flight; given up when it is dropped.
pub(crate) struct Flight {
    /// The id as it came.
    pub(crate) id: Arc<str>,
    key: Arc<str>,
    number: u64,
    pub(crate) cancellation: CancellationToken,
    shared: Shared,
    landed: bool,
}

impl Flight {
    /// What is to be known of the request while it waits.
    pub(crate) fn answer(&self) -> Awaited {
        Awaited { id: self.id.clone(), cancellation: self.cancellation.clone() }
    }

    /// Gives the place up and says whether the request is still to be answered.
    pub(crate) fn land(mut self) -> bool {
        self.landed = true;
        self.leave()
    }

    fn leave(&self) -> bool {
        let mut state = self.shared.lock();
        // O7: by number, so that another request which has the id by now keeps its place.
        let Some(entries) = state.flights.get_mut(&*self.key) else { return false };
        let place = entries.iter().position(|entry| entry.number == self.number);
        if let Some(place) = place {
            entries.swap_remove(place);
            if entries.is_empty() {
                state.flights.remove(&*self.key);
            }
        }
        place.is_some()
    }
}

impl Drop for Flight {
    fn drop(&mut self) {
        if !self.landed {
            self.leave();
            // Whoever waited went away.
            self.cancellation.cancel();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(raw: &str) -> Id<'_> {
        Id::new(raw).unwrap()
    }

    fn fly(shared: &Shared, raw: &str) -> Flight {
        let mut state = shared.lock();
        shared.take_off(&mut state, id(raw))
    }

    #[test]
    fn cancel_042_the_type_of_an_id_counts() {
        let shared = Shared::default();
        let flight = fly(&shared, "3");
        shared.lock().cancel(id("\"3\""));
        assert!(!flight.cancellation.is_cancelled());
        shared.lock().cancel(id("3"));
        assert!(flight.cancellation.is_cancelled());
        assert!(!flight.land(), "a cancelled call is not answered");
    }

    #[test]
    fn o7_an_id_that_is_used_again_keeps_its_place() {
        let shared = Shared::default();
        let first = fly(&shared, "1");
        shared.lock().cancel(id("1"));
        let second = fly(&shared, "1");
        assert!(!first.land());
        assert!(shared.lock().is_in_flight(id("1")));
        assert!(!second.cancellation.is_cancelled());
        assert!(second.land());
        assert!(!shared.lock().is_in_flight(id("1")));
    }

    #[test]
    fn a_dropped_flight_is_cancelled_and_leaves() {
        let shared = Shared::default();
        let flight = fly(&shared, "1");
        let cancellation = flight.cancellation.clone();
        drop(flight);
        assert!(cancellation.is_cancelled());
        assert!(!shared.lock().is_in_flight(id("1")));
    }

    #[test]
    fn an_escaped_id_is_the_same_id() {
        let shared = Shared::default();
        let flight = fly(&shared, r#""\u0061""#);
        assert_eq!(&*flight.id, r#""\u0061""#);
        assert!(shared.lock().is_in_flight(id("\"a\"")));
    }
}

//! Sessions in memory.

use std::{
    collections::HashMap,
    fmt,
    future::ready,
    pin::Pin,
    sync::{Arc, Mutex, MutexGuard, PoisonError, Weak},
    task::{Context, Poll},
    time::Duration,
};

use bytes::Bytes;
use futures_core::Stream;
use tokio::time::Instant;

use super::{
    Admission, EventId, Hear, Pending, Replica, SessionFacts, SessionLimits, SessionStore, Signal,
    StreamKind, Tail, Told, log::Logs,
};
use crate::{
    host::Subscription,
    mcp::{Used, UsedHere},
    runtime::PrincipalId,
};

/// Sessions in the memory of one process. Clones are the same store, for servers that share it.
#[derive(Clone, Default)]
pub struct MemoryStore {
    inner: Arc<Inner>,
}

#[derive(Default)]
struct Inner {
    table: Mutex<Table>,
    used: UsedHere,
}

#[derive(Default)]
struct Table {
    sessions: HashMap<Arc<str>, Arc<Entry>>,
    /// How many sessions each owner has.
    owners: HashMap<PrincipalId, usize>,
}

struct Entry {
    id: Arc<str>,
    owner: PrincipalId,
    idle: Duration,
    state: Mutex<State>,
}

struct State {
    record: Bytes,
    /// When it is over, if nothing happens until then.
    end: Instant,
    over: bool,
    servers: Vec<(Replica, Hear)>,
    logs: Logs,
}

impl MemoryStore {
    /// An empty store.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// How many sessions there are.
    #[must_use]
    pub fn sessions(&self) -> usize {
        self.inner.table().sessions.len()
    }
}

impl Inner {
    fn table(&self) -> MutexGuard<'_, Table> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn entry(&self, session: &str) -> Option<Arc<Entry>> {
        self.table().sessions.get(session).cloned()
    }

    /// Ends sessions that are out of the table. No lock is held: whoever is told may ask for something.
    fn end(ended: Vec<Arc<Entry>>) -> bool {
        let any = !ended.is_empty();
        for entry in ended {
            let mut state = entry.lock();
            state.over = true;
            let (readers, servers) = (state.logs.end(), std::mem::take(&mut state.servers));
            drop(state);
            readers.into_iter().for_each(std::task::Waker::wake);
            for (_, hear) in servers {
                hear(&entry.id, Signal::Ended);
            }
        }
        any
    }
}

impl Table {
    fn remove(&mut self, session: &str) -> Option<Arc<Entry>> {
        let entry = self.sessions.remove(session)?;
        if let Some(count) = self.owners.get_mut(&entry.owner) {
            *count -= 1;
            if *count == 0 {
                self.owners.remove(&entry.owner);
            }
        }
        Some(entry)
    }
}

impl Entry {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Changes the streams, and wakes who reads.
    fn log(&self, change: impl FnOnce(&mut Logs) -> super::log::Wake) {
        let wake = change(&mut self.lock().logs);
        if let Some(waker) = wake {
            waker.wake();
        }
    }
}

fn done<'a, T: Send + 'a>(value: T) -> Pending<'a, T> {
    Box::pin(ready(Ok(value)))
}

impl SessionStore for MemoryStore {
    fn create<'a>(
        &'a self,
        session: &'a str,
        facts: SessionFacts,
        limits: SessionLimits,
    ) -> Pending<'a, Admission> {
        let SessionFacts { owner, record } = facts;
        let mut table = self.inner.table();
        if table.sessions.len() >= limits.sessions {
            return done(Admission::Full);
        }
        // Callers without a name are not one caller.
        let has = table.owners.get(&owner).copied().unwrap_or_default();
        if has >= limits.sessions_per_principal && owner != PrincipalId::anonymous() {
            return done(Admission::FullForOwner);
        }
        table.owners.insert(owner.clone(), has + 1);
        let id: Arc<str> = session.into();
        let state = Mutex::new(State {
            record,
            end: Instant::now() + limits.idle,
            over: false,
            servers: Vec::new(),
            logs: Logs::new(limits.stream_messages, limits.stream_bytes),
        });
        let entry = Arc::new(Entry { id: id.clone(), owner, idle: limits.idle, state });
        table.sessions.insert(id, entry);
        done(Admission::Admitted)
    }

    fn find<'a>(
        &'a self,
        session: &'a str,
        owner: &'a PrincipalId,
    ) -> Pending<'a, Option<SessionFacts>> {
        let mut table = self.inner.table();
        let Some(entry) =
            table.sessions.get(session).filter(|entry| entry.owner == *owner).cloned()
        else {
            return done(None);
        };
        let now = Instant::now();
        let mut state = entry.lock();
        if state.end <= now {
            drop(state);
            let ended = table.remove(session);
            drop(table);
            Inner::end(ended.into_iter().collect());
            return done(None);
        }
        state.end = now + entry.idle;
        done(Some(SessionFacts { owner: owner.clone(), record: state.record.clone() }))
    }

    fn update<'a>(&'a self, session: &'a str, record: Bytes) -> Pending<'a, ()> {
        if let Some(entry) = self.inner.entry(session) {
            entry.lock().record = record;
        }
        done(())
    }

    fn end<'a>(&'a self, session: &'a str, owner: &'a PrincipalId) -> Pending<'a, bool> {
        let mut table = self.inner.table();
        let is_own = table.sessions.get(session).is_some_and(|entry| entry.owner == *owner);
        let ended = if is_own { table.remove(session) } else { None };
        drop(table);
        done(Inner::end(ended.into_iter().collect()))
    }

    fn touch(&self, session: &str) {
        if let Some(entry) = self.inner.entry(session) {
            entry.lock().end = Instant::now() + entry.idle;
        }
    }

    fn sweep(&self) -> Pending<'_, Option<Duration>> {
        let now = Instant::now();
        let mut table = self.inner.table();
        let is_over = |entry: &Entry| entry.lock().end <= now;
        let over: Vec<_> = table
            .sessions
            .values()
            .filter(|entry| is_over(entry))
            .map(|it| it.id.clone())
            .collect();
        let ended = over.iter().filter_map(|id| table.remove(id)).collect();
        let next = table.sessions.values().map(|entry| entry.lock().end).min();
        drop(table);
        Inner::end(ended);
        done(next.map(|next| next - now))
    }

    fn open<'a>(&'a self, session: &'a str, kind: StreamKind) -> Pending<'a, Option<u64>> {
        let entry = self.inner.entry(session);
        done(entry.map(|entry| entry.lock().logs.open(kind)))
    }

    fn append(&self, session: &str, stream: u64, message: Bytes) {
        if let Some(entry) = self.inner.entry(session) {
            entry.log(|logs| logs.append(stream, message));
        }
    }

    fn tell(&self, session: &str, message: Bytes) {
        if let Some(entry) = self.inner.entry(session) {
            entry.log(|logs| logs.tell(message));
        }
    }

    fn finish(&self, session: &str, stream: u64) {
        if let Some(entry) = self.inner.entry(session) {
            entry.log(|logs| logs.finish(stream));
        }
    }

    fn release(&self, session: &str, stream: u64, retry: Duration) {
        if let Some(entry) = self.inner.entry(session) {
            entry.log(|logs| logs.release(stream, retry));
        }
    }

    fn resume<'a>(
        &'a self,
        session: &'a str,
        last: Option<EventId>,
    ) -> Pending<'a, Option<(EventId, StreamKind)>> {
        let entry = self.inner.entry(session);
        done(entry.and_then(|entry| entry.lock().logs.resume(last)))
    }

    fn tail<'a>(&'a self, session: &'a str, after: EventId) -> Pending<'a, Tail> {
        let entry = self.inner.entry(session);
        let reader = entry.map(|entry| {
            let (reader, former) = entry.lock().logs.attach(after.stream);
            if let Some(former) = former {
                former.wake();
            }
            Reader { entry, stream: after.stream, reader, after: after.event }
        });
        done(Box::pin(MemoryTail(reader)))
    }

    fn send<'a>(&'a self, session: &'a str, from: Replica, message: Bytes) -> Pending<'a, ()> {
        if let Some(entry) = self.inner.entry(session) {
            let state = entry.lock();
            let others = state.servers.iter().filter(|(replica, _)| *replica != from);
            let others: Vec<_> = others.map(|(_, hear)| hear.clone()).collect();
            drop(state);
            for hear in others {
                hear(session, Signal::Message(message.clone()));
            }
        }
        done(())
    }

    fn subscribe(&self, session: &str, replica: Replica, hear: Hear) -> Subscription {
        let Some(entry) = self.inner.entry(session) else {
            hear(session, Signal::Ended);
            return Subscription::new(|| {});
        };
        entry.lock().servers.push((replica, hear));
        let entry: Weak<Entry> = Arc::downgrade(&entry);
        Subscription::new(move || {
            if let Some(entry) = entry.upgrade() {
                let mut state = entry.lock();
                let place = state.servers.iter().position(|(other, _)| *other == replica);
                let gone = place.map(|place| state.servers.swap_remove(place));
                drop(state);
                drop(gone);
            }
        })
    }

    fn claim<'a>(&'a self, nonce: &'a str, lifetime: Duration) -> Pending<'a, bool> {
        self.inner.used.claim(nonce, lifetime)
    }

    fn unclaim<'a>(&'a self, nonce: &'a str) -> Pending<'a, ()> {
        self.inner.used.unclaim(nonce)
    }
}

impl fmt::Debug for MemoryStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MemoryStore").field("sessions", &self.sessions()).finish()
    }
}

/// Reads a stream; nothing where the session is over.
struct MemoryTail(Option<Reader>);

struct Reader {
    entry: Arc<Entry>,
    stream: u64,
    reader: u64,
    after: u64,
}

impl Stream for MemoryTail {
    type Item = Told;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Told>> {
        let Some(Reader { entry, stream, reader, after }) = &mut self.0 else {
            return Poll::Ready(None);
        };
        let mut state = entry.lock();
        if state.over {
            return Poll::Ready(None);
        }
        state.logs.poll(*stream, *reader, after, cx)
    }
}

impl Drop for Reader {
    fn drop(&mut self) {
        self.entry.lock().logs.detach(self.stream, self.reader);
    }
}

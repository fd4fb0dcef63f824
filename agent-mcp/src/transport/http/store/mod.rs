//! Where sessions are kept, so that several servers can serve the same ones.

mod log;
mod memory;

use std::{fmt, future::Future, pin::Pin, str::FromStr, sync::Arc, time::Duration};

use bytes::Bytes;
use futures_core::Stream;

pub use self::memory::MemoryStore;
use crate::{
    host::{BoxError, Subscription},
    mcp::Used,
    runtime::PrincipalId,
};

/// What a store works on.
pub type Pending<'a, T> = Pin<Box<dyn Future<Output = Result<T, BoxError>> + Send + 'a>>;

/// Keeps the sessions of one server, or of several that stand for each other: who owns each, what was agreed
/// in it, and what was said on its streams.
///
/// Without another one, each server keeps its own in a [`MemoryStore`]. Servers that share a store serve each
/// other's sessions: a session that began at one goes on at any.
///
/// An id is known to its owner alone. For anybody else there is no such session, and asking for it changes
/// nothing (B152). What gives no future is called on the way of a message and must not block: a store that
/// writes elsewhere queues it, in order. A store that fails answers an error, which the caller sees as a
/// failure of the server; what it could not write is lost and nothing else.
pub trait SessionStore: Send + Sync + 'static {
    /// Begins a session, if there is room.
    fn create<'a>(
        &'a self,
        session: &'a str,
        facts: SessionFacts,
        limits: SessionLimits,
    ) -> Pending<'a, Admission>;

    /// The facts of a session of `owner`, which is not idle from now on.
    fn find<'a>(&'a self, session: &'a str, owner: &'a PrincipalId) -> Pending<'a, Option<Facts>>;

    /// Writes down anew what is to be known of a session.
    fn update<'a>(&'a self, session: &'a str, record: Bytes) -> Pending<'a, ()>;

    /// Ends a session of `owner` and all its streams, and tells the servers; false where there is none.
    fn end<'a>(&'a self, session: &'a str, owner: &'a PrincipalId) -> Pending<'a, bool>;

    /// Something goes on in the session, or has just ended: it is idle from now on.
    fn touch(&self, session: &str);

    /// Ends what was idle for too long, and says when to ask again; `None` while there are no sessions. A
    /// store whose entries end by themselves says so too.
    fn sweep(&self) -> Pending<'_, Option<Duration>>;

    /// Opens a stream and gives its number; `None` where the session is over.
    fn open<'a>(&'a self, session: &'a str, kind: StreamKind) -> Pending<'a, Option<u64>>;

    /// Adds a message to a stream.
    fn append(&self, session: &str, stream: u64, message: Bytes);

    /// Adds a message that belongs to no request: to the newest standing stream that somebody reads, else to
    /// the newest there is. Where there never was one, nobody is told (B163).
    fn tell(&self, session: &str, message: Bytes);

    /// Nothing follows on the stream.
    fn finish(&self, session: &str, stream: u64);

    /// Lets go who reads the stream at the moment; the stream goes on.
    fn release(&self, session: &str, stream: u64, retry: Duration);

    /// Where a reader goes on that has read up to `last`: there, if a stream remembers it, or at the beginning
    /// of the only stream that there is (B165).
    fn resume<'a>(
        &'a self,
        session: &'a str,
        last: Option<EventId>,
    ) -> Pending<'a, Option<(EventId, StreamKind)>>;

    /// What follows on a stream after an event: first what is there, then what comes, without a gap and
    /// nothing twice. It ends with the stream, and when somebody else reads the stream from then on (O25).
    fn tail<'a>(&'a self, session: &'a str, after: EventId) -> Pending<'a, Tail>;

    /// Hands an answer, or a cancellation, to the other servers: one of them may be waiting for it.
    fn send<'a>(&'a self, session: &'a str, from: Replica, message: Bytes) -> Pending<'a, ()>;

    /// Tells a server what happens to a session elsewhere, as long as the subscription is kept.
    fn subscribe(&self, session: &str, replica: Replica, hear: Hear) -> Subscription;

    /// Uses up `nonce`; false where that was done before, so of several that try it at the same time one
    /// succeeds. It is remembered for `lifetime`, and need not be for longer. How many there are the servers
    /// limit (`used_states`).
    fn claim<'a>(&'a self, nonce: &'a str, lifetime: Duration) -> Pending<'a, bool>;

    /// Forgets that `nonce` was used up: the call that it was for did not go on, and may be tried again.
    fn unclaim<'a>(&'a self, nonce: &'a str) -> Pending<'a, ()>;
}

/// What may be used once, known to all servers that share a store.
pub(super) struct UsedInStore(pub(super) Arc<dyn SessionStore>);

impl Used for UsedInStore {
    fn claim<'a>(&'a self, nonce: &'a str, lifetime: Duration) -> Pending<'a, bool> {
        self.0.claim(nonce, lifetime)
    }

    fn unclaim<'a>(&'a self, nonce: &'a str) -> Pending<'a, ()> {
        self.0.unclaim(nonce)
    }
}

/// Hears what happens to the session of that id.
pub type Hear = Arc<dyn Fn(&str, Signal) + Send + Sync>;

/// What is read from a stream.
pub type Tail = Pin<Box<dyn Stream<Item = Told> + Send>>;

/// Whose a session is, and what was agreed in it.
#[derive(Clone, Debug, PartialEq)]
pub struct SessionFacts {
    /// Whose it is.
    pub owner: PrincipalId,
    /// What the protocol has to know of it, a text of JSON.
    pub record: Bytes,
}

use SessionFacts as Facts;

/// What holds for a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SessionLimits {
    /// How many sessions there may be.
    pub sessions: usize,
    /// How many each owner may have, unless it is anonymous.
    pub sessions_per_principal: usize,
    /// How long it may be idle.
    pub idle: Duration,
    /// How many messages of each stream are remembered, and of how many streams.
    pub stream_messages: usize,
    /// How many bytes of each stream are remembered, and of all that are finished.
    pub stream_bytes: usize,
}

/// Whether there was room for a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Admission {
    /// It has begun.
    Admitted,
    /// There are too many.
    Full,
    /// Its owner has too many.
    FullForOwner,
}

/// What a stream is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StreamKind {
    /// What belongs to no request.
    Standing,
    /// One request: what it says, and its reply at the end.
    Request,
}

/// What a stream has for its reader.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Told {
    /// The message of that number, counted from 1.
    Message(u64, Bytes),
    /// The reader is let go: it may come back after that time.
    Release(Duration),
}

/// What happens to a session at another server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Signal {
    /// A message came that may be meant for this one.
    Message(Bytes),
    /// It has ended.
    Ended,
}

/// One of the servers that share a store.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Replica(pub(super) u128);

/// The place of an event: the stream and the number in it. As text it is both, with a dot between them, so it
/// is unique in its session (B162).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EventId {
    /// The number of the stream.
    pub stream: u64,
    /// The number of the event in it; 0 is before the first.
    pub event: u64,
}

impl fmt::Display for EventId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.stream, self.event)
    }
}

impl FromStr for EventId {
    type Err = std::num::ParseIntError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (stream, event) = text.split_once('.').unwrap_or((text, ""));
        Ok(Self { stream: stream.parse()?, event: event.parse()? })
    }
}

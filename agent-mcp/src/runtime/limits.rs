//! The limits of a server, by name.

use std::{num::NonZeroU32, time::Duration};

/// Every limit of a server, each a named setting with a safe default.
///
/// A call that meets a limit is answered with an error that names the setting.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Limits {
    /// The longest result of a capability or a read, in bytes: 16 MiB.
    pub result: usize,
    /// How many calls one connection or session may have in flight: 256. Over HTTP in the modern era, which has
    /// neither, it counts for each principal. Each member of a batch is a call.
    ///
    /// A blocking method that goes on after its call was cancelled is not counted any more, and keeps its
    /// [thread](macro@crate::capability#where-it-runs).
    pub calls_in_flight: usize,
    /// How many calls each principal may begin in a second, and at once after a rest: no limit. In-process calls
    /// are not counted.
    pub calls_per_second: Option<NonZeroU32>,
    /// The longest line on standard input, in bytes: 16 MiB.
    pub stdio_line: usize,
    /// How many bytes of calls may wait on standard input for one in flight to end: 16 MiB.
    pub stdio_queue: usize,
    /// How many bytes of notices, and how many of answers that are no calls', may wait for a client that does
    /// not read: 1 MiB of each. Over it notices are left out, and nothing more is read from the client.
    pub stdio_backlog: usize,
    /// The longest body of a request over HTTP, in bytes: 4 MiB.
    pub http_body: usize,
    /// How many bytes the line and the headers of a request over HTTP may have: 64 KiB.
    pub http_head: usize,
    /// How long the head of a request over HTTP may take to arrive, and then its body: 30 seconds. So long a
    /// connection is also kept for its next request.
    pub http_read: Duration,
    /// How many connections a server that listens itself may have: 20,000, which is two for each session. Others
    /// wait until there is a place.
    pub connections: usize,
    /// How often a call may ask its caller, several questions at a time counted as one: 64 times.
    pub rounds: usize,
    /// How long a call waits for the answers to its questions: 5 minutes. It does not count for its time limit.
    pub answer: Duration,
    /// The longest of what a client carries for the server between two questions, in bytes: 64 KiB.
    pub state: usize,
    /// How long a client may carry it: 10 minutes.
    pub state_age: Duration,
    /// How many states may have been used that are not too old, of methods that must not run twice: 100,000. A
    /// used one is remembered until it is too old, and none is forgotten before; over the limit no further one
    /// is accepted.
    pub used_states: usize,
    /// How many of them each authenticated principal may have used: 1,000.
    pub used_states_per_principal: usize,
    /// How many tasks a server may have, those among them that have ended: 10,000.
    pub tasks: usize,
    /// How many tasks each authenticated principal may have: 100.
    pub tasks_per_principal: usize,
    /// How long a task is kept from its beginning; one that still runs then is cancelled: 1 hour.
    pub task_ttl: Duration,
    /// How long a call may take before its answer becomes a stream: 250 milliseconds.
    pub stream_after: Duration,
    /// How many messages may wait for the reader of a stream: 100. What does not fit is left out.
    pub stream_messages: usize,
    /// How many bytes of messages may wait for the reader of a stream: 1 MiB.
    pub stream_bytes: usize,
    /// How long a stream may be silent before a comment is sent to keep it alive: 15 seconds.
    pub keep_alive: Duration,
    /// How many sessions a server over HTTP may have: 10,000. An idle one takes less than 2 KiB.
    pub sessions: usize,
    /// How many sessions each authenticated principal may have: 1,000.
    pub sessions_per_principal: usize,
    /// How long a session may be idle, and agents of a caller that has none: 30 minutes. They are not while a
    /// call of theirs runs.
    pub session_idle: Duration,
    /// How many callers without a session may have agents of their own at a time, where agents are made per
    /// caller: 10,000. At the limit the one goes that was not used for the longest time.
    pub callers: usize,
    /// How long making the agents of a caller may take, where they are made per caller: 30 seconds.
    pub binding: Duration,
    /// How long calls and tasks may go on when the server is closed or its input ends: 10 seconds. What still
    /// runs then is cancelled.
    pub drain: Duration,
    /// How long a cancelled method is polled on to clean up: 50 milliseconds.
    pub grace: Duration,
    /// How long the state must be at rest before a changed list is announced: 50 milliseconds. At zero
    /// every change is compared at once.
    pub debounce: Duration,
    /// How many entries of a list are sent at a time: 1,000.
    pub page: usize,
    /// The time limit of a capability that declares none and has no completion: none.
    pub timeout: Option<Duration>,
}

impl Default for Limits {
    fn default() -> Self {
        const MIB: usize = 1024 * 1024;
        Self {
            result: 16 * MIB,
            calls_in_flight: 256,
            calls_per_second: None,
            stdio_line: 16 * MIB,
            stdio_queue: 16 * MIB,
            stdio_backlog: MIB,
            http_body: 4 * MIB,
            http_head: 64 * 1024,
            http_read: Duration::from_secs(30),
            connections: 20_000,
            rounds: 64,
            answer: Duration::from_secs(5 * 60),
            state: 64 * 1024,
            state_age: Duration::from_secs(10 * 60),
            used_states: 100_000,
            used_states_per_principal: 1_000,
            tasks: 10_000,
            tasks_per_principal: 100,
            task_ttl: Duration::from_secs(60 * 60),
            stream_after: Duration::from_millis(250),
            stream_messages: 100,
            stream_bytes: MIB,
            keep_alive: Duration::from_secs(15),
            sessions: 10_000,
            sessions_per_principal: 1_000,
            session_idle: Duration::from_secs(30 * 60),
            callers: 10_000,
            binding: Duration::from_secs(30),
            drain: Duration::from_secs(10),
            grace: Duration::from_millis(50),
            debounce: Duration::from_millis(50),
            page: 1_000,
            timeout: None,
        }
    }
}

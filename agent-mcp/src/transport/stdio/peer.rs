//! The protocol as this transport sees it.

use std::{future::Future, sync::Arc};

use bytes::Bytes;
use tokio::runtime::Handle;

use super::outgoing::Outgoing;
use crate::{
    mcp::{self, Connection, Handler},
    runtime::{Principal, Runtime},
};

/// One connection of the protocol: messages in, messages out. The tests of this transport have one of their
/// own, which does exactly what it is told.
pub(super) trait Peer: Send + Sync + 'static {
    /// A request that is being worked on.
    type Exchange: Exchange;

    /// Takes one message. It takes effect before this returns (B139).
    fn receive(&self, message: Bytes) -> Received<Self::Exchange>;

    /// The answer to a line that is longer than `limit`.
    fn line_too_long(&self, limit: usize) -> Bytes;

    /// Nothing more will be received: streams end, and calls go on without answers to what they ask.
    fn end_of_input(&self);

    /// Cancels what runs and ends announcements. Closing twice is safe (B133).
    fn close(&self);

    /// The state has changed: notes it and says whether the client wants to know.
    fn note_change(&self) -> bool;

    /// Compares what is offered with what the client knows, and says so if it differs.
    fn announce_changes(&self);

    /// Calls `observer` after each change of the state, until what it returns is dropped.
    fn observe(&self, observer: Arc<dyn Fn() + Send + Sync>) -> Box<dyn Send>;
}

/// What a message asks of the transport.
pub(super) enum Received<E> {
    Nothing,
    Reply(Bytes),
    Call(E),
}

/// A request that is being worked on. It does not start before it is polled, contains the panics of what it
/// runs, and is silent where silence is due. Dropping it cancels it.
pub(super) trait Exchange: Future<Output = Option<Bytes>> + Unpin + Send + 'static {
    /// The bytes that it keeps while it waits.
    fn size(&self) -> usize;

    /// How many calls it holds, and so how many places it takes.
    fn calls(&self) -> usize;

    /// Whether it stays open until one side ends it, and so is no call that takes a place.
    fn is_stream(&self) -> bool;

    /// Whether nobody wants the answer any more; it then ends at its first poll.
    fn is_cancelled(&self) -> bool;

    /// Answers without running, for this reason.
    fn refuse(self, reason: &str) -> Bytes;
}

/// A client of the Model Context Protocol.
pub(super) struct Client<P: Principal> {
    connection: Connection<P>,
    runtime: Runtime<P>,
    /// A host tells of changes from any thread.
    handle: Handle,
}

impl<P: Principal> Client<P> {
    pub(super) fn new(handler: Handler<P>, principal: Arc<P>, outgoing: Arc<Outgoing>) -> Self {
        let runtime = handler.runtime().clone();
        let connection = handler.connect(principal, outgoing);
        Self { connection, runtime, handle: Handle::current() }
    }
}

impl<P: Principal> Peer for Client<P> {
    type Exchange = mcp::Exchange;

    fn receive(&self, message: Bytes) -> Received<mcp::Exchange> {
        match self.connection.receive(message) {
            mcp::Received::Nothing => Received::Nothing,
            mcp::Received::Reply(reply) => Received::Reply(reply),
            mcp::Received::Call(exchange) => Received::Call(exchange),
        }
    }

    fn line_too_long(&self, limit: usize) -> Bytes {
        self.connection.refuse(&format!(
            "The line is longer than {limit} bytes, which is the limit `stdio_line`"
        ))
    }

    fn end_of_input(&self) {
        self.connection.end_input();
    }

    fn close(&self) {
        self.connection.close();
    }

    fn note_change(&self) -> bool {
        self.connection.note_change()
    }

    fn announce_changes(&self) {
        // Beside everything else: a slow read keeps nothing waiting.
        if let Some(updates) = self.connection.announce_changes() {
            self.handle.spawn(updates);
        }
    }

    fn observe(&self, observer: Arc<dyn Fn() + Send + Sync>) -> Box<dyn Send> {
        Box::new(self.runtime.observe_changes(observer))
    }
}

impl Exchange for mcp::Exchange {
    fn size(&self) -> usize {
        self.size()
    }

    fn calls(&self) -> usize {
        self.calls()
    }

    fn is_stream(&self) -> bool {
        self.is_stream()
    }

    fn is_cancelled(&self) -> bool {
        self.is_cancelled()
    }

    fn refuse(self, reason: &str) -> Bytes {
        self.refuse(reason)
    }
}

//! The seam to a transport: what it is handed for a message, and where notices go.

use std::{
    fmt,
    future::Future,
    pin::Pin,
    task::{Context, Poll, ready},
    time::Duration,
};

use bytes::Bytes;

use super::{batch::Batch, error::RpcError, state::Awaited};

/// Where messages go that are not the reply of a request at hand: notices.
///
/// It is called at any time and from any thread, so it must neither block nor call back into the
/// connection. Notices of one request come before its reply, in order.
pub trait Outbox: Send + Sync + 'static {
    /// Takes one whole message of JSON, on one line and without a line break at its end.
    fn send(&self, message: Bytes);

    /// Whether what is sent now can reach anybody. What cannot is not sent, and is told later.
    fn is_heard(&self) -> bool {
        true
    }

    /// Takes a request of the server's own, whose answer somebody waits for: it is not left out. False, and
    /// it is not taken, where it could not be kept for a client that comes back for it.
    fn ask(&self, request: Bytes) -> bool {
        self.send(request);
        true
    }

    /// A request of the server's own that was taken is answered, or nobody waits for the answer any more.
    fn settled(&self) {}

    /// Whether requests of the server reach the client on this way, and their answers the server.
    fn carries_requests(&self) -> bool {
        true
    }

    /// The request that this belongs to goes on without its connection: the client may come back for the
    /// reply after that time. Only transports that keep replies do anything.
    fn release(&self, _retry: Duration) {}
}

/// What becomes of a message.
#[derive(Debug)]
pub enum Received {
    /// Nothing is to be answered.
    Nothing,
    /// The answer is at hand.
    Reply(Bytes),
    /// The answer is being worked on.
    Call(Exchange),
}

impl From<Bytes> for Received {
    fn from(reply: Bytes) -> Self {
        Self::Reply(reply)
    }
}

/// A refusal for want of scopes, for a transport that has a way of its own to say so.
#[derive(Debug)]
#[non_exhaustive]
pub struct NeedsScopes {
    /// All scopes that the operation needs.
    pub scopes: Vec<String>,
    /// An error of the protocol, to be sent in place of the reply.
    pub error: Bytes,
}

/// What a request that is worked on comes to.
pub(crate) struct Answer {
    pub(crate) reply: Bytes,
    /// Whether it says what the request lacks.
    pub(crate) lacking: bool,
    pub(crate) needs: Option<Box<NeedsScopes>>,
}

impl From<Bytes> for Answer {
    fn from(reply: Bytes) -> Self {
        Self { reply, lacking: false, needs: None }
    }
}

/// A request that is being worked on, or a batch with such a request in it.
///
/// It resolves to the reply, or to `None` where silence is due. Nothing is run before it is polled
/// first. Dropping it says that the caller went away: the call is cancelled.
#[must_use = "a call is not run unless its exchange is polled"]
pub struct Exchange {
    work: Work,
    size: usize,
    stream: bool,
    needs: Option<Box<NeedsScopes>>,
    lacking: bool,
}

enum Work {
    One { request: Awaited, answer: Pin<Box<dyn Future<Output = Option<Answer>> + Send>> },
    Batch(Batch),
}

impl Exchange {
    pub(crate) fn new(
        request: Awaited,
        size: usize,
        answer: impl Future<Output = Option<Answer>> + Send + 'static,
    ) -> Self {
        // What is kept of a short message is less than what is kept to answer it.
        let size = size + size_of_val(&answer);
        let work = Work::One { request, answer: Box::pin(answer) };
        Self { work, size, stream: false, needs: None, lacking: false }
    }

    /// An exchange that stays open until one side ends it.
    pub(crate) fn stream(
        request: Awaited,
        size: usize,
        answer: impl Future<Output = Option<Bytes>> + Send + 'static,
    ) -> Self {
        let answer = async move { answer.await.map(Answer::from) };
        Self { stream: true, ..Self::new(request, size, answer) }
    }

    /// A batch with a request in it that is being worked on.
    pub(crate) fn batch(size: usize, batch: Batch) -> Self {
        Self { work: Work::Batch(batch), size, stream: false, needs: None, lacking: false }
    }

    /// Answers what has not been run, because a limit of the transport is reached.
    #[must_use]
    pub fn refuse(self, reason: &str) -> Bytes {
        match self.work {
            Work::One { request, .. } => {
                RpcError::invalid_request(reason.to_owned()).reply(Some(&request.id))
            }
            Work::Batch(batch) => batch.refuse(reason),
        }
    }

    /// Takes out what the caller lacks, once the exchange has resolved to a refusal for that reason.
    ///
    /// The reply says it too. A transport with a status for it, and with nothing sent yet, answers with this
    /// instead; the members of a batch have their replies only.
    pub fn take_needs_scopes(&mut self) -> Option<NeedsScopes> {
        self.needs.take().map(|needs| *needs)
    }

    /// Whether the exchange has resolved to an error about what its request lacks, such as a capability of the
    /// client. A transport with a status for it answers with that.
    #[must_use]
    pub fn is_lacking(&self) -> bool {
        self.lacking
    }

    /// How many bytes it keeps.
    #[must_use]
    pub fn size(&self) -> usize {
        self.size
    }

    /// How many calls it holds: each member of a batch that is worked on is one.
    #[must_use]
    pub fn calls(&self) -> usize {
        match &self.work {
            Work::One { .. } => 1,
            Work::Batch(batch) => batch.calls(),
        }
    }

    /// Whether nobody wants the answer any more. It then comes to its end at the next poll.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        match &self.work {
            Work::One { request, .. } => request.cancellation.is_cancelled(),
            Work::Batch(batch) => batch.is_cancelled(),
        }
    }

    /// Whether it stays open until one side ends it. Such a stream is no work in progress: it takes no
    /// place among the calls in flight, and a transport that drains does not wait for it.
    #[must_use]
    pub fn is_stream(&self) -> bool {
        self.stream
    }
}

impl Future for Exchange {
    type Output = Option<Bytes>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Bytes>> {
        let answer = match &mut self.work {
            Work::One { answer, .. } => ready!(answer.as_mut().poll(cx)),
            Work::Batch(batch) => return Pin::new(batch).poll(cx),
        };
        Poll::Ready(answer.map(|Answer { reply, lacking, needs }| {
            self.needs = needs;
            self.lacking = lacking;
            reply
        }))
    }
}

impl fmt::Debug for Exchange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Exchange")
            .field("size", &self.size)
            .field("stream", &self.stream)
            .finish_non_exhaustive()
    }
}

//! The loop of one connection.

use std::{future::Future, io, pin::pin, sync::Arc, time::Duration};

use bytes::Bytes;
use tokio::{
    io::{AsyncRead, AsyncReadExt, AsyncWrite},
    time::{Instant, sleep, sleep_until, timeout_at},
};

use super::{
    calls::Calls,
    changes::Changes,
    lines::{Line, Lines},
    outgoing::Outgoing,
    peer::{Peer, Received},
    writer::Writer,
};
use crate::runtime::Limits;

/// Serves `peer` until its input ends or `stop` is done, and what was asked is answered; or until nobody
/// reads any more, which `gone` says before a write can. Gives the time at which whatever still runs has to
/// be left behind.
///
/// Everything of the connection is in this future: dropping it ends all at once.
pub(super) async fn serve<P: Peer>(
    peer: Arc<P>,
    outgoing: Arc<Outgoing>,
    reader: impl AsyncRead + Unpin,
    writer: impl AsyncWrite + Unpin,
    limits: &Limits,
    stop: impl Future<Output = ()>,
    gone: impl Future<Output = ()>,
) -> io::Result<Instant> {
    let mut connection = Connection {
        calls: Calls::new(limits.calls_in_flight, limits.stdio_queue, outgoing.clone()),
        changes: Changes::watch(&peer, &outgoing, limits.debounce),
        input: Input { reader, lines: Lines::new(limits.stdio_line), unread: false },
        writer: Writer::new(writer),
        line_limit: limits.stdio_line,
        peer: Closing(peer),
        outgoing,
    };
    let ended = connection.run(stop, gone, limits.drain).await;
    connection.end(ended, limits).await
}

struct Connection<P: Peer, R, W> {
    peer: Closing<P>,
    outgoing: Arc<Outgoing>,
    input: Input<R>,
    writer: Writer<W>,
    calls: Calls<P::Exchange>,
    changes: Changes,
    line_limit: usize,
}

/// How the loop ended.
enum Ended {
    /// Everything is answered and written.
    Drained(Instant),
    /// The time to drain is over.
    Late,
    /// Nobody reads what is written.
    Gone(io::Error),
}

impl<P, R, W> Connection<P, R, W>
where
    P: Peer,
    R: AsyncRead + Unpin,
    W: AsyncWrite + Unpin,
{
    async fn run(
        &mut self,
        stop: impl Future<Output = ()>,
        gone: impl Future<Output = ()>,
        drain: Duration,
    ) -> Ended {
        let (mut stop, mut gone) = (pin!(stop), pin!(gone));
        let mut announce = false;
        // Set when nothing more is read: the time by which all has to be answered.
        let mut deadline: Option<Instant> = None;
        loop {
            if announce && self.outgoing.has_much_room() {
                announce = false;
                self.peer.0.announce_changes();
            }
            if let Some(deadline) = deadline
                && self.calls.is_idle()
                && self.outgoing.is_empty()
                && self.writer.is_idle()
            {
                return Ended::Drained(deadline);
            }
            let reading = deadline.is_none();
            // All the lines of a piece are taken before the writer gets its turn, so that the replies to
            // them go into one write. The choice is a fair one: a call that never stops to tell of its
            // progress must not keep its own cancellation from being read.
            let over = tokio::select! {
                written = self.writer.write(&self.outgoing) => match written {
                    Ok(()) => false,
                    Err(error) => return Ended::Gone(error),
                },
                () = sleep_until(deadline.unwrap_or_else(Instant::now)), if !reading => {
                    return Ended::Late;
                }
                () = &mut gone => return Ended::Gone(io::ErrorKind::BrokenPipe.into()),
                () = &mut stop, if reading => true,
                () = self.calls.progress() => false,
                () = self.changes.due(), if !announce => {
                    announce = true;
                    false
                }
                more = self.input.more(), if reading && self.outgoing.has_room() => {
                    self.take_lines();
                    if !more && let Some(line) = self.input.lines.finish() {
                        self.take(line);
                    }
                    !more
                }
            };
            if over {
                // B140: what was asked is answered, and nothing more is read.
                deadline = Some(after(drain));
                self.peer.0.end_of_input();
            }
        }
    }

    /// Hands on the lines that have been read, for as long as the client reads the answers.
    fn take_lines(&mut self) {
        while self.outgoing.has_room() {
            let Some(line) = self.input.lines.next() else {
                self.input.unread = false;
                return;
            };
            self.take(line);
        }
        self.input.unread = true;
    }

    fn take(&mut self, line: Line) {
        let received = match line {
            // A line that waits must not keep the whole piece that it was read in.
            Line::Message(message) if !self.calls.has_place() => {
                self.peer.0.receive(Bytes::copy_from_slice(&message))
            }
            Line::Message(message) => self.peer.0.receive(message),
            Line::TooLong => Received::Reply(self.peer.0.line_too_long(self.line_limit)),
        };
        match received {
            Received::Nothing => {}
            Received::Reply(reply) => self.outgoing.answer(reply),
            Received::Call(call) => self.calls.add(call),
        }
    }

    async fn end(mut self, ended: Ended, limits: &Limits) -> io::Result<Instant> {
        let abandoned = !self.calls.is_idle();
        self.peer.0.close();
        if abandoned {
            // The methods have been told; this is the time that they have to clean up.
            sleep(limits.grace).await;
        }
        match ended {
            Ended::Drained(deadline) => {
                // A writer that cannot even be closed is left behind.
                let _ = timeout_at(deadline, self.writer.finish()).await;
                Ok(deadline)
            }
            Ended::Late => {
                tracing::warn!("the time limit `drain` is over: what still runs is left behind");
                Ok(Instant::now())
            }
            Ended::Gone(error) if client_is_gone(&error) => {
                tracing::debug!(%error, "the client is gone");
                Ok(after(limits.drain))
            }
            Ended::Gone(error) => Err(error),
        }
    }
}

/// Closes its peer also when the serving is dropped.
struct Closing<P: Peer>(Arc<P>);

impl<P: Peer> Drop for Closing<P> {
    fn drop(&mut self) {
        self.0.close();
    }
}

struct Input<R> {
    reader: R,
    lines: Lines,
    /// There are lines that have been read and not been taken.
    unread: bool,
}

impl<R: AsyncRead + Unpin> Input<R> {
    /// Waits until there are lines to take; false at the end of the input. Dropping the future loses
    /// nothing (stdio-ef6).
    async fn more(&mut self) -> bool {
        if self.unread {
            return true;
        }
        loop {
            match self.reader.read_buf(self.lines.space()).await {
                Ok(count) => return count > 0,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => {
                    tracing::warn!(%error, "the input cannot be read any more");
                    return false;
                }
            }
        }
    }
}

/// The time when `limit` is over; a limit without an end is over in a lifetime.
pub(super) fn after(limit: Duration) -> Instant {
    const LIFETIME: Duration = Duration::from_secs(60 * 60 * 24 * 365 * 30);
    Instant::now() + limit.min(LIFETIME)
}

/// A client that ends without a word is nothing that has gone wrong here.
fn client_is_gone(error: &io::Error) -> bool {
    use io::ErrorKind::{
        BrokenPipe, ConnectionAborted, ConnectionReset, NotConnected, UnexpectedEof,
    };
    matches!(
        error.kind(),
        BrokenPipe | ConnectionAborted | ConnectionReset | NotConnected | UnexpectedEof
    )
}

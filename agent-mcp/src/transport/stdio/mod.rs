//! Standard input and output, and every other pair of byte streams: one message on each line.
//!
//! [`Server::serve_stdio`](crate::Server::serve_stdio) is all that most programs need;
//! [`Stdio`] also says when to stop and serves other streams.
//!
//! # What becomes of the process's streams
//!
//! Serving takes the real standard input and output for itself. From then on descriptor 0 is at its end and
//! descriptor 1 is standard error, for this process and the children it starts: `println!`, a C library or a
//! child that prints cannot touch the protocol, and what they print is seen where logs are. The streams are
//! not put back when serving ends, and they can be taken once. (Elsewhere than on Unix they cannot be taken:
//! there nothing may print.)
//!
//! # How it ends
//!
//! - When the client closes the input, which is the protocol's way to end a server, or when
//!   [`Stdio::until`] is done: nothing more is read, calls go on within the limit `drain`, their replies are
//!   written.
//! - When nobody reads the output any more: calls are cancelled. That is no error.
//! - In both cases tasks go on within the limit `drain`. What still runs then is cancelled, and kept as
//!   cancelled where tasks are [kept](crate::Server::task_store) for longer than the process.
//! - Dropping the future ends everything at once.
//!
//! A method that blocks cannot be ended. When one still runs after `drain`,
//! [`serve_stdio`](crate::Server::serve_stdio) ends the process with code 0, because the runtime would wait
//! for it for ever.
//!
//! The transport installs no handler for signals: they end the process as usual, unless the program waits
//! for them in [`Stdio::until`].

mod calls;
mod changes;
mod lines;
mod outgoing;
mod peer;
mod process;
mod serve;
#[cfg(test)]
mod tests;
mod writer;

use std::{
    future::{Future, pending},
    pin::Pin,
    sync::Arc,
};

use tokio::{
    io::{AsyncRead, AsyncWrite},
    time::{Instant, timeout_at},
};

use self::{outgoing::Outgoing, peer::Client, process::Streams};
use crate::{
    Error, Result,
    mcp::{Handler, Handlers},
    runtime::{BuildError, Principal},
};

/// A server on its way to a pair of byte streams; [`Server::stdio`](crate::Server::stdio) makes it.
#[must_use = "nothing is served before `serve` or `serve_on`"]
pub struct Stdio<P: Principal> {
    build: Box<Build<P>>,
    stop: Pin<Box<dyn Future<Output = ()> + Send>>,
}

/// Builds the server. What that logs goes where the process's streams lead, so they are taken before.
type Build<P> = dyn FnOnce() -> Result<(Handlers<P>, Arc<P>), BuildError> + Send;

impl<P: Principal> Stdio<P> {
    pub(crate) fn new(
        build: impl FnOnce() -> Result<(Handlers<P>, Arc<P>), BuildError> + Send + 'static,
    ) -> Self {
        Self { build: Box::new(build), stop: Box::pin(pending()) }
    }

    /// Stops when `stop` is done: a signal, a token, whatever the program waits for.
    ///
    /// Nothing more is read then, and the calls in flight go on within the limit `drain`. To end at once,
    /// drop the future of the serving.
    ///
    /// ```no_run
    /// # use agent_mcp::{Principal, Server};
    /// # async fn serve(server: Server) -> agent_mcp::Result<()> {
    /// let stop = tokio_util::sync::CancellationToken::new();
    /// server.stdio().until(stop.clone().cancelled_owned()).serve().await
    /// # }
    /// ```
    pub fn until(mut self, stop: impl Future<Output = ()> + Send + 'static) -> Self {
        self.stop = Box::pin(stop);
        self
    }

    /// Serves over the streams of the process, which it [takes](self).
    ///
    /// The runtime needs its drivers of I/O and time (`enable_all`, as `#[tokio::main]` has it).
    ///
    /// # Errors
    ///
    /// The server cannot be built, its agents cannot be made, the streams are taken already, or the output cannot be written for
    /// another reason than that the client is gone.
    pub async fn serve(self) -> Result<()> {
        // Before anything of the application or of ours runs that may print.
        let Streams { reader, writer, gone } = Streams::take()?;
        let (handlers, principal) = (self.build)()?;
        let mut stop = self.stop;
        let Some(handler) = handler(&handlers, &principal, &mut stop).await? else { return Ok(()) };
        let runtime = handler.runtime().clone();
        let (deadline, served) =
            connect(handler, principal, reader, writer, stop, gone).await.map_or_else(
                |error| (serve::after(runtime.limits().drain), Err(Error::from(error))),
                |deadline| (deadline, Ok(())),
            );
        if timeout_at(deadline, runtime.blocking_methods_end()).await.is_err() {
            tracing::warn!("a blocking method still runs: the process ends without it");
            std::process::exit(i32::from(served.is_err()));
        }
        served
    }

    /// Serves over other streams: a socket, a pipe to a child, a test (STD-11).
    ///
    /// The future does not wait for blocking methods that outlive the limit `drain`.
    ///
    /// ```
    /// # use agent_mcp::{Server, agent};
    /// # struct Greeter;
    /// # /// Greets people.
    /// # #[agent]
    /// # impl Greeter {
    /// #     /// A greeting.
    /// #     #[capability]
    /// #     async fn greet(&self) -> String { "hello".to_owned() }
    /// # }
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> agent_mcp::Result<()> {
    /// let input = br#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
    /// let mut output = Vec::new();
    /// Server::new(Greeter).serve_on(&input[..], &mut output).await?;
    /// assert_eq!(output, b"{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n");
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`serve`](Self::serve).
    pub async fn serve_on(
        self,
        reader: impl AsyncRead + Unpin,
        writer: impl AsyncWrite + Unpin,
    ) -> Result<()> {
        let (handlers, principal) = (self.build)()?;
        let mut stop = self.stop;
        let Some(handler) = handler(&handlers, &principal, &mut stop).await? else { return Ok(()) };
        connect(handler, principal, reader, writer, stop, pending()).await?;
        Ok(())
    }
}

/// The handler of the one caller; `None` when it is time to stop before it is made.
async fn handler<P: Principal>(
    handlers: &Handlers<P>,
    principal: &Arc<P>,
    stop: impl Future<Output = ()>,
) -> Result<Option<Handler<P>>> {
    if let Some(handler) = handlers.shared() {
        return Ok(Some(handler));
    }
    tokio::select! {
        made = handlers.make(principal) => made.map(Some).map_err(Error::unbound),
        () = stop => Ok(None),
    }
}

async fn connect<P: Principal>(
    handler: Handler<P>,
    principal: Arc<P>,
    reader: impl AsyncRead + Unpin,
    writer: impl AsyncWrite + Unpin,
    stop: impl Future<Output = ()>,
    gone: impl Future<Output = ()>,
) -> std::io::Result<Instant> {
    let (runtime, tasks) = (handler.runtime().clone(), handler.tasks().clone());
    let _ending = tasks.ending();
    let outgoing = Arc::new(Outgoing::new(runtime.limits().stdio_backlog));
    let client = Arc::new(Client::new(handler, principal, outgoing.clone()));
    let served = serve::serve(client, outgoing, reader, writer, runtime.limits(), stop, gone).await;
    let grace = runtime.limits().grace;
    let until = served.as_ref().map_or_else(|_| Instant::now(), |deadline| *deadline);
    if timeout_at(until, tasks.over()).await.is_err() {
        tasks.cancel(grace).await;
    }
    // What was decided is recorded before the program can end, unless the sink hangs.
    let soon = serve::after(grace);
    let deadline = served.as_ref().map_or(soon, |deadline| soon.max(*deadline));
    let _ = timeout_at(deadline, runtime.flush_audit()).await;
    served
}

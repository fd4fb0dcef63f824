//! Listening on an address.

use std::{
    future::{Future, pending},
    io,
    net::SocketAddr,
    pin::Pin,
    sync::Arc,
};

use http::StatusCode;
use tokio::{
    net::{TcpListener, ToSocketAddrs, lookup_host},
    time::timeout,
};
use tokio_util::sync::CancellationToken;

use super::{Authenticate, Http, connections::Connections, respond::Refusal};
use crate::{
    Result,
    mcp::Tasks,
    runtime::{BoxFuture, Limits, Principal},
};

/// A server that listens; connections wait until it is [served](Self::serve). It speaks HTTP/1.1.
///
/// Like every transport it installs no handler for signals: they end the process as usual, unless the program
/// waits for them. A program that is to end in good order waits for one in [`until`](Self::until), or closes the
/// server at the first one and ends it at the second:
///
/// ```no_run
/// # async fn serve(server: agent_mcp::Server) -> agent_mcp::Result<()> {
/// let listening = server.http().listen("127.0.0.1:8787").await?;
/// let closer = listening.closer();
/// tokio::spawn(async move {
///     if tokio::signal::ctrl_c().await.is_ok() {
///         closer.close();
///     }
///     if tokio::signal::ctrl_c().await.is_ok() {
///         closer.abort();
///     }
/// });
/// listening.serve().await
/// # }
/// ```
#[must_use = "nothing is served before `serve`"]
pub struct Listening {
    listener: TcpListener,
    router: axum::Router,
    closer: Closer,
    limits: Limits,
    tasks: Arc<Tasks>,
    /// Ends the streams, and gives what is to be waited for when all calls are done.
    end: Box<dyn FnOnce() -> BoxFuture<'static, ()> + Send>,
    stop: Pin<Box<dyn Future<Output = ()> + Send>>,
}

/// Closes a server. Clones close the same one.
#[derive(Clone, Debug)]
pub struct Closer {
    closing: CancellationToken,
    aborting: CancellationToken,
}

impl Closer {
    /// Takes no more connections and ends the streams of notices; calls and tasks go on within the limit
    /// `drain`. Tasks that still run then are cancelled. Closing twice is closing once.
    pub fn close(&self) {
        self.closing.cancel();
    }

    /// Ends everything at once: the connections are cut, and calls and tasks are cancelled.
    pub fn abort(&self) {
        self.closing.cancel();
        self.aborting.cancel();
    }
}

// The futures are boxed, and so types like any other. In those of an `async fn` callers that are not known would
// be told of again, at every use.
impl<P: Principal, A> Http<P, A> {
    /// Listens on `address` and serves until the program ends, in the middle of calls where it is a signal that ends
    /// it. [`Listening`] says how it ends in good order.
    ///
    /// # Errors
    ///
    /// The server cannot be built, or the address cannot be listened on.
    pub fn serve<'a>(self, address: impl ToSocketAddrs + Send + 'a) -> BoxFuture<'a, Result<()>>
    where
        A: Authenticate<P>,
    {
        let listening = self.listen(address);
        Box::pin(async move { listening.await?.serve().await })
    }

    /// Listens on `address`: the way to learn the port that was given for port 0, and to
    /// [close](Listening::closer) the server.
    ///
    /// ```no_run
    /// # use agent_mcp::Server;
    /// # async fn serve(server: Server) -> agent_mcp::Result<()> {
    /// let listening = server.http().listen("127.0.0.1:0").await?;
    /// println!("http://{}/mcp", listening.address()?);
    /// listening.serve().await
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`serve`](Self::serve).
    pub fn listen<'a>(
        self,
        address: impl ToSocketAddrs + Send + 'a,
    ) -> BoxFuture<'a, Result<Listening>>
    where
        A: Authenticate<P>,
    {
        let mounted = self.mounted();
        Box::pin(async move {
            let (endpoint, router) = mounted?;
            // http-192: this server is alone on its address, so every error is its own.
            let router = router.fallback(|| async {
                Refusal::new(StatusCode::NOT_FOUND, "There is nothing at this path").respond()
            });
            let addresses: Vec<_> = lookup_host(address).await?.collect();
            let listener = TcpListener::bind(&*addresses).await.map_err(|error| {
                let addresses: Vec<_> = addresses.iter().map(ToString::to_string).collect();
                let where_to = addresses.join(" or ");
                io::Error::new(error.kind(), format!("cannot listen on {where_to}: {error}"))
            })?;
            let closer =
                Closer { closing: CancellationToken::new(), aborting: CancellationToken::new() };
            let (limits, tasks) = (endpoint.limits().clone(), endpoint.tasks());
            let end = Box::new(move || -> BoxFuture<'static, ()> {
                endpoint.close();
                Box::pin(endpoint.flush())
            });
            let stop = Box::pin(pending());
            Ok(Listening { listener, router, closer, limits, tasks, end, stop })
        })
    }
}

impl Listening {
    /// Where it listens.
    ///
    /// # Errors
    ///
    /// The system does not say.
    pub fn address(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// What closes it.
    #[must_use]
    pub fn closer(&self) -> Closer {
        self.closer.clone()
    }

    /// Closes when `stop` is done: a signal, a token, whatever the program waits for. Calls go on then within the
    /// limit `drain`.
    ///
    /// ```no_run
    /// # use agent_mcp::Server;
    /// # async fn signal() {}
    /// # async fn serve(server: Server) -> agent_mcp::Result<()> {
    /// let listening = server.http().listen("127.0.0.1:8787").await?;
    /// // `signal` is what the program waits for, such as `tokio::signal::ctrl_c`.
    /// listening.until(signal()).serve().await
    /// # }
    /// ```
    pub fn until(mut self, stop: impl Future<Output = ()> + Send + 'static) -> Self {
        self.stop = Box::pin(stop);
        self
    }

    /// Serves until it is closed. What the system cannot give, such as one more connection, is waited for.
    ///
    /// Dropping the future ends everything at once.
    ///
    /// # Errors
    ///
    /// None at the moment.
    pub async fn serve(self) -> Result<()> {
        let Self { listener, router, closer, limits, tasks, end, stop } = self;
        if let Ok(address) = listener.local_addr() {
            tracing::info!("listening on {address}");
        }
        let Closer { closing, aborting } = closer;
        let _ending = tasks.ending();
        let mut connections = Connections::new(router, &limits);
        let serving = async {
            connections.accept(listener, &closing).await;
            let recorded = end();
            let drained = async {
                connections.end().await;
                tasks.over().await;
            };
            if timeout(limits.drain, drained).await.is_err() {
                tracing::warn!("the time limit `drain` is over: what still runs is left behind");
                tasks.cancel(limits.grace).await;
            }
            // What was decided is recorded before the program can end, unless the sink hangs.
            let _ = timeout(limits.grace, recorded).await;
        };
        let stopping = async {
            stop.await;
            closing.cancel();
            pending::<()>().await;
        };
        tokio::select! {
            biased;
            () = aborting.cancelled() => {}
            () = serving => {}
            () = stopping => {}
        }
        Ok(())
    }
}

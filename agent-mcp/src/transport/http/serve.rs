//! Listening on an address.

use std::{future::IntoFuture, io, net::SocketAddr};

use http::StatusCode;
use tokio::net::{TcpListener, ToSocketAddrs};
use tokio_util::sync::CancellationToken;

use super::{Authenticate, Http, respond::Refusal};
use crate::{Result, runtime::Principal};

/// A server that listens; connections wait until it is [served](Self::serve).
#[must_use = "nothing is served before `serve`"]
pub struct Listening {
    listener: TcpListener,
    router: axum::Router,
    closer: Closer,
    drain: std::time::Duration,
    end_streams: Box<dyn Fn() + Send + Sync>,
}

/// Closes a server. Clones close the same one, and closing twice is closing once.
#[derive(Clone, Debug)]
pub struct Closer(CancellationToken);

impl Closer {
    /// Takes no more connections and ends the streams of notices; calls go on within the limit `drain`.
    pub fn close(&self) {
        self.0.cancel();
    }
}

impl<P: Principal, A: Authenticate<P>> Http<P, A> {
    /// Listens on `address` and serves until the program ends.
    ///
    /// # Errors
    ///
    /// The server cannot be built, or the address cannot be listened on.
    pub async fn serve(self, address: impl ToSocketAddrs) -> Result<()> {
        self.listen(address).await?.serve().await
    }

    /// Listens on `address`: the way to learn the port that was given for port 0, and to
    /// [close](Listening::closer) the server.
    ///
    /// # Errors
    ///
    /// As for [`serve`](Self::serve).
    pub async fn listen(self, address: impl ToSocketAddrs) -> Result<Listening> {
        let (endpoint, router) = self.mounted()?;
        // http-192: this server is alone on its address, so every error is its own.
        let router = router.fallback(|| async {
            Refusal::new(StatusCode::NOT_FOUND, "There is nothing at this path").respond()
        });
        let drain = endpoint.drain();
        let listener = TcpListener::bind(address).await?;
        let closer = Closer(CancellationToken::new());
        let end_streams = Box::new(move || endpoint.close());
        Ok(Listening { listener, router, closer, drain, end_streams })
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

    /// Serves until it is closed.
    ///
    /// # Errors
    ///
    /// The listener breaks.
    pub async fn serve(self) -> Result<()> {
        let Self { listener, router, closer: Closer(closed), drain, end_streams } = self;
        let serving = axum::serve(listener, router)
            .with_graceful_shutdown(closed.clone().cancelled_owned())
            .into_future();
        let late = async {
            closed.cancelled().await;
            end_streams();
            tokio::time::sleep(drain).await;
        };
        tokio::select! {
            served = serving => Ok(served?),
            () = late => {
                tracing::warn!("the time limit `drain` is over: what still runs is left behind");
                Ok(())
            }
        }
    }
}

//! The connections of a server that listens itself.
//!
//! Every connection has a task of its own; none of them is needed to accept the next.

use std::{future::Future, io, pin::pin, sync::Arc, time::Duration};

use hyper::server::conn::http1;
use hyper_util::{
    rt::{TokioIo, TokioTimer},
    service::TowerToHyperService,
};
use tokio::{
    io::{AsyncRead, AsyncWrite},
    net::{TcpListener, TcpStream},
    sync::Semaphore,
    task::{JoinError, JoinSet},
    time::sleep,
};
use tokio_util::sync::CancellationToken;

use crate::runtime::Limits;

/// How long nothing is accepted when the system has no more to give, such as descriptors.
const PAUSE: Duration = Duration::from_millis(100);

/// The least that a head may be allowed to have; less is no limit that the protocol could work with.
const LEAST_HEAD: usize = 8192;

/// Where connections come from.
pub(super) trait Accept {
    type Stream: AsyncRead + AsyncWrite + Unpin + Send + 'static;

    /// The next connection. Dropping the future loses none.
    fn accept(&self) -> impl Future<Output = io::Result<Self::Stream>> + Send;
}

impl Accept for TcpListener {
    type Stream = TcpStream;

    async fn accept(&self) -> io::Result<TcpStream> {
        let (stream, _) = Self::accept(self).await?;
        // Events are small and must not wait for more to send.
        if let Err(error) = stream.set_nodelay(true) {
            tracing::debug!(%error, "a connection may hold small writes back");
        }
        Ok(stream)
    }
}

/// The connections that are open. Dropping them ends them all at once.
pub(super) struct Connections {
    protocol: http1::Builder,
    router: axum::Router,
    places: Arc<Semaphore>,
    tasks: JoinSet<()>,
}

impl Connections {
    pub(super) fn new(router: axum::Router, limits: &Limits) -> Self {
        let mut protocol = http1::Builder::new();
        protocol
            .timer(TokioTimer::new())
            .header_read_timeout(limits.http_read)
            .max_header_size(limits.http_head)
            .max_buf_size(limits.http_head.max(LEAST_HEAD));
        let places = limits.connections.clamp(1, Semaphore::MAX_PERMITS);
        let tasks = JoinSet::new();
        Self { protocol, router, places: Arc::new(Semaphore::new(places)), tasks }
    }

    /// Accepts connections and serves them, until `closing`. Then nobody listens any more.
    pub(super) async fn accept(&mut self, listener: impl Accept, closing: &CancellationToken) {
        loop {
            let places = self.places.clone();
            // Who comes when there is no place waits where the system keeps those who are not accepted.
            let next = async {
                let place = places.acquire_owned().await;
                (listener.accept().await, place)
            };
            let (accepted, place) = tokio::select! {
                biased;
                () = closing.cancelled() => return,
                Some(ended) = self.tasks.join_next() => {
                    tell(ended);
                    continue;
                }
                next = next => next,
            };
            match accepted {
                Ok(stream) => {
                    let serving = self.serve(stream, closing.clone());
                    self.tasks.spawn(async move {
                        serving.await;
                        drop(place);
                    });
                }
                Err(error) if is_of_one_connection(&error) => {
                    tracing::debug!(%error, "a connection is gone before it is accepted");
                }
                Err(error) => {
                    tracing::warn!(%error, "no connection can be accepted at the moment");
                    tokio::select! {
                        () = closing.cancelled() => return,
                        () = sleep(PAUSE) => {}
                    }
                }
            }
        }
    }

    /// Waits until each has sent its last answer.
    pub(super) async fn end(&mut self) {
        while let Some(ended) = self.tasks.join_next().await {
            tell(ended);
        }
    }

    fn serve(
        &self,
        stream: impl AsyncRead + AsyncWrite + Unpin + Send + 'static,
        closing: CancellationToken,
    ) -> impl Future<Output = ()> + Send + 'static {
        let service = TowerToHyperService::new(self.router.clone());
        let connection = self.protocol.serve_connection(TokioIo::new(stream), service);
        async move {
            let mut connection = pin!(connection);
            let served = tokio::select! {
                served = connection.as_mut() => served,
                () = closing.cancelled() => {
                    // One that waits for a request ends now, the others after their answer.
                    connection.as_mut().graceful_shutdown();
                    connection.await
                }
            };
            if let Err(error) = served {
                tracing::debug!(%error, "a connection has broken off");
            }
        }
    }
}

fn tell(ended: Result<(), JoinError>) {
    if let Err(error) = ended {
        tracing::error!(%error, "a connection has ended in a panic");
    }
}

/// Whether the next connection may be all right.
fn is_of_one_connection(error: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset, Interrupted};
    matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset | Interrupted)
}

#[cfg(test)]
mod tests {
    use tokio::{
        io::{AsyncReadExt, AsyncWriteExt, DuplexStream, duplex},
        sync::{Mutex, mpsc},
        time::{Instant, timeout},
    };

    use super::*;

    /// Connections, and errors, that a test hands out.
    struct Handed(Mutex<mpsc::UnboundedReceiver<io::Result<DuplexStream>>>);

    impl Accept for Handed {
        type Stream = DuplexStream;

        async fn accept(&self) -> io::Result<DuplexStream> {
            match self.0.lock().await.recv().await {
                Some(next) => next,
                None => std::future::pending().await,
            }
        }
    }

    struct Rig {
        hand: mpsc::UnboundedSender<io::Result<DuplexStream>>,
        closing: CancellationToken,
    }

    impl Rig {
        fn new(change: impl FnOnce(&mut Limits)) -> Self {
            let mut limits = Limits::default();
            change(&mut limits);
            let router = axum::Router::new()
                .route("/", axum::routing::get(|| async { "hello" }))
                .route("/panic", axum::routing::get(panics));
            let (hand, handed) = mpsc::unbounded_channel();
            let closing = CancellationToken::new();
            let closed = closing.clone();
            tokio::spawn(async move {
                let mut connections = Connections::new(router, &limits);
                connections.accept(Handed(Mutex::new(handed)), &closed).await;
                connections.end().await;
            });
            Self { hand, closing }
        }

        fn connect(&self) -> DuplexStream {
            let (here, there) = duplex(1 << 16);
            self.hand.send(Ok(there)).unwrap();
            here
        }

        async fn get(&self, path: &str) -> String {
            ask(&mut self.connect(), path).await
        }
    }

    async fn panics() -> &'static str {
        panic!("on purpose")
    }

    /// Asks once, over a connection that ends with it.
    async fn ask(stream: &mut DuplexStream, path: &str) -> String {
        let request = format!("GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
        stream.write_all(request.as_bytes()).await.unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).await.unwrap();
        answer
    }

    #[tokio::test(start_paused = true)]
    async fn a_system_that_has_no_descriptors_left_is_waited_for() {
        let rig = Rig::new(|_| {});
        let begun = Instant::now();
        for _ in 0..3 {
            // EMFILE
            rig.hand.send(Err(io::Error::from_raw_os_error(24))).unwrap();
        }
        rig.hand.send(Err(io::ErrorKind::ConnectionAborted.into())).unwrap();
        assert!(rig.get("/").await.ends_with("hello"));
        assert_eq!(begun.elapsed(), 3 * PAUSE);
    }

    #[tokio::test(start_paused = true)]
    async fn who_finds_no_place_waits_for_one() {
        let rig = Rig::new(|limits| limits.connections = 1);
        let mut first = rig.connect();
        let mut second = rig.connect();
        let mut waiting = pin!(ask(&mut second, "/"));
        // The clock goes on only when nothing else can.
        assert!(timeout(Duration::from_secs(1), waiting.as_mut()).await.is_err());
        assert!(ask(&mut first, "/").await.ends_with("hello"));
        assert!(waiting.await.ends_with("hello"));
    }

    #[tokio::test(start_paused = true)]
    async fn a_panic_ends_its_own_connection_only() {
        let rig = Rig::new(|_| {});
        let mut other = rig.connect();
        assert_eq!(rig.get("/panic").await, "");
        assert!(ask(&mut other, "/").await.ends_with("hello"));
        assert!(rig.get("/").await.ends_with("hello"));
    }

    #[tokio::test(start_paused = true)]
    async fn a_head_that_does_not_come_is_not_waited_for() {
        let rig = Rig::new(|limits| limits.http_read = Duration::from_secs(3));
        let begun = Instant::now();
        for sent in ["", "GET / HTTP/1.1\r\nHo"] {
            let mut slow = rig.connect();
            slow.write_all(sent.as_bytes()).await.unwrap();
            assert_eq!(slow.read_to_end(&mut Vec::new()).await.unwrap(), 0, "{sent}");
        }
        assert_eq!(begun.elapsed().as_secs(), 6);
    }

    #[tokio::test(start_paused = true)]
    async fn who_waits_for_a_request_is_closed_at_once() {
        let rig = Rig::new(|_| {});
        let mut fresh = rig.connect();
        let mut idle = rig.connect();
        idle.write_all(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n").await.unwrap();
        let mut head = [0; 15];
        idle.read_exact(&mut head).await.unwrap();
        assert_eq!(&head, b"HTTP/1.1 200 OK");
        let begun = Instant::now();
        rig.closing.cancel();
        fresh.read_to_end(&mut Vec::new()).await.unwrap();
        idle.read_to_end(&mut Vec::new()).await.unwrap();
        rig.hand.closed().await;
        assert_eq!(begun.elapsed(), Duration::ZERO);
    }
}

use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinHandle;

/// The way between a client and a server, which may break. It keeps its address when the server gets another.
#[derive(Debug)]
pub struct Relay {
    address: SocketAddr,
    state: watch::Sender<State>,
    accepting: JoinHandle<()>,
}

#[derive(Debug, Clone)]
struct State {
    server: SocketAddr,
    /// New connections wait.
    held: bool,
    /// How often all connections were cut.
    cuts: usize,
    /// The next stream of events that answers a POST is cut after its beginning.
    cuts_next: bool,
    /// How many requests have asked for what follows an event.
    resumptions: usize,
}

impl Relay {
    /// Opens a way to `server`.
    ///
    /// # Panics
    ///
    /// When there is no port.
    pub async fn to(server: SocketAddr) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("a port has an address");
        let state = State { server, held: false, cuts: 0, cuts_next: false, resumptions: 0 };
        let (state, _) = watch::channel(state);
        let connections = state.clone();
        let accepting = tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                tokio::spawn(carry(client, connections.clone()));
            }
        });
        Self { address, state, accepting }
    }

    /// Where a client goes.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Cuts all connections. New ones wait until [`release`](Self::release).
    pub fn cut(&self) {
        self.state.send_modify(|state| {
            state.cuts += 1;
            state.held = true;
        });
    }

    /// Lets connections through again, to `server`.
    pub fn release(&self, server: SocketAddr) {
        self.state.send_modify(|state| {
            state.server = server;
            state.held = false;
        });
    }

    /// Will cut the next stream of events that answers a POST, right after it has begun.
    pub fn cut_next(&self) {
        self.state.send_modify(|state| state.cuts_next = true);
    }

    /// Waits until that has happened.
    pub async fn has_cut(&self) {
        self.until("no stream to cut", |state| !state.cuts_next).await;
    }

    /// Waits until so many requests in all have asked for what follows an event (`Last-Event-ID`).
    pub async fn has_resumed(&self, times: usize) {
        self.until("the client did not come back", |state| state.resumptions >= times).await;
    }

    /// How many requests have done so.
    pub fn resumptions(&self) -> usize {
        self.state.borrow().resumptions
    }

    async fn until(&self, what: &str, condition: impl FnMut(&State) -> bool) {
        let mut state = self.state.subscribe();
        let waited = tokio::time::timeout(Duration::from_secs(60), state.wait_for(condition)).await;
        assert!(waited.is_ok(), "{what}: {:?}", self.state.borrow());
    }
}

impl Drop for Relay {
    fn drop(&mut self) {
        self.accepting.abort();
    }
}

/// Carries a connection until either side ends it or it is cut.
async fn carry(client: TcpStream, state: watch::Sender<State>) {
    let mut watched = state.subscribe();
    let Ok((server, cuts)) =
        watched.wait_for(|state| !state.held).await.map(|state| (state.server, state.cuts))
    else {
        return;
    };
    let Ok(server) = TcpStream::connect(server).await else { return };
    let (from_client, to_client) = client.into_split();
    let (from_server, to_server) = server.into_split();
    let exchange = Exchange::default();
    let cut = async {
        // An error is the end of the relay.
        let _ = watched.wait_for(|state| state.cuts > cuts).await;
        // Streams break last: a client that notices at once must not try a connection that is about to break
        // as well, which not every one survives. The test's own thread runs all of this.
        if exchange.is_stream.load(Ordering::Relaxed) {
            tokio::task::yield_now().await;
        }
    };
    tokio::select! {
        () = requests(from_client, to_server, &exchange, &state) => {}
        () = answers(from_server, to_client, &exchange, &state) => {}
        () = cut => {}
    }
}

/// The request that a connection is busy with, and its answer.
#[derive(Debug, Default)]
struct Exchange {
    is_post: AtomicBool,
    is_stream: AtomicBool,
}

async fn requests(
    mut from: OwnedReadHalf,
    mut to: OwnedWriteHalf,
    exchange: &Exchange,
    state: &watch::Sender<State>,
) {
    let mut buffer = vec![0; 64 * 1024];
    while let Ok(length @ 1..) = from.read(&mut buffer).await {
        // Clients write a head at once, and the next request after the last answer.
        let piece = String::from_utf8_lossy(&buffer[..length]);
        if let Some((head, _)) = piece.split_once(" HTTP/1.1\r\n") {
            exchange.is_post.store(head.starts_with("POST "), Ordering::Relaxed);
        }
        if piece.to_ascii_lowercase().contains("\r\nlast-event-id: ") {
            state.send_modify(|state| state.resumptions += 1);
        }
        if to.write_all(&buffer[..length]).await.is_err() {
            return;
        }
    }
}

async fn answers(
    mut from: OwnedReadHalf,
    mut to: OwnedWriteHalf,
    exchange: &Exchange,
    state: &watch::Sender<State>,
) {
    let mut buffer = vec![0; 64 * 1024];
    let mut cuts = false;
    while let Ok(length @ 1..) = from.read(&mut buffer).await {
        let piece = &buffer[..length];
        if piece.starts_with(b"HTTP/1.1 ") {
            let is_stream = String::from_utf8_lossy(piece).contains("text/event-stream");
            exchange.is_stream.store(is_stream, Ordering::Relaxed);
            let is_post = exchange.is_post.load(Ordering::Relaxed);
            cuts = is_stream && is_post && state.borrow().cuts_next;
        }
        // Whatever follows the first event or comment is lost, even if it is here already.
        let beginning = piece.windows(2).position(|end| end == b"\n\n").filter(|_| cuts);
        let passed = beginning.map_or(length, |end| end + 2);
        if to.write_all(&piece[..passed]).await.is_err() {
            return;
        }
        if beginning.is_some() {
            state.send_modify(|state| state.cuts_next = false);
            return;
        }
    }
}

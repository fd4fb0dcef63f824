//! A peer whose messages are words, so that a test says exactly what happens.

use std::{
    collections::HashMap,
    future::{Future, poll_fn},
    io,
    pin::Pin,
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering::SeqCst},
    },
    task::{Context, Poll},
    time::Duration,
};

use bytes::Bytes;
use tokio::{
    io::{AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, Lines, duplex},
    task::JoinHandle,
    time::Instant,
};
use tokio_util::sync::CancellationToken;

use super::super::{
    outgoing::Outgoing,
    peer::{Exchange, Peer, Received},
    serve::serve,
};
use crate::{mcp::Outbox, runtime::Limits};

type Observer = Arc<dyn Fn() + Send + Sync>;

/// `ping 1` is answered at once, `done 1` is a call that is ready at once, `sleep 1 300` one that takes 300
/// ms, `never 1` one that only `cancel 1` ends, `big 1 500` one with a reply of 500 bytes, `tell 1 9` one
/// that sends nine notices, `spam 1` one that sends notices without an end, `change 1` one that changes the
/// state.
pub(super) struct Fake {
    outbox: Arc<Outgoing>,
    running: Arc<Mutex<HashMap<String, CancellationToken>>>,
    observers: Mutex<Vec<Observer>>,
    pub(super) started: AtomicUsize,
    pub(super) closed: AtomicUsize,
    pub(super) input_ended: AtomicUsize,
}

impl Fake {
    pub(super) fn change(&self) {
        let observers = self.observers.lock().unwrap().clone();
        observers.iter().for_each(|observer| observer());
    }

    fn call(self: &Arc<Self>, line: &str) -> Call {
        let peer = self.clone();
        let mut words = line.split_whitespace().map(str::to_owned);
        let (word, id) = (words.next().unwrap(), words.next().unwrap());
        let number = words.next().map_or(0, |word| word.parse().unwrap());
        let cancelled = CancellationToken::new();
        self.running.lock().unwrap().insert(id.clone(), cancelled.clone());
        let name = id.clone();
        let run = async move {
            if cancelled.is_cancelled() {
                return None;
            }
            peer.started.fetch_add(1, SeqCst);
            let reply = format!("done {id}");
            let work = async {
                match &*word {
                    "sleep" => tokio::time::sleep(Duration::from_millis(number)).await,
                    "never" => std::future::pending().await,
                    "big" => return format!("{reply} {}", "x".repeat(number as usize)),
                    "tell" => {
                        for count in 0..number {
                            peer.outbox.send(format!("notice {count}").into());
                        }
                    }
                    "spam" => loop {
                        peer.outbox.send("notice".into());
                        tokio::task::yield_now().await;
                    },
                    "change" => peer.change(),
                    _ => {}
                }
                reply
            };
            tokio::select! {
                biased;
                reply = work => Some(reply.into()),
                () = cancelled.cancelled() => None,
            }
        };
        Call { id: name, size: line.len(), run: Box::pin(run) }
    }
}

/// The trait is for what an `Arc` of it does, because its calls keep it.
pub(super) struct Shared(pub(super) Arc<Fake>);

impl Peer for Shared {
    type Exchange = Call;

    fn receive(&self, message: Bytes) -> Received<Call> {
        let line = String::from_utf8_lossy(&message).into_owned();
        match line.split_once(' ') {
            Some(("ping", id)) => Received::Reply(format!("pong {id}").into()),
            Some(("cancel", id)) => {
                if let Some(token) = self.0.running.lock().unwrap().get(id) {
                    token.cancel();
                }
                Received::Nothing
            }
            Some(_) => Received::Call(self.0.call(&line)),
            None => Received::Nothing,
        }
    }

    fn line_too_long(&self, limit: usize) -> Bytes {
        format!("over stdio_line {limit}").into()
    }

    fn end_of_input(&self) {
        self.0.input_ended.fetch_add(1, SeqCst);
    }

    fn close(&self) {
        self.0.closed.fetch_add(1, SeqCst);
        self.0.running.lock().unwrap().values().for_each(CancellationToken::cancel);
    }

    fn note_change(&self) -> bool {
        true
    }

    fn announce_changes(&self) {
        self.0.outbox.send("changed".into());
    }

    fn observe(&self, observer: Observer) -> Box<dyn Send> {
        self.0.observers.lock().unwrap().push(observer);
        Box::new(())
    }
}

pub(super) struct Call {
    id: String,
    size: usize,
    run: Pin<Box<dyn Future<Output = Option<Bytes>> + Send>>,
}

impl Future for Call {
    type Output = Option<Bytes>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        self.run.as_mut().poll(cx)
    }
}

impl Exchange for Call {
    fn size(&self) -> usize {
        self.size
    }

    fn calls(&self) -> usize {
        1
    }

    fn is_stream(&self) -> bool {
        false
    }

    fn is_cancelled(&self) -> bool {
        false
    }

    fn refuse(self, reason: &str) -> Bytes {
        format!("refused {} {reason}", self.id).into()
    }
}

/// A client, and the server that it talks to.
pub(super) struct Rig {
    pub(super) peer: Arc<Fake>,
    input: Option<DuplexStream>,
    output: Option<Lines<BufReader<DuplexStream>>>,
    pub(super) stop: CancellationToken,
    pub(super) gone: CancellationToken,
    pub(super) serving: JoinHandle<io::Result<Instant>>,
}

pub(super) fn fake(limits: &Limits) -> (Arc<Fake>, Arc<Outgoing>) {
    let outgoing = Arc::new(Outgoing::new(limits.stdio_backlog));
    let peer = Arc::new(Fake {
        outbox: outgoing.clone(),
        running: Arc::default(),
        observers: Mutex::default(),
        started: AtomicUsize::new(0),
        closed: AtomicUsize::new(0),
        input_ended: AtomicUsize::new(0),
    });
    (peer, outgoing)
}

impl Rig {
    pub(super) fn new() -> Self {
        Self::with(|_| {})
    }

    pub(super) fn with(change: impl FnOnce(&mut Limits)) -> Self {
        let mut limits = Limits::default();
        change(&mut limits);
        let (peer, outgoing) = fake(&limits);
        let (input, reader) = duplex(64 * 1024);
        let (output, writer) = duplex(64 * 1024);
        let (stop, gone) = (CancellationToken::new(), CancellationToken::new());
        let served = Arc::new(Shared(peer.clone()));
        let (stopped, lost) = (stop.clone(), gone.clone());
        let serving = tokio::spawn(async move {
            let (stop, gone) = (stopped.cancelled_owned(), lost.cancelled_owned());
            serve(served, outgoing, reader, writer, &limits, stop, gone).await
        });
        let output = Some(BufReader::new(output).lines());
        Self { peer, input: Some(input), output, stop, gone, serving }
    }

    pub(super) async fn send(&mut self, text: &str) {
        self.input.as_mut().unwrap().write_all(text.as_bytes()).await.unwrap();
    }

    pub(super) fn end_input(&mut self) {
        self.input = None;
    }

    pub(super) fn close_output(&mut self) {
        self.output = None;
    }

    pub(super) async fn line(&mut self) -> Option<String> {
        self.output.as_mut().unwrap().next_line().await.unwrap()
    }

    pub(super) async fn expect(&mut self, lines: &[&str]) {
        for line in lines {
            assert_eq!(self.line().await.as_deref(), Some(*line));
        }
    }

    /// Every line up to the end of the output.
    pub(super) async fn rest(&mut self) -> Vec<String> {
        let mut lines = Vec::new();
        while let Some(line) = self.line().await {
            lines.push(line);
        }
        lines
    }

    pub(super) async fn ended(self) -> io::Result<()> {
        self.serving.await.unwrap().map(drop)
    }
}

/// Waits, by letting others run, until something holds.
pub(super) async fn until(mut holds: impl FnMut() -> bool) {
    poll_fn(|cx| {
        if holds() {
            return Poll::Ready(());
        }
        cx.waker().wake_by_ref();
        Poll::Pending
    })
    .await;
}

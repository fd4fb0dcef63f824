//! The server under load, on threads of its own.

use std::{
    net::SocketAddr,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
        mpsc,
    },
    thread::JoinHandle,
    time::{Duration, Instant},
};

use agent_mcp::{
    Context, Effects, Principal, PrincipalId, Server, Store, agent,
    transport::http::{Closer, MemoryStore, bearer},
};
use tokio::runtime::Handle;

/// A caller, by name.
pub(crate) struct Guest(String);

impl Principal for Guest {
    fn id(&self) -> PrincipalId {
        PrincipalId::local(&self.0)
    }
}

#[derive(Clone)]
pub(crate) struct Lobby {
    running: Arc<AtomicUsize>,
}

/// Counts the methods that run.
struct Running(Arc<AtomicUsize>);

impl Drop for Running {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

impl Lobby {
    fn runs(&self) -> Running {
        self.running.fetch_add(1, Ordering::SeqCst);
        Running(self.running.clone())
    }
}

#[derive(Clone)]
pub(crate) struct Hall {
    open: bool,
}

#[derive(Clone)]
pub(crate) enum Message {
    Turn,
}

/// A lobby.
#[agent(name = "lobby", model = Hall, message = Message, principal = Guest)]
impl Lobby {
    /// Says the text back, and to whom.
    #[capability]
    async fn echo(&self, cx: &Context<Self>, text: String) -> String {
        format!("{} {text}", cx.principal().0)
    }

    /// Counts, and says every number and to whom.
    #[capability]
    async fn count(&self, cx: &Context<Self>, to: u32) -> String {
        let _runs = self.runs();
        for number in 1..=to {
            tokio::time::sleep(Duration::from_millis(5)).await;
            cx.progress().say(f64::from(number), Some(f64::from(to)), &cx.principal().0);
        }
        format!("{} {to}", cx.principal().0)
    }

    /// Waits to be cancelled.
    #[capability]
    async fn wait(&self, cx: &Context<Self>) {
        let _runs = self.runs();
        cx.progress().report(1.0);
        cx.cancelled().await;
    }

    /// Opens or closes the hall.
    #[capability]
    fn turn(_cx: &Context<Self>) -> Message {
        Message::Turn
    }

    /// Enters the hall.
    #[capability(available = |hall| hall.open)]
    async fn enter(&self) {}
}

/// A server that serves.
pub(crate) struct Serving {
    pub(crate) address: SocketAddr,
    pub(crate) store: MemoryStore,
    pub(crate) running: Arc<AtomicUsize>,
    closer: Closer,
    runtime: Handle,
    thread: JoinHandle<()>,
}

impl Serving {
    pub(crate) fn start() -> Self {
        let (store, running) = (MemoryStore::new(), Arc::new(AtomicUsize::new(0)));
        let lobby = Lobby { running: running.clone() };
        let hall = Store::new(Hall { open: true }, |hall: &Hall, Message::Turn| {
            (Hall { open: !hall.open }, Effects::none())
        });
        let http = Server::bind(lobby, hall)
            .http()
            .authenticate(bearer(|token| async move { Some(Guest(token)) }))
            .sessions(store.clone());
        let (started, start) = mpsc::channel();
        let thread = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_multi_thread()
                .worker_threads(2)
                .enable_all()
                .build()
                .unwrap();
            runtime.block_on(async {
                let listening = http.listen("127.0.0.1:0").await.unwrap();
                let address = listening.address().unwrap();
                started.send((address, listening.closer(), Handle::current())).unwrap();
                listening.serve().await.unwrap();
            });
        });
        let (address, closer, runtime) = start.recv().unwrap();
        Self { address, store, running, closer, runtime, thread }
    }

    /// How many tasks it has.
    pub(crate) fn tasks(&self) -> usize {
        self.runtime.metrics().num_alive_tasks()
    }

    /// Waits until all that its callers left has ended.
    pub(crate) fn comes_to_rest(&self) {
        self.until("sessions and methods", || {
            self.store.sessions() == 0 && self.running.load(Ordering::SeqCst) == 0
        });
        self.has_no_connection();
    }

    /// Waits until there is no task but what looks after the sessions, if there are any.
    pub(crate) fn has_no_connection(&self) {
        let sweepers = usize::from(self.store.sessions() > 0);
        self.until("tasks", || self.tasks() <= sweepers);
    }

    fn until(&self, what: &str, reached: impl Fn() -> bool) {
        let late = Instant::now() + Duration::from_secs(30);
        while !reached() {
            assert!(
                Instant::now() < late,
                "{what} are left: {} sessions, {} methods, {} tasks",
                self.store.sessions(),
                self.running.load(Ordering::SeqCst),
                self.tasks()
            );
            std::thread::yield_now();
        }
    }

    pub(crate) fn stop(self) {
        self.closer.close();
        self.thread.join().unwrap();
    }
}

//! A server for the tests of the stdio transport: every way in which a tool can misbehave.
//!
//! Arguments are `name=value` pairs that change limits, `until-sigterm`, `log`, or `client`: start this program as a
//! server, say something to it and wait, to be killed.
#![allow(clippy::unwrap_used)] // A test fails when its server does.

use std::{
    io::{Read, Write},
    process::{Command, Stdio},
    sync::atomic::{AtomicU32, Ordering::SeqCst},
    time::Duration,
};

use agent_mcp::{Context, Form, Limits, Server, Unanswered, agent, data};
use tokio::sync::{Notify, watch};

/// What has happened so far.
#[data]
#[derive(Clone, Default)]
struct Counts {
    /// Calls of `wait` that have started.
    started: u32,
    /// Calls of `wait` whose signal has fired.
    cancelled: u32,
    /// Calls of `wait` whose future is dropped.
    dropped: u32,
}

/// A yes or no.
#[derive(Form)]
struct Sure {
    sure: bool,
}

#[derive(Default)]
struct Fixture {
    counts: watch::Sender<Counts>,
    release: Notify,
    runs: AtomicU32,
}

impl Fixture {
    fn count(&self, change: impl FnOnce(&mut Counts)) {
        self.counts.send_modify(change);
    }
}

struct Dropped<'a>(&'a Fixture);

impl Drop for Dropped<'_> {
    fn drop(&mut self) {
        self.0.count(|counts| counts.dropped += 1);
    }
}

/// Tools for the tests of a transport.
#[agent]
impl Fixture {
    /// Gives the text back at once.
    #[capability]
    async fn echo(&self, text: String) -> String {
        text
    }

    /// Asks before it does anything.
    #[capability]
    async fn ask(&self, cx: &Context<Self>) -> Result<String, Unanswered> {
        let answer: Sure = cx.ask("sure", "Sure?").await?;
        Ok(format!("sure: {}", answer.sure))
    }

    /// Takes its time.
    #[capability]
    async fn slow(&self, ms: u64) -> String {
        tokio::time::sleep(Duration::from_millis(ms)).await;
        format!("slept {ms}")
    }

    /// Blocks a thread.
    #[capability]
    fn block(&self, ms: u64) -> String {
        std::thread::sleep(Duration::from_millis(ms));
        format!("blocked {ms}")
    }

    /// Waits until it is cancelled.
    #[capability]
    async fn wait(&self, cx: &Context<Self>) -> String {
        let _dropped = Dropped(self);
        self.count(|counts| counts.started += 1);
        cx.cancelled().await;
        self.count(|counts| counts.cancelled += 1);
        "cancelled".to_owned()
    }

    /// Waits for ever, for at most 200 ms.
    #[capability(timeout = "200ms")]
    async fn limited(&self) -> String {
        let _dropped = Dropped(self);
        std::future::pending().await
    }

    /// Runs alone, until `release`.
    #[capability(concurrency = 1)]
    async fn alone(&self, cx: &Context<Self>) -> String {
        self.count(|counts| counts.started += 1);
        tokio::select! {
            () = cx.cancelled() => return "cancelled".to_owned(),
            () = self.release.notified() => {}
        }
        format!("run {}", self.runs.fetch_add(1, SeqCst) + 1)
    }

    /// Lets one run of `alone` end, now or later.
    #[capability]
    async fn release(&self) -> String {
        self.release.notify_one();
        "released".to_owned()
    }

    /// What has happened, when at least this has.
    #[capability]
    async fn counts(
        &self,
        #[serde(default)] started: u32,
        #[serde(default)] cancelled: u32,
        #[serde(default)] dropped: u32,
    ) -> Counts {
        let happened = |counts: &Counts| {
            counts.started >= started && counts.cancelled >= cancelled && counts.dropped >= dropped
        };
        let mut counts = self.counts.subscribe();
        counts.wait_for(happened).await.map(|counts| counts.clone()).unwrap_or_default()
    }

    /// Panics.
    #[capability]
    async fn panic(&self) -> String {
        panic!("no such file: /etc/secret")
    }

    /// Panics on a thread of its own.
    #[capability]
    fn panic_blocking(&self) -> String {
        panic!("no such file: /etc/secret")
    }

    /// Prints in every way there is, and reads what is there to read.
    #[capability]
    fn print(&self) -> Result<String, std::io::Error> {
        println!("from println");
        // What a library in C does.
        rustix::io::write(rustix::stdio::stdout(), b"from descriptor 1\n")?;
        let child = Command::new("sh").args(["-c", "echo from a child; cat"]).status()?;
        let mut read = String::new();
        std::io::stdin().read_to_string(&mut read)?;
        std::io::stdout().flush()?;
        Ok(format!("{} {read:?}", child.success()))
    }

    /// Says how far it is.
    #[capability]
    async fn steps(&self, cx: &Context<Self>) -> String {
        for step in [1.0, 2.0] {
            cx.progress().report(step);
            tokio::task::yield_now().await;
        }
        "arrived".to_owned()
    }

    /// A text of so many bytes.
    #[capability]
    async fn large(&self, bytes: usize) -> String {
        "x".repeat(bytes)
    }

    /// A text with line breaks of every kind.
    #[capability]
    async fn breaks(&self) -> String {
        "a\nb\r\nc\u{2028}d\u{2029}e\u{85}f".to_owned()
    }
}

fn set(limits: &mut Limits, name: &str, value: u64) {
    let size = usize::try_from(value).unwrap();
    match name {
        "calls_in_flight" => limits.calls_in_flight = size,
        "stdio_line" => limits.stdio_line = size,
        "stdio_queue" => limits.stdio_queue = size,
        "drain_ms" => limits.drain = Duration::from_millis(value),
        _ => panic!("no such limit: {name}"),
    }
}

#[tokio::main]
async fn main() -> agent_mcp::Result<()> {
    let arguments: Vec<_> = std::env::args().skip(1).collect();
    if arguments == ["client"] {
        client();
    }
    if arguments.iter().any(|argument| argument == "log") {
        // As newcomers write it: to standard output.
        tracing_subscriber::fmt().init();
    }
    let server = Server::new(Fixture::default()).limits(|limits| {
        for (name, value) in arguments.iter().filter_map(|argument| argument.split_once('=')) {
            set(limits, name, value.parse().unwrap());
        }
    });
    if arguments.iter().any(|argument| argument == "until-sigterm") {
        use tokio::signal::unix::{SignalKind, signal};
        let mut terminate = signal(SignalKind::terminate())?;
        let stop = async move {
            terminate.recv().await;
        };
        return server.stdio().until(stop).serve().await;
    }
    let served = server.serve_stdio().await;
    println!("printed after serving");
    served
}

fn client() -> ! {
    let mut server = Command::new(std::env::current_exe().unwrap())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let calls = agent_mcp_tests::stdio::HANDSHAKE.to_owned()
        + &agent_mcp_tests::stdio::call(1, "wait", &serde_json::json!({}))
        + &agent_mcp_tests::stdio::call(2, "counts", &serde_json::json!({"started": 1}));
    let mut input = server.stdin.take().unwrap();
    input.write_all(calls.as_bytes()).unwrap();
    let mut output = std::io::BufReader::new(server.stdout.take().unwrap());
    let mut line = String::new();
    while !line.contains("\"id\":2") {
        line.clear();
        std::io::BufRead::read_line(&mut output, &mut line).unwrap();
    }
    println!("the call runs");
    server.wait().unwrap();
    std::process::exit(1)
}

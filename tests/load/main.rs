//! Many callers at once over real sockets: calling, cancelling, vanishing and coming back.
//!
//! It takes 5 seconds after as many to warm up; `AGENT_MCP_LOAD_SECONDS=60` gives it a minute. What it does is drawn from a seed that it
//! prints, and `AGENT_MCP_LOAD_SEED` draws it again. `AGENT_MCP_LOAD_SESSIONS` says how many idle sessions are
//! weighed.
#![allow(clippy::unwrap_used)] // helpers of tests are tests

mod client;
mod events;
mod server;

use std::{
    env,
    sync::{Mutex, PoisonError, atomic::Ordering},
    time::{Duration, Instant},
};

use client::{Caller, Tally};
use server::Serving;

const CALLERS: u64 = 200;

/// The memory of a process is weighed for one test at a time.
static SCALES: Mutex<()> = Mutex::new(());

fn setting(name: &str) -> Option<u64> {
    env::var(name).ok()?.parse().ok()
}

/// Lets all callers do what they do for so long, and then leave.
async fn run(serving: &Serving, seed: u64, time: Duration) -> Tally {
    let end = Instant::now() + time;
    let callers = (0..CALLERS).map(|number| {
        let caller = Caller::new(serving.address, number, seed);
        tokio::spawn(async move { caller.run(end).await })
    });
    let mut tally = Tally::default();
    for caller in callers.collect::<Vec<_>>() {
        tally.add(caller.await.expect("what a caller is answered is right"));
    }
    tally
}

#[test]
fn two_hundred_callers_leave_nothing_behind() {
    let _scales = SCALES.lock().unwrap_or_else(PoisonError::into_inner);
    let seed = setting("AGENT_MCP_LOAD_SEED").unwrap_or_else(|| u64::from(std::process::id()));
    let seconds = setting("AGENT_MCP_LOAD_SECONDS").unwrap_or(5);
    println!("AGENT_MCP_LOAD_SEED={seed} AGENT_MCP_LOAD_SECONDS={seconds}");
    let serving = Serving::start();
    let callers = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();

    // Allocators keep what they once had: the first round shows how much that is.
    callers.block_on(run(&serving, seed, Duration::from_secs(seconds)));
    serving.comes_to_rest();
    let (warm, idle_tasks) = (resident(), serving.tasks());

    let tally = callers.block_on(run(&serving, seed + 1, Duration::from_secs(seconds)));
    println!("{tally:?}");
    assert!(tally.is_broad(), "everything happened: {tally:?}");
    serving.comes_to_rest();
    assert_eq!(serving.store.sessions(), 0);
    assert_eq!(serving.tasks(), idle_tasks);
    assert_eq!(serving.running.load(Ordering::SeqCst), 0, "no method runs on");
    if let (Some(warm), Some(now)) = (warm, resident()) {
        println!("resident: {} KiB warm, {} KiB at the end", warm / 1024, now / 1024);
        assert!(now < warm + 10 * 1024 * 1024, "{warm} bytes became {now}");
    }
    serving.stop();
}

#[test]
fn what_an_idle_session_costs() {
    let _scales = SCALES.lock().unwrap_or_else(PoisonError::into_inner);
    let sessions = setting("AGENT_MCP_LOAD_SESSIONS").unwrap_or(2_000);
    let serving = Serving::start();
    let callers = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    let open = |count: u64| callers.block_on(client::open_sessions(serving.address, count));
    open(100);
    serving.has_no_connection();
    let (before, tasks) = (resident(), serving.tasks());
    open(sessions);
    serving.has_no_connection();
    assert_eq!(serving.store.sessions() as u64, sessions + 100);
    assert_eq!(serving.tasks(), tasks, "an idle session has no task");
    if let (Some(before), Some(after)) = (before, resident()) {
        let each = after.saturating_sub(before) / sessions;
        println!("{each} bytes resident for each of {sessions} idle sessions");
        assert!(each < 8 * 1024, "{each} bytes for each session");
    }
    serving.stop();
}

/// The memory that this process has, in bytes, where the system says.
fn resident() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    Some(line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()? * 1024)
}

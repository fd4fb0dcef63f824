//! The stdio transport, seen by a client: a real child process and its pipes.
#![cfg(unix)]
#![allow(clippy::unwrap_used)] // helpers of tests are tests

mod calls;
mod changes;
mod ends;
mod framing;
mod load;
mod properties;
mod streams;
mod tasks;

use agent_mcp_tests::stdio::Process;

/// The server that misbehaves.
const FIXTURE: &str = env!("CARGO_BIN_EXE_stdio-fixture");

async fn fixture() -> Process {
    Process::ready(FIXTURE, &[]).await
}

async fn fixture_with(arguments: &[&str]) -> Process {
    Process::ready(FIXTURE, arguments).await
}

//! Much at once, and a client that reads slowly.

use std::{collections::HashSet, fs, time::Duration};

use agent_mcp_tests::stdio::{Process, call};
use serde_json::json;
use tokio::io::AsyncWriteExt;

use super::fixture;

/// The most memory that a process has had, in KiB.
fn peak(id: u32) -> u64 {
    let status = fs::read_to_string(format!("/proc/{id}/status")).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.trim().trim_end_matches(" kB").parse().unwrap()
}

/// Reads so many answers of that length, each a whole line, and says which they answer.
async fn answers(server: &mut Process, count: usize, length: usize) -> HashSet<u64> {
    let text = format!(r#""{}""#, "x".repeat(length));
    let mut ids = HashSet::with_capacity(count);
    for _ in 0..count {
        let line = server.line().await.unwrap();
        let answer = line.strip_prefix(r#"{"jsonrpc":"2.0","id":"#).unwrap();
        let (id, result) = answer.split_once(',').unwrap();
        assert!(result.starts_with(r#""result":"#) && result.ends_with("}\n"), "{line:.200}");
        assert!(result.contains(&text), "{line:.200}");
        ids.insert(id.parse().unwrap());
    }
    ids
}

#[tokio::test]
async fn stdio_65c_many_large_replies_at_once() {
    const REPLY: usize = 64 * 1024;
    let mut server = fixture().await;
    let calls: String = (1..=200).map(|id| call(id, "large", &json!({"bytes": REPLY}))).collect();
    // Nothing is read before everything is written.
    server.send(calls).await;
    let ids = answers(&mut server, 200, REPLY).await;
    assert_eq!(ids.len(), 200);
    server.close_input();
    assert_eq!(server.rest().await, [json!(null); 0]);
    assert_eq!(server.ended_within(Duration::from_secs(20)).await.0.code(), Some(0));
}

#[tokio::test]
async fn ten_thousand_calls_of_a_client_that_reads_slowly() {
    const CALLS: u64 = 10_000;
    const REPLY: usize = 8 * 1024;
    let mut server = fixture().await;
    let before = peak(server.id());
    let calls: String = (1..=CALLS).map(|id| call(id, "large", &json!({"bytes": REPLY}))).collect();
    let mut input = server.take_input().unwrap();
    input.write_all(calls.as_bytes()).await.unwrap();
    let ids = answers(&mut server, 10_000, REPLY).await;
    assert_eq!(ids.len(), 10_000);
    // All replies together have 80 MB.
    let grown = peak(server.id()) - before;
    assert!(grown < 48 * 1024, "{grown} KiB");
    drop(input);
    assert_eq!(server.rest().await, [json!(null); 0]);
}

#[tokio::test]
async fn o45_a_client_that_never_reads_costs_no_memory() {
    let mut server = fixture().await;
    let before = peak(server.id());
    let lines = b"no JSON at all\n".repeat(4_000_000);
    let mut input = server.take_input().unwrap();
    let writing = input.write_all(&lines);
    // It never ends: the server stops reading when nobody reads the answers.
    assert!(tokio::time::timeout(Duration::from_secs(3), writing).await.is_err());
    let grown = peak(server.id()) - before;
    assert!(grown < 32 * 1024, "{grown} KiB");
    server.close_output();
    assert_eq!(server.ended_within(Duration::from_secs(20)).await.0.code(), Some(0));
}

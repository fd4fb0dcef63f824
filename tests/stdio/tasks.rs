//! What becomes of tasks when a server ends.

use std::time::Duration;

use agent_mcp::{Server, agent};
use agent_mcp_tests::tasks::Shelf;
use serde_json::{Value, json};
use tokio::{
    io::{AsyncBufReadExt, AsyncWriteExt, BufReader},
    time::{Instant, sleep},
};

struct Yard;

#[agent(name = "yard")]
impl Yard {
    /// Works for so many seconds.
    #[capability(task = "required")]
    async fn work(&self, seconds: u64) -> String {
        sleep(Duration::from_secs(seconds)).await;
        "worked".to_owned()
    }
}

/// A call of a client that keeps tasks.
fn work(seconds: u64) -> String {
    let request = json!({
        "jsonrpc": "2.0", "id": seconds, "method": "tools/call",
        "params": {
            "name": "work", "arguments": {"seconds": seconds},
            "_meta": {
                "io.modelcontextprotocol/protocolVersion": "2026-07-28",
                "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
                "io.modelcontextprotocol/clientCapabilities":
                    {"extensions": {"io.modelcontextprotocol/tasks": {}}},
            },
        },
    });
    format!("{request}\n")
}

/// Begins tasks that take so many seconds, ends the input, and gives how they ended and how long the server went on.
async fn ended(seconds: &[u64]) -> (Vec<Value>, Duration) {
    let shelf = Shelf::default();
    let server = Server::new(Yard)
        .task_store(shelf.clone())
        .limits(|limits| limits.drain = Duration::from_secs(3));
    let (client, peer) = tokio::io::duplex(4096);
    let (reader, writer) = tokio::io::split(peer);
    let serving = tokio::spawn(async move { server.stdio().serve_on(reader, writer).await });
    let (lines, mut input) = tokio::io::split(client);
    let mut lines = BufReader::new(lines).lines();
    for &seconds in seconds {
        input.write_all(work(seconds).as_bytes()).await.unwrap();
        let reply: Value =
            serde_json::from_str(&lines.next_line().await.unwrap().unwrap()).unwrap();
        assert_eq!(reply["result"]["status"], "working", "{reply}");
    }
    let before = Instant::now();
    input.shutdown().await.unwrap();
    serving.await.unwrap().unwrap();
    (shelf.endings().await, before.elapsed())
}

#[tokio::test(start_paused = true)]
async fn b140_tasks_have_the_time_that_calls_have_and_then_are_cancelled() {
    let (endings, took) = ended(&[2, 60]).await;
    assert!(endings[0]["result"].as_str().unwrap().contains("worked"), "{endings:?}");
    assert_eq!(endings[1], "cancelled");
    assert!((3_000..3_100).contains(&took.as_millis()), "{took:?}");
}

#[tokio::test(start_paused = true)]
async fn a_server_whose_tasks_are_over_ends_at_once() {
    let (endings, took) = ended(&[2]).await;
    assert!(endings[0]["result"].is_string(), "{endings:?}");
    assert!((1_900..2_100).contains(&took.as_millis()), "{took:?}");
    assert_eq!(ended(&[]).await.1, Duration::ZERO);
}

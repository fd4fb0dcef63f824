//! Golden transcripts: what goes over the wire at each revision, to be read before it is blessed.
//!
//! `tests/wire/NAME.json` is a list of messages, `{"->": ...}` from the client and `{"<-": ...}` from the
//! server. With `BLESS=1` the server's side is written anew.

use std::path::Path;

use agent_mcp::mcp::Received;
use serde_json::{Value, json};

use crate::{client::Client, desk::serve};

/// What the server says to each message of the client: notices first, then the reply.
async fn replay(script: &[Value]) -> Vec<Value> {
    let served = serve();
    let client = Client::new(&served.handler);
    let mut transcript = Vec::new();
    let mut streams = Vec::new();
    for message in script.iter().filter_map(|step| step.get("->")) {
        transcript.push(json!({ "->": message }));
        let reply = match client.receive(message) {
            Received::Call(stream) if stream.is_stream() => {
                streams.push(stream);
                None
            }
            Received::Call(exchange) => client.finish(exchange).await,
            Received::Reply(reply) => Some(serde_json::from_slice(&reply).unwrap()),
            Received::Nothing => None,
        };
        let said = client.heard().into_iter().chain(reply);
        transcript.extend(said.map(|message| json!({ "<-": message })));
        client.connection.announce_changes();
        transcript.extend(client.heard().into_iter().map(|message| json!({ "<-": message })));
    }
    client.connection.end_streams();
    for stream in streams {
        transcript.extend(client.finish(stream).await.map(|message| json!({ "<-": message })));
    }
    transcript
}

async fn check(name: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("wire").join(format!("{name}.json"));
    let golden = std::fs::read_to_string(&path).unwrap();
    let script: Vec<Value> = serde_json::from_str(&golden).unwrap();
    let transcript = replay(&script).await;
    if std::env::var_os("BLESS").is_some() {
        let lines: Vec<_> = transcript.iter().map(|step| format!("  {step}")).collect();
        std::fs::write(&path, format!("[\n{}\n]\n", lines.join(",\n"))).unwrap();
        return;
    }
    for (place, (said, expected)) in transcript.iter().zip(&script).enumerate() {
        assert_eq!(said, expected, "{name}: message {place}");
    }
    assert_eq!(transcript.len(), script.len(), "{name}");
}

#[tokio::test]
async fn wire_2024_11_05() {
    check("2024-11-05").await;
}

#[tokio::test]
async fn wire_2025_03_26() {
    check("2025-03-26").await;
}

#[tokio::test]
async fn wire_2025_06_18() {
    check("2025-06-18").await;
}

#[tokio::test]
async fn wire_2025_11_25() {
    check("2025-11-25").await;
}

#[tokio::test]
async fn wire_2026_07_28() {
    check("2026-07-28").await;
}

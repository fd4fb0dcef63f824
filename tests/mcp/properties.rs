//! Any bytes in: at most one answer for each request, and never a panic.

use agent_mcp::mcp::Received;
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::{
    client::{Client, envelope, initialize},
    desk::serve,
};

/// Messages that mean something, to be spoilt.
fn seeds() -> Vec<String> {
    let meta = envelope();
    let mut seeds: Vec<_> = [
        initialize("2025-03-26"),
        initialize("2025-11-25"),
        json!({"jsonrpc": "2.0", "method": "notifications/initialized"}),
        json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}}),
        json!({"jsonrpc": "2.0", "id": 1, "method": "ping"}),
        json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {"cursor": "1.a"}}),
        json!({"jsonrpc": "2.0", "id": "é\n", "method": "tools/call",
            "params": {"name": "echo", "arguments": {"text": "\u{2028}"}}}),
        json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call",
            "params": {"name": "find", "arguments": {"city": "x", "max_depth": 3}}}),
        json!({"jsonrpc": "2.0", "id": 3, "method": "resources/read", "params": {"uri": "app://note"}}),
        json!({"jsonrpc": "2.0", "id": 4, "method": "logging/setLevel", "params": {"level": "info"}}),
        json!({"jsonrpc": "2.0", "id": 5, "method": "server/discover", "params": {"_meta": meta}}),
        json!({"jsonrpc": "2.0", "id": 6, "method": "subscriptions/listen",
            "params": {"_meta": meta, "notifications": {"toolsListChanged": true}}}),
        json!([{"jsonrpc": "2.0", "id": 7, "method": "ping"}, {"jsonrpc": "2.0", "method": "x"}]),
        json!({"jsonrpc": "2.0", "id": 1, "result": {}}),
    ]
    .iter()
    .map(Value::to_string)
    .collect();
    seeds.push(format!(r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"echo","arguments":{}1{}}}}}"#, "[".repeat(4000), "]".repeat(4000)));
    seeds.push("[".repeat(100_000));
    seeds.push(format!(r#"{{"jsonrpc":"2.0","id":{}}}"#, "[".repeat(100_000)));
    seeds
}

/// A JSON value of any kind.
fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        ".{0,8}".prop_map(Value::from),
        prop::sample::select(vec!["2.0", "ping", "tools/call", "tools/list", "initialize", "echo"])
            .prop_map(Value::from),
    ];
    let key = prop_oneof![
        prop::sample::select(vec![
            "jsonrpc",
            "id",
            "method",
            "params",
            "_meta",
            "name",
            "arguments",
            "uri",
            "cursor",
            "requestId",
            "result",
            "error",
            "io.modelcontextprotocol/protocolVersion",
        ])
        .prop_map(str::to_owned),
        ".{0,4}",
    ];
    leaf.prop_recursive(4, 40, 6, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
            prop::collection::vec((key.clone(), inner), 0..6)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

/// Bytes that are nearly a message: cut, doubled, overwritten.
fn spoilt() -> impl Strategy<Value = Vec<u8>> {
    let edits = prop::collection::vec((any::<prop::sample::Index>(), any::<u8>(), 0..4_u8), 0..6);
    (prop::sample::select(seeds()), edits).prop_map(|(seed, edits)| {
        let mut bytes = seed.into_bytes();
        for (place, byte, edit) in edits {
            if bytes.is_empty() {
                break;
            }
            let place = place.index(bytes.len());
            match edit {
                0 => bytes[place] = byte,
                1 => bytes.truncate(place),
                2 => bytes.insert(place, byte),
                _ => {
                    let tail = bytes.split_off(place);
                    bytes.extend_from_slice(&tail);
                    bytes.extend_from_slice(&tail[..tail.len().min(64)]);
                }
            }
        }
        bytes
    })
}

/// An answer is a response, or a list of responses that is not empty.
fn check(answer: &[u8]) {
    let answer: Value = serde_json::from_slice(answer).unwrap();
    let answers = match &answer {
        Value::Array(answers) => {
            assert!(!answers.is_empty());
            answers.iter().collect()
        }
        _ => vec![&answer],
    };
    for answer in answers {
        assert_eq!(answer["jsonrpc"], "2.0");
        assert!(answer["id"].is_string() || answer["id"].is_number() || answer["id"].is_null());
        match (answer.get("result"), answer.get("error")) {
            (Some(result), None) => assert!(result.is_object() && !answer["id"].is_null()),
            (None, Some(error)) => {
                assert!(error["code"].is_i64() && error["message"].is_string());
            }
            _ => panic!("neither a result nor an error, or both: {answer}"),
        }
    }
}

fn drive(messages: Vec<Vec<u8>>) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let served = serve();
        served.desk.gate.open.add_permits(messages.len());
        let client = Client::new(&served.handler);
        let mut open = Vec::new();
        for message in messages {
            match client.connection.receive(message.into()) {
                Received::Nothing => {}
                Received::Reply(reply) => check(&reply),
                Received::Call(exchange) if exchange.is_stream() => open.push(exchange),
                Received::Call(exchange) => {
                    if let Some(reply) = exchange.await {
                        check(&reply);
                    }
                }
            }
        }
        client.connection.close();
        for stream in open {
            if let Some(reply) = stream.await {
                check(&reply);
            }
        }
        for notice in client.heard() {
            assert!(notice.get("id").is_none() && notice["method"].is_string());
        }
    });
}

#[test]
fn every_seed_is_answered() {
    drive(seeds().into_iter().map(String::into_bytes).collect());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn spoilt_messages(messages in prop::collection::vec(spoilt(), 1..8)) {
        drive(messages);
    }

    #[test]
    fn any_values(messages in prop::collection::vec(value(), 1..8)) {
        drive(messages.iter().map(|message| message.to_string().into_bytes()).collect());
    }

    #[test]
    fn any_bytes(message in prop::collection::vec(any::<u8>(), 0..64)) {
        drive(vec![message]);
    }
}

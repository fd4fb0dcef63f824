//! The base protocol (BASE-*, B113 to B115, jsonrpc-*).

use serde_json::{Value, json};

use crate::{
    client::{ALL, Client, LEGACY, request, start},
    desk::{Gate, plain, serve},
};

fn code(answer: &Value) -> i64 {
    answer["error"]["code"].as_i64().unwrap()
}

#[test]
fn jsonrpc_130_kinds_of_request_id() {
    let client = Client::at(&plain(), "2025-11-25");
    for id in ["0", "-1", "9007199254740993", "123456789012345678901234567890", "\"0\"", "\"\""] {
        let ping = format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"ping"}}"#);
        let agent_mcp::mcp::Received::Reply(reply) = client.connection.receive(ping.into()) else {
            panic!("{id}")
        };
        assert_eq!(reply, format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{}}}}"#));
    }
    assert_eq!(client.reply(&request(json!("a-b"), "ping", json!({})))["id"], "a-b");
}

#[tokio::test]
async fn jsonrpc_130_one_and_its_text_are_two_ids() {
    let served = serve();
    let client = Client::at(&served.handler, "2025-11-25");
    let (mut number, mut text) = (client.begin(json!(1), "wait"), client.begin(json!("1"), "wait"));
    start(&mut number).await;
    start(&mut text).await;
    served.desk.gate.open.add_permits(2);
    assert_eq!(client.finish(number).await.unwrap()["id"], json!(1));
    assert_eq!(client.finish(text).await.unwrap()["id"], json!("1"));
}

#[test]
fn base_5_an_error_that_answers_nothing_in_particular() {
    for revision in ALL {
        let client = Client::at(&plain(), revision);
        let null = (revision < "2025-11-25").then_some(&Value::Null);
        for nothing in ["{", "17", "[1]", r#"{"jsonrpc":"2.0","id":{},"method":"ping"}"#] {
            let answer = client.raw(nothing).unwrap();
            let answer = answer.get(0).unwrap_or(&answer);
            assert_eq!(answer.get("id"), null, "{revision}: {answer}");
        }
    }
    assert_eq!(Client::new(&plain()).raw("{").unwrap().get("id"), None);
}

#[test]
fn jsonrpc_c09_id_null() {
    let client = Client::at(&plain(), "2025-11-25");
    for id in [json!(null), json!(1.5), json!(true), json!({}), json!([1])] {
        let answer = client.reply(&request(id, "tools/list", json!({})));
        assert_eq!(code(&answer), -32600);
        assert_eq!(answer["id"], Value::Null);
    }
}

#[tokio::test]
async fn jsonrpc_d79_one_id_twice_in_flight() {
    let served = serve();
    let client = Client::at(&served.handler, "2025-11-25");
    let mut first = client.begin(json!(7), "wait");
    start(&mut first).await;
    for method in ["tools/call", "tools/list", "ping", "resources/read"] {
        let second = client.reply(&request(json!(7), method, json!({"name": "echo"})));
        assert_eq!((code(&second), &second["id"]), (-32600, &json!(7)));
    }
    served.desk.gate.open.add_permits(1);
    assert_eq!(client.finish(first).await.unwrap()["result"]["content"][0]["text"], "done");
    // The id is free again.
    assert!(client.reply(&request(json!(7), "ping", json!({})))["result"].is_object());
}

// B124: a cancel ends the request that has its id.
#[tokio::test]
async fn jsonrpc_d79_a_cancel_stops_the_first() {
    let served = serve();
    let client = Client::at(&served.handler, "2025-11-25");
    let mut first = client.begin(json!(7), "wait");
    start(&mut first).await;
    client.reply(&request(json!(7), "tools/call", json!({"name": "wait"})));
    client.cancel(json!(7));
    assert_eq!(client.finish(first).await, None);
}

#[test]
fn jsonrpc_224_batch_where_there_is_none() {
    let batch = r#" [{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","id":2,"method":"tools/list"}]"#;
    for revision in ["2024-11-05", "2025-06-18", "2025-11-25", "2026-07-28"] {
        let client = Client::at(&plain(), revision);
        let answer = client.raw(batch).unwrap();
        assert_eq!((code(&answer), &answer["id"]), (-32600, &Value::Null), "{revision}");
        let ping = client.request(json!(3), "tools/list", json!({}));
        assert!(client.reply(&ping)["result"].is_object(), "the session lives on");
    }
    assert_eq!(code(&Client::new(&plain()).raw(batch).unwrap()), -32600);
}

#[tokio::test]
async fn base_8_batches_at_2025_03_26() {
    let served = serve();
    let client = Client::at(&served.handler, "2025-03-26");
    let call = json!({"name": "echo", "arguments": {"text": "hello"}});
    let answer = client
        .send(&json!([
            request(json!(1), "ping", json!({})),
            {"jsonrpc": "2.0", "method": "notifications/unheard"},
            request(json!("two"), "tools/call", call),
            request(json!(null), "ping", json!({})),
            request(json!(4), "no/such", json!({})),
            17,
        ]))
        .await
        .unwrap();
    let answers = answer.as_array().unwrap();
    assert_eq!(answers.len(), 5);
    assert_eq!(answers[0], json!({"jsonrpc": "2.0", "id": 1, "result": {}}));
    assert_eq!(answers[1]["result"]["content"][0]["text"], "hello");
    assert_eq!((code(&answers[2]), &answers[2]["id"]), (-32600, &Value::Null));
    assert_eq!((code(&answers[3]), &answers[3]["id"]), (-32601, &json!(4)));
    assert_eq!((code(&answers[4]), &answers[4]["id"]), (-32600, &Value::Null));
}

#[tokio::test]
async fn base_8_a_batch_of_what_needs_no_answer_has_none() {
    let client = Client::at(&plain(), "2025-03-26");
    let notices =
        json!([{"jsonrpc": "2.0", "method": "a"}, {"jsonrpc": "2.0", "id": 1, "result": {}}]);
    assert_eq!(client.send(&notices).await, None);
}

#[tokio::test]
async fn base_8_a_batch_may_cancel_what_it_asked_for() {
    let served = serve();
    let client = Client::at(&served.handler, "2025-03-26");
    let cancelled = json!({"requestId": 1});
    let answer = client
        .send(&json!([
            request(json!(1), "tools/call", json!({"name": "wait"})),
            request(json!(2), "tools/call", json!({"name": "count"})),
            {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": cancelled},
        ]))
        .await
        .unwrap();
    let answers = answer.as_array().unwrap();
    assert_eq!(answers.len(), 1, "{answer}");
    assert_eq!(answers[0]["id"], 2);

    let only = json!([
        request(json!(1), "tools/call", json!({"name": "wait"})),
        {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}},
    ]);
    assert_eq!(client.send(&only).await, None, "nothing is left to answer");
}

#[tokio::test]
async fn base_8_a_batch_waits_for_its_slowest() {
    let served = serve();
    let client = Client::at(&served.handler, "2025-03-26");
    let batch = json!([
        request(json!(1), "tools/call", json!({"name": "wait"})),
        request(json!(2), "tools/call", json!({"name": "count"})),
    ]);
    let agent_mcp::mcp::Received::Call(mut exchange) = client.receive(&batch) else { panic!() };
    start(&mut exchange).await;
    served.desk.gate.open.add_permits(1);
    let answer = client.finish(exchange).await.unwrap();
    assert_eq!((&answer[0]["id"], &answer[1]["id"]), (&json!(1), &json!(2)));
}

#[test]
fn base_9_initialize_is_no_part_of_a_batch() {
    let client = Client::at(&plain(), "2025-03-26");
    let batch =
        json!([crate::client::initialize("2025-11-25"), request(json!(1), "ping", json!({}))]);
    let answer = client.reply(&batch);
    assert_eq!((code(&answer[0]), &answer[0]["id"]), (-32600, &json!("init")));
    assert!(answer[1]["result"].is_object());
    assert!(
        client.reply(&json!([request(json!(2), "ping", json!({}))])).is_array(),
        "still 2025-03-26"
    );
}

#[test]
fn base_8_an_empty_or_a_long_batch_is_refused() {
    let client = Client::at(&plain(), "2025-03-26");
    assert_eq!(code(&client.reply(&json!([]))), -32600);
    let long: Vec<_> = (0..101).map(|id| request(json!(id), "ping", json!({}))).collect();
    let answer = client.reply(&json!(long));
    assert_eq!(code(&answer), -32600);
    assert!(answer["error"]["message"].as_str().unwrap().contains("`batch`"));
    assert_eq!(code(&client.raw("[1,").unwrap()), -32700);
}

#[tokio::test]
async fn jsonrpc_a51_params_null_or_missing() {
    let client = Client::at(&plain(), "2025-11-25");
    for params in ["", r#","params":null"#, r#","params":{}"#] {
        for method in ["tools/list", "ping"] {
            let message = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"{method}"{params}}}"#);
            assert!(client.raw(message).unwrap()["result"].is_object());
        }
        let message =
            format!(r#"{{"jsonrpc":"2.0","method":"notifications/initialized"{params}}}"#);
        assert_eq!(client.raw(message), None);
    }
}

#[tokio::test]
async fn base_8_a_batch_that_waits_counts_what_each_member_keeps() {
    let served = serve();
    let client = Client::at(&served.handler, "2025-03-26");
    let sizes = [1, 50].map(|count| {
        let calls: Vec<_> = (0..count)
            .map(|id| client.request(json!(id + count), "tools/call", json!({"name": "wait"})))
            .collect();
        let batch = json!(calls).to_string();
        let agent_mcp::mcp::Received::Call(exchange) = client.receive(&json!(calls)) else {
            panic!("calls are worked on")
        };
        exchange.size() - batch.len()
    });
    assert_eq!(sizes[1], 50 * sizes[0]);
}

#[test]
fn jsonrpc_251_wrong_protocol_marker() {
    let client = Client::at(&plain(), "2025-11-25");
    for marker in ["", r#""jsonrpc":"1.0","#, r#""jsonrpc":2.0,"#] {
        let answer = client.raw(format!(r#"{{{marker}"id":5,"method":"tools/list"}}"#)).unwrap();
        assert_eq!((code(&answer), &answer["id"]), (-32600, &json!(5)));
    }
}

// B112.
#[test]
fn base_7_errors_of_the_base_protocol() {
    for revision in LEGACY.into_iter().chain(["2026-07-28"]) {
        let client = Client::at(&plain(), revision);
        assert_eq!(code(&client.raw("{").unwrap()), -32700);
        assert_eq!(code(&client.raw(&b"{\"a\":\"\xff\"}"[..]).unwrap()), -32700);
        assert_eq!(code(&client.raw("\"x\"").unwrap()), -32600);
        let unknown = client.reply(&client.request(json!(1), "no/such", json!({})));
        assert_eq!(code(&unknown), -32601);
        assert_eq!(unknown["error"]["message"], "Unknown method: no/such");
        let list = client.raw(r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":[1]}"#);
        assert_eq!(code(&list.unwrap()), -32602);
    }
}

#[tokio::test]
async fn b115_a_call_without_an_id_is_neither_run_nor_answered() {
    let served = serve();
    let client = Client::at(&served.handler, "2025-11-25");
    client.notify("tools/call", json!({"name": "close"}));
    client.notify("tools/call", json!({"name": "wait"}));
    assert!(served.shop.model().open);
    assert_eq!(served.desk.gate.begun.available_permits(), 0);
    client.notify("notifications/no/such", json!({"a": 1}));
    client.notify("initialize", json!({"protocolVersion": "2024-11-05"}));
    assert!(client.heard().is_empty());
}

#[tokio::test]
async fn b134_a_ping_is_answered_while_a_call_waits() {
    let served = serve();
    let client = Client::at(&served.handler, "2025-11-25");
    let mut slow = client.begin(json!(1), "wait");
    start(&mut slow).await;
    Gate::pass(&served.desk.gate.begun).await;
    assert!(client.reply(&request(json!(2), "ping", json!({})))["result"].is_object());
    assert_eq!(client.call("count", json!({})).await["content"][0]["text"], "42");
    served.desk.gate.open.add_permits(1);
    assert!(client.finish(slow).await.is_some());
}

#[test]
fn base_19_what_is_unknown_is_tolerated() {
    let client = Client::at(&plain(), "2025-11-25");
    let message = r#"{"extra":{"a":[1]},"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":1,"_meta":{"y":2}}}"#;
    assert!(client.raw(message).unwrap()["result"].is_object());
}

#[test]
fn an_escaped_method_is_the_method() {
    let client = Client::at(&plain(), "2025-11-25");
    let message = r#"{"jsonrpc":"2.0","id":1,"method":"p\u0069ng"}"#;
    assert!(client.raw(message).unwrap()["result"].is_object());
}

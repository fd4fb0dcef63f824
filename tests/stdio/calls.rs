//! Calls among each other: in flight, cancelled, broken, late.

use std::time::{Duration, Instant};

use agent_mcp_tests::stdio::{HANDSHAKE, Process, call, cancel, ping, text};
use serde_json::{Value, json};

use super::{FIXTURE, fixture, fixture_with};

fn ids(messages: &[Value]) -> Vec<u64> {
    messages.iter().filter_map(|message| message["id"].as_u64()).collect()
}

/// Each line is held to the schemas of the revision, too.
#[tokio::test]
async fn ver_2_every_revision_is_spoken() {
    let echo = call(2, "echo", &json!({"text": "hello"}));
    for revision in ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"] {
        let mut server = Process::start(FIXTURE, &[]);
        server.send(HANDSHAKE.replace("2025-11-25", revision)).await;
        assert_eq!(server.message().await["result"]["protocolVersion"], revision);
        let list = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"});
        server.send(format!("{list}\n{echo}")).await;
        assert!(server.answer(1).await["result"]["tools"].is_array());
        assert_eq!(text(&server.answer(2).await), "hello");
        server.send(format!("[{},{}]\n", ping(3).trim(), echo.trim())).await;
        let batch: Value = serde_json::from_str(&server.line().await.unwrap()).unwrap();
        if revision == "2025-03-26" {
            assert_eq!(ids(batch.as_array().unwrap()), [3, 2], "BASE-8");
        } else {
            assert_eq!(batch["error"]["code"], -32600, "BASE-10");
        }
        server.close_input();
        assert_eq!(server.rest().await, [json!(null); 0]);
    }
    let mut server = Process::start(FIXTURE, &[]);
    let mut modern: Value = serde_json::from_str(&echo).unwrap();
    modern["params"]["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    server.send(format!("{modern}\n")).await;
    assert_eq!(server.answer(2).await["result"]["resultType"], "complete");
}

#[tokio::test]
async fn jsonrpc_d79_one_id_twice_in_flight() {
    let mut server = fixture().await;
    server.send(call(7, "wait", &json!({})) + &call(7, "echo", &json!({"text": "x"}))).await;
    let refused = server.message().await;
    assert_eq!((&refused["id"], &refused["error"]["code"]), (&json!(7), &json!(-32600)));

    // The first still runs, and is the one that a cancel stops.
    let arguments = json!({"started": 1, "cancelled": 1, "dropped": 1});
    server.send(cancel(7) + &call(8, "counts", &arguments)).await;
    assert_eq!(server.message().await["id"], 8);

    // The id is free again.
    server.send(call(7, "slow", &json!({"ms": 50})) + &call(7, "slow", &json!({"ms": 1}))).await;
    assert_eq!(server.message().await["error"]["code"], -32600);
    assert_eq!(text(&server.message().await), "slept 50");
    server.close_input();
    assert_eq!(server.rest().await, [json!(null); 0]);
}

#[tokio::test]
async fn cancel_c25_a_cancelled_call_is_silent() {
    let mut server = fixture().await;
    server.send(call(5, "wait", &json!({})) + &call(6, "counts", &json!({"started": 1}))).await;
    server.answer(6).await;
    server.send(cancel(5) + &call(7, "counts", &json!({"cancelled": 1, "dropped": 1}))).await;
    // The signal has fired, the method is gone, and of 5 is nothing to be heard up to the very end.
    let told = server.until(7).await;
    server.send(ping(8)).await;
    server.close_input();
    let rest = server.rest().await;
    assert_eq!((ids(&told), ids(&rest)), (vec![7], vec![8]));
}

#[tokio::test]
async fn cancel_b7f_cancels_are_not_queued() {
    let mut server = fixture().await;
    let alone: String = (10..16).map(|id| call(id, "alone", &json!({}))).collect();
    server.send(alone + &call(1, "counts", &json!({"started": 1}))).await;
    server.answer(1).await;
    server.send(cancel(10) + &cancel(12) + &call(2, "counts", &json!({"started": 2}))).await;
    assert_eq!(server.message().await["id"], 2);

    let mut runs = Vec::new();
    for id in 20..24 {
        server.send(call(id, "release", &json!({}))).await;
        let mut answered = [server.message().await, server.message().await];
        answered.sort_by_key(|message| std::cmp::Reverse(message["id"].as_u64()));
        assert_eq!(answered[0]["id"], id);
        runs.push((answered[1]["id"].as_u64().unwrap(), text(&answered[1]).to_owned()));
    }
    let expected = [(11, "run 1"), (13, "run 2"), (14, "run 3"), (15, "run 4")];
    assert_eq!(runs, expected.map(|(id, run)| (id, run.to_owned())));
    server.send(call(3, "counts", &json!({}))).await;
    let counts = server.answer(3).await;
    assert_eq!(counts["result"]["structuredContent"]["started"], 5, "12 never started");
}

#[tokio::test]
async fn cancel_b7f_a_call_that_waits_for_a_place_never_starts() {
    let mut server = fixture_with(&["calls_in_flight=1"]).await;
    let waiting = call(2, "wait", &json!({})) + &call(3, "counts", &json!({}));
    server.send(call(1, "wait", &json!({})) + &waiting + &ping(4)).await;
    assert_eq!(server.message().await["id"], 4, "reading goes on");
    server.send(cancel(2) + &cancel(1)).await;
    let counts = server.message().await;
    assert_eq!(counts["id"], 3);
    assert_eq!(counts["result"]["structuredContent"]["started"], 1);
}

#[tokio::test]
async fn a_full_queue_is_an_error_that_names_the_setting() {
    let mut server = fixture_with(&["calls_in_flight=1", "stdio_queue=25000"]).await;
    let text = "x".repeat(10_000);
    let calls: String = (2..6).map(|id| call(id, "echo", &json!({"text": text}))).collect();
    server.send(call(1, "wait", &json!({})) + &calls + &ping(9)).await;
    let told = server.until(9).await;
    assert_eq!(ids(&told), [4, 5, 9]);
    for refused in &told[..2] {
        assert!(refused["error"]["message"].as_str().unwrap().contains("`stdio_queue`"));
    }
    server.send(cancel(1)).await;
    assert_eq!(
        [server.message().await["id"].clone(), server.message().await["id"].clone()],
        [2, 3]
    );
}

#[tokio::test]
async fn cancelled_calls_make_room_in_a_full_queue() {
    let mut server = fixture_with(&["calls_in_flight=1", "stdio_queue=25000"]).await;
    let text = "x".repeat(10_000);
    let calls: String = (2..4).map(|id| call(id, "echo", &json!({"text": text}))).collect();
    let full = call(1, "wait", &json!({})) + &calls + &call(4, "echo", &json!({"text": text}));
    server.send(full + &cancel(2) + &cancel(3)).await;
    assert_eq!(server.message().await["id"], 4, "the queue is full");
    server.send(call(5, "echo", &json!({"text": "late"})) + &ping(6)).await;
    assert_eq!(server.message().await["id"], 6, "5 waits");
    server.send(cancel(1)).await;
    assert_eq!(server.message().await["id"], 5);
}

#[tokio::test]
async fn runtime_c51_a_panic_is_one_calls_own() {
    let mut server = fixture().await;
    for (id, tool) in [(1, "panic"), (2, "panic_blocking")] {
        server.send(call(id, tool, &json!({}))).await;
        let answer = server.message().await;
        assert_eq!((&answer["id"], &answer["result"]["isError"]), (&json!(id), &json!(true)));
        assert!(text(&answer).contains(&format!("`{tool}`")), "{answer}");
        assert!(!answer.to_string().contains("secret"), "{answer}");
        // The id and the place are free.
        server.send(call(id, "echo", &json!({"text": "good"}))).await;
        assert_eq!(text(&server.message().await), "good");
    }
    server.close_input();
    assert_eq!(server.rest().await, [json!(null); 0]);
    let (status, errors) = server.ended_within(Duration::from_secs(20)).await;
    assert!(status.success());
    assert!(errors.contains("/etc/secret"), "the log has what the caller has not: {errors}");
}

#[tokio::test]
async fn runtime_e0e_a_slow_call_holds_up_nobody() {
    let mut server = fixture().await;
    for slow in [call(1, "wait", &json!({})), call(2, "block", &json!({"ms": 3_000}))] {
        server.send(slow + &ping(8) + &call(9, "echo", &json!({"text": "x"}))).await;
        let told = server.until(9).await;
        assert_eq!(ids(&told), [8, 9]);
    }
    server.send(cancel(1) + &cancel(2)).await;
}

#[tokio::test]
async fn runtime_8d7_a_time_limit_ends_the_method() {
    let mut server = fixture_with(&["calls_in_flight=1"]).await;
    let before = Instant::now();
    server.send(call(1, "limited", &json!({})) + &call(2, "counts", &json!({"dropped": 1}))).await;
    let late = server.message().await;
    assert!(before.elapsed() >= Duration::from_millis(200));
    assert_eq!((&late["id"], &late["result"]["isError"]), (&json!(1), &json!(true)));
    assert!(text(&late).contains("200ms"), "{late}");
    // The place is free again and the future is gone.
    assert_eq!(server.message().await["id"], 2);
}

// O45: a batch is no way around the limit.
#[tokio::test]
async fn the_members_of_a_batch_are_calls_in_flight_one_by_one() {
    let mut server = fixture_with(&["calls_in_flight=2"]).await;
    let info = json!({"name": "test", "version": "1"});
    let params = json!({"protocolVersion": "2025-03-26", "capabilities": {}, "clientInfo": info});
    let hello = json!({"jsonrpc": "2.0", "id": 100, "method": "initialize", "params": params});
    server.send(format!("{hello}\n")).await;
    server.answer(100).await;
    let batch = |ids: std::ops::Range<u64>| {
        let calls: Vec<_> =
            ids.map(|id| call(id, "echo", &json!({"text": "hi"})).trim_end().to_owned()).collect();
        format!("[{}]\n", calls.join(","))
    };
    server.send(batch(1..4)).await;
    let refused: Value = serde_json::from_str(&server.line().await.unwrap()).unwrap();
    assert_eq!(refused.as_array().unwrap().len(), 3);
    for member in refused.as_array().unwrap() {
        assert!(member["error"]["message"].as_str().unwrap().contains("`calls_in_flight`"));
    }
    // With one place taken a batch of two waits, and reading goes on.
    server.send(call(4, "wait", &json!({})) + &batch(5..7) + &ping(8)).await;
    assert_eq!(server.message().await["id"], 8);
    server.send(cancel(4)).await;
    let both: Value = serde_json::from_str(&server.line().await.unwrap()).unwrap();
    assert_eq!((&both[0]["id"], &both[1]["id"]), (&json!(5), &json!(6)));
}

#[tokio::test]
async fn lsr_3_an_answer_comes_through_while_calls_wait_for_a_place() {
    let mut server = fixture().await;
    server.send(call(1, "ask", &json!({}))).await;
    let question = server.message().await;
    assert_eq!(question["method"], "elicitation/create");
    // More than may be in flight: the rest waits to be taken.
    let flood: String = (100..500).map(|id| call(id, "wait", &json!({}))).collect();
    server.send(flood).await;
    let result = json!({"action": "accept", "content": {"sure": true}});
    let answer = json!({"jsonrpc": "2.0", "id": question["id"], "result": result});
    server.send(answer.to_string() + "\n").await;
    assert_eq!(text(&server.answer(1).await), "sure: true");
    let stop: String = (100..500).map(cancel).collect();
    server.send(stop).await;
    server.close_input();
    server.rest().await;
}

#[tokio::test]
async fn std_3_7_and_9_the_modern_era_needs_no_handshake_and_is_asked_nothing() {
    let mut server = Process::start(FIXTURE, &[]);
    let send = |id: u64, method: &str, mut params: Value| {
        params["_meta"]["io.modelcontextprotocol/protocolVersion"] = json!("2026-07-28");
        params["_meta"]["io.modelcontextprotocol/clientCapabilities"] = json!({"elicitation": {}});
        json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}).to_string() + "\n"
    };
    server.send(send(1, "server/discover", json!({}))).await;
    let found = server.message().await;
    assert_eq!(found["result"]["supportedVersions"][0], "2026-07-28");
    // A question is part of the answer.
    server.send(send(2, "tools/call", json!({"name": "ask"}))).await;
    let asks = server.message().await;
    assert_eq!((&asks["id"], &asks["result"]["resultType"]), (&json!(2), &json!("input_required")));
    // What is said of a request comes before its answer.
    let steps = json!({"name": "steps", "_meta": {"progressToken": "t"}});
    server.send(send(3, "tools/call", steps)).await;
    let told = server.until(3).await;
    let progress: Vec<_> = told.iter().map(|it| it["params"]["progress"].clone()).collect();
    assert_eq!(progress, [json!(1), json!(2), Value::Null]);
    server.close_input();
    assert_eq!(server.rest().await, [json!(null); 0]);
}

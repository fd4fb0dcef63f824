//! Cancellation, progress and log messages (CAN-*, PRG-*, LOG-*, cancel-*).

use agent_mcp::mcp::Received;
use serde_json::{Value, json};

use crate::{
    client::{Client, LEGACY, MODERN, request, start},
    desk::{Gate, serve},
};

#[tokio::test]
async fn cancel_c25_a_running_call() {
    let served = serve();
    for revision in LEGACY.into_iter().chain([MODERN]) {
        let client = Client::at(&served.handler, revision);
        let mut call = client.begin(json!(5), "wait");
        start(&mut call).await;
        client.cancel(json!(5));
        assert_eq!(client.finish(call).await, None, "nothing with id 5 is ever sent");
        Gate::pass(&served.desk.gate.cancelled).await;
        client.cancel(json!(5));
        assert!(client.heard().is_empty());
    }
}

#[tokio::test]
async fn cancel_042_the_type_of_an_id_and_the_connection_count() {
    let served = serve();
    let one = Client::at(&served.handler, "2025-11-25");
    let two = Client::at(&served.handler, "2025-11-25");
    let (mut first, mut second) = (one.begin(json!(3), "wait"), two.begin(json!(3), "wait"));
    start(&mut first).await;
    start(&mut second).await;
    one.cancel(json!("3"));
    two.cancel(json!(3));
    assert_eq!(two.finish(second).await, None);
    served.desk.gate.open.add_permits(1);
    assert_eq!(one.finish(first).await.unwrap()["result"]["content"][0]["text"], "done");
}

#[tokio::test]
async fn can_2_what_is_unknown_or_malformed_is_harmless() {
    let served = serve();
    let client = Client::at(&served.handler, "2025-11-25");
    client.cancel(json!(99));
    client.cancel(json!("init"));
    client.cancel(json!(null));
    client.cancel(json!({"a": 1}));
    client.notify("notifications/cancelled", json!({}));
    client.notify("notifications/cancelled", json!([1]));
    assert_eq!(client.call("count", json!({})).await["content"][0]["text"], "42");
}

#[tokio::test]
async fn a_call_that_is_cancelled_before_it_is_polled_never_runs() {
    let served = serve();
    let client = Client::at(&served.handler, "2025-11-25");
    let call = client.begin(json!(1), "close");
    client.cancel(json!(1));
    assert_eq!(client.finish(call).await, None);
    assert!(served.shop.model().open);
}

#[tokio::test]
async fn a_read_can_be_cancelled_too() {
    let served = serve();
    let client = Client::at(&served.handler, "2025-11-25");
    let read = request(json!(1), "resources/read", json!({"uri": "app://note"}));
    let Received::Call(read) = client.receive(&read) else { panic!() };
    client.cancel(json!(1));
    assert_eq!(client.finish(read).await, None);
}

#[tokio::test]
async fn b133_close_cancels_what_runs() {
    let served = serve();
    let client = Client::at(&served.handler, "2025-11-25");
    let mut call = client.begin(json!(1), "wait");
    start(&mut call).await;
    client.connection.close();
    assert_eq!(client.finish(call).await, None);
    Gate::pass(&served.desk.gate.cancelled).await;
}

#[tokio::test]
async fn a_dropped_exchange_cancels_its_call() {
    let served = serve();
    let client = Client::at(&served.handler, "2025-11-25");
    let mut call = client.begin(json!(1), "wait");
    start(&mut call).await;
    drop(call);
    assert!(client.reply(&request(json!(1), "ping", json!({})))["result"].is_object());
}

async fn progress(client: &Client, meta: Value) -> Vec<Value> {
    client.result("tools/call", json!({"name": "steps", "_meta": meta})).await;
    client.heard()
}

#[tokio::test]
async fn cancel_ffb_progress() {
    let served = serve();
    for revision in LEGACY.into_iter().chain([MODERN]) {
        let client = Client::at(&served.handler, revision);
        for token in [json!(0), json!("t")] {
            let heard = progress(&client, json!({"progressToken": token})).await;
            assert_eq!(heard.len(), 3, "the second 2 is dropped");
            for (notice, done) in heard.iter().zip(1..) {
                assert_eq!(notice["method"], "notifications/progress");
                assert_eq!(notice.get("id"), None);
                let mut expected = json!({"progressToken": token, "progress": done, "total": 4});
                if revision != "2024-11-05" {
                    expected["message"] = json!("working");
                }
                assert_eq!(notice["params"], expected);
            }
        }
        assert!(progress(&client, json!({})).await.is_empty());
        assert!(progress(&client, json!({"progressToken": null})).await.is_empty());
    }
}

fn levels(heard: &[Value]) -> Vec<&str> {
    assert!(heard.iter().all(|notice| notice["method"] == "notifications/message"));
    heard.iter().map(|notice| notice["params"]["level"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn log_2_the_level_of_a_session() {
    let served = serve();
    for revision in LEGACY {
        let client = Client::at(&served.handler, revision);
        let other = Client::at(&served.handler, revision);
        client.call("chatty", json!({})).await;
        assert_eq!(levels(&client.heard()), ["info", "error"]);
        for (level, expected) in [
            ("debug", vec!["debug", "info", "error"]),
            ("warning", vec!["error"]),
            ("emergency", vec![]),
        ] {
            let answer = client.result("logging/setLevel", json!({ "level": level })).await;
            assert_eq!(answer, json!({}));
            client.call("chatty", json!({})).await;
            let heard = client.heard();
            assert_eq!(levels(&heard), expected);
            assert!(
                heard.iter().all(|notice| notice["params"]["data"] == notice["params"]["level"])
            );
        }
        other.call("chatty", json!({})).await;
        assert_eq!(levels(&other.heard()), ["info", "error"], "a session of its own");
        for params in [json!({}), json!({"level": "loud"}), json!({"level": 3})] {
            assert_eq!(client.error("logging/setLevel", params).await["code"], -32602, "LOG-3");
        }
    }
}

#[tokio::test]
async fn log_4_to_6_the_level_of_a_modern_request() {
    let served = serve();
    let client = Client::at(&served.handler, MODERN);
    let chatty = |level: Value| json!({"name": "chatty", "_meta": {"io.modelcontextprotocol/logLevel": level}});
    client.call("chatty", json!({})).await;
    assert!(client.heard().is_empty(), "LOG-4");
    client.result("tools/call", chatty(json!("info"))).await;
    assert_eq!(levels(&client.heard()), ["info", "error"]);
    client.call("chatty", json!({})).await;
    assert!(client.heard().is_empty(), "BASE-15: nothing is kept");
    assert_eq!(client.error("tools/call", chatty(json!("loud"))).await["code"], -32602, "LOG-6");
}

#[tokio::test]
async fn log_7_a_server_says_nothing_of_its_own_accord() {
    let served = serve();
    for revision in LEGACY.into_iter().chain([MODERN]) {
        let client = Client::at(&served.handler, revision);
        let mut meta = json!({});
        if revision == MODERN {
            meta["io.modelcontextprotocol/logLevel"] = json!("debug");
        } else {
            client.result("logging/setLevel", json!({"level": "debug"})).await;
        }
        for tool in ["panics", "lost_card", "forbidden", "find", "strict"] {
            client.ask("tools/call", json!({"name": tool, "_meta": meta})).await;
        }
        client.ask("resources/read", json!({"uri": "app://broken", "_meta": meta})).await;
        assert_eq!(
            client.heard(),
            [] as [Value; 0],
            "{revision}: that is for the server's own log"
        );
    }
}

#[tokio::test]
async fn log_8_there_are_eight_levels() {
    let served = serve();
    let legacy = Client::at(&served.handler, "2025-11-25");
    let modern = Client::at(&served.handler, MODERN);
    for (level, expected) in [
        ("debug", 3),
        ("info", 2),
        ("notice", 1),
        ("warning", 1),
        ("error", 1),
        ("critical", 0),
        ("alert", 0),
        ("emergency", 0),
    ] {
        legacy.result("logging/setLevel", json!({ "level": level })).await;
        legacy.call("chatty", json!({})).await;
        assert_eq!(legacy.heard().len(), expected, "{level}");
        let meta = json!({"io.modelcontextprotocol/logLevel": level});
        modern.result("tools/call", json!({"name": "chatty", "_meta": meta})).await;
        assert_eq!(modern.heard().len(), expected, "{level}");
    }
}

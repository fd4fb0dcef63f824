//! `heartbeat`: the runtime reports progress while the method does not (PRG-1, PRG-2).

use std::{sync::Arc, time::Duration};

use agent_mcp::{Context, Server, Unanswered, agent, mcp::Exchange};
use serde_json::{Value, json};
use tokio::time::sleep;

use crate::client::{Client, MODERN};

#[derive(Default)]
struct Oven;

#[agent]
impl Oven {
    /// Bakes for 35 seconds, and says nothing.
    #[capability(heartbeat = "10s")]
    async fn bake(&self) {
        sleep(Duration::from_secs(35)).await;
    }

    /// Says itself how far it is, after a while.
    #[capability(heartbeat = "10s")]
    async fn roast(&self, cx: &Context<Self>) {
        sleep(Duration::from_secs(25)).await;
        cx.progress().report_of(0.5, 1.0);
        sleep(Duration::from_secs(60)).await;
    }

    /// Is done at once.
    #[capability(heartbeat = "10s")]
    async fn toast(&self) {}

    /// Bakes as a task.
    #[capability(heartbeat = "10s", task = "required")]
    async fn bake_apart(&self) {
        sleep(Duration::from_secs(35)).await;
    }

    /// Says itself how far it is, as a task.
    #[capability(heartbeat = "10s", task = "required")]
    async fn roast_apart(&self, cx: &Context<Self>) {
        sleep(Duration::from_secs(15)).await;
        cx.progress().say(1.0, Some(2.0), "turned");
        sleep(Duration::from_secs(60)).await;
    }

    /// Asks as a task, after a while.
    #[capability(heartbeat = "10s", task = "required")]
    async fn season_apart(&self, cx: &Context<Self>) -> Result<(), Unanswered> {
        sleep(Duration::from_secs(15)).await;
        cx.ask::<()>("salt", "Salt?").await
    }

    /// Is no task for its first seconds.
    #[capability(heartbeat = "10s", task = "required")]
    async fn light_apart(&self, cx: &Context<Self>) {
        sleep(Duration::from_secs(15)).await;
        cx.begin_task().await;
        sleep(Duration::from_secs(60)).await;
    }

    /// Has no heartbeat.
    #[capability]
    async fn cook(&self) {
        sleep(Duration::from_secs(35)).await;
    }
}

fn begin(client: &Client, tool: &str, meta: Value) -> Exchange {
    let request = client.request(json!(1), "tools/call", json!({"name": tool, "_meta": meta}));
    match client.receive(&request) {
        agent_mcp::mcp::Received::Call(exchange) => exchange,
        other => panic!("not a call: {other:?}"),
    }
}

/// The values and texts that were reported.
async fn reported(tool: &str, meta: Value) -> Vec<(f64, Value)> {
    let handler = Server::new(Oven).handler().unwrap();
    let client = Client::at(&handler, MODERN);
    let answer = client.finish(begin(&client, tool, meta)).await.unwrap();
    assert_eq!(answer["result"]["content"][0]["text"], "ok");
    let heard = client.heard();
    heard
        .iter()
        .map(|notice| {
            assert_eq!(notice["method"], "notifications/progress");
            assert_eq!(notice["params"]["progressToken"], "t");
            let text = notice["params"].get("message").cloned().unwrap_or_default();
            (notice["params"]["progress"].as_f64().unwrap(), text)
        })
        .collect()
}

#[tokio::test(start_paused = true)]
async fn prg_2_a_heartbeat_rises_while_the_method_is_silent() {
    let beats = reported("bake", json!({"progressToken": "t"})).await;
    let texts: Vec<_> = beats.iter().map(|(_, text)| text.as_str().unwrap()).collect();
    assert_eq!(texts, ["Running for 10 s", "Running for 20 s", "Running for 30 s"]);
    assert!(beats.is_sorted_by(|(a, _), (b, _)| a < b), "{beats:?}");
}

#[tokio::test(start_paused = true)]
async fn prg_2_a_heartbeat_ends_with_the_first_report_of_the_method() {
    let beats = reported("roast", json!({"progressToken": "t"})).await;
    let values: Vec<_> = beats.iter().map(|(value, _)| *value).collect();
    assert_eq!(values.len(), 3, "{beats:?}");
    assert!(values[0] < values[1] && values[1] < 0.001, "no part of what the method counts");
    assert_eq!(values[2], 0.5);
}

#[tokio::test(start_paused = true)]
async fn prg_1_nothing_beats_for_a_caller_that_did_not_ask() {
    assert_eq!(reported("bake", json!({})).await, []);
    assert_eq!(reported("toast", json!({"progressToken": "t"})).await, []);
    assert_eq!(reported("cook", json!({"progressToken": "t"})).await, []);
}

#[tokio::test(start_paused = true)]
async fn prg_2_nothing_beats_after_a_call_that_was_cancelled() {
    let handler = Server::new(Oven).handler().unwrap();
    let client = Arc::new(Client::at(&handler, "2025-11-25"));
    let exchange = begin(&client, "bake", json!({"progressToken": "t"}));
    let running = tokio::spawn(exchange);
    sleep(Duration::from_secs(15)).await;
    client.cancel(json!(1));
    assert!(running.await.unwrap().is_none());
    sleep(Duration::from_secs(60)).await;
    assert_eq!(client.heard().len(), 1);
}

/// A task, and what its message is after these seconds.
async fn messages(tool: &str, seconds: &[u64]) -> Vec<(String, Value)> {
    let handler = Server::new(Oven).handler().unwrap();
    let keeps = json!({"elicitation": {}, "extensions": {"io.modelcontextprotocol/tasks": {}}});
    let client = Client::able(&handler, MODERN, keeps);
    let began = tokio::time::Instant::now();
    let task = client.result("tools/call", json!({"name": tool})).await;
    let mut messages = Vec::new();
    for &seconds in seconds {
        tokio::time::sleep_until(began + Duration::from_secs(seconds)).await;
        let now = client.result("tasks/get", json!({"taskId": task["taskId"]})).await;
        messages.push((now["status"].as_str().unwrap().to_owned(), now["statusMessage"].clone()));
    }
    assert!(client.heard().is_empty(), "nobody has asked for progress");
    messages
}

fn working(message: &str) -> (String, Value) {
    ("working".to_owned(), json!(message))
}

#[tokio::test(start_paused = true)]
async fn tsk_15_a_heartbeat_goes_on_as_the_message_of_a_task() {
    let messages = messages("bake_apart", &[5, 12, 22, 40]).await;
    let silent = |status: &str| (status.to_owned(), Value::Null);
    assert_eq!(
        messages,
        [
            silent("working"),
            working("Running for 10 s"),
            working("Running for 20 s"),
            silent("completed")
        ]
    );
}

#[tokio::test(start_paused = true)]
async fn tsk_15_a_heartbeat_says_nothing_over_what_the_method_says() {
    let messages = messages("roast_apart", &[12, 17, 32, 100]).await;
    let completed = ("completed".to_owned(), json!("turned"));
    let turned = || working("turned");
    assert_eq!(messages, [working("Running for 10 s"), turned(), turned(), completed]);
}

#[tokio::test(start_paused = true)]
async fn tsk_15_nothing_runs_while_a_task_waits_for_its_owner() {
    let messages = messages("season_apart", &[12, 17, 32]).await;
    let asking = || ("input_required".to_owned(), Value::Null);
    assert_eq!(messages, [working("Running for 10 s"), asking(), asking()]);
}

#[tokio::test(start_paused = true)]
async fn tsk_15_a_heartbeat_that_began_before_the_task_goes_on() {
    let messages = messages("light_apart", &[17, 22]).await;
    assert_eq!(messages[1], working("Running for 20 s"));
}

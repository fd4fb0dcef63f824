//! Calls that go on when their caller has been let go (TSK-1 to TSK-18).

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use agent_mcp::{Context, Failure, Form, Server, Unanswered, agent, mcp::Handler};
use serde_json::{Value, json};
use tokio::sync::Notify;

use crate::client::{Client, MODERN, start};

const EXTENSION: &str = "io.modelcontextprotocol/tasks";
const CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";

#[derive(Form)]
struct Sure {
    sure: bool,
}

#[derive(Clone, Default)]
struct Yard {
    gate: Arc<Notify>,
    steps: Arc<Mutex<Vec<&'static str>>>,
}

#[agent(name = "yard")]
impl Yard {
    /// Waits at the gate.
    #[capability(task = "optional")]
    async fn wait(&self, cx: &Context<Self>) -> String {
        cx.progress().say(1.0, Some(2.0), "at the gate");
        self.gate.notified().await;
        "through".to_owned()
    }

    /// Fails.
    #[capability(task = "required")]
    async fn fail(&self) -> Result<(), String> {
        Err("no".to_owned())
    }

    /// Fails as the protocol does.
    #[capability(task = "optional")]
    async fn break_off(&self) -> Result<(), Failure> {
        Err(Failure::protocol(-32000, "broken off"))
    }

    /// Asks twice at once, in the middle of the work.
    #[capability(task = "optional")]
    async fn ask_twice(&self, cx: &Context<Self>) -> Result<String, Unanswered> {
        self.steps.lock().unwrap().push("asks");
        let (one, two) = tokio::join!(cx.ask::<Sure>("one", "One?"), cx.ask::<Sure>("two", "Two?"));
        let again: Sure = cx.ask("one", "One, really?").await?;
        Ok(format!("{} {} {}", one?.sure, two?.sure, again.sure))
    }

    /// Looks before it lets the caller go.
    #[capability(task = "required")]
    async fn look_first(&self, cx: &Context<Self>, fine: bool) -> Result<String, String> {
        if !fine {
            return Err("not fine".to_owned());
        }
        self.steps.lock().unwrap().push("looks");
        cx.begin_task().await;
        self.steps.lock().unwrap().push("works");
        self.gate.notified().await;
        Ok("done".to_owned())
    }

    /// Never a task.
    #[capability]
    async fn plain(&self) -> String {
        "plain".to_owned()
    }
}

fn serve() -> (Yard, Handler<()>) {
    let yard = Yard::default();
    let handler = Server::new(yard.clone()).handler().unwrap();
    (yard, handler)
}

/// Params of a client that keeps tasks and can be asked.
fn keeping(mut params: Value) -> Value {
    params["_meta"][CAPABILITIES] = json!({"elicitation": {}, "extensions": {EXTENSION: {}}});
    params
}

async fn begin(client: &Client, tool: &str, arguments: Value) -> Value {
    let params = keeping(json!({"name": tool, "arguments": arguments}));
    client.result("tools/call", params).await
}

async fn get(client: &Client, task: &Value) -> Value {
    let result = client.result("tasks/get", keeping(json!({"taskId": task["taskId"]}))).await;
    assert_eq!(result["resultType"], "complete", "TSK-6");
    result
}

/// Asks until the task is in that state.
async fn until(client: &Client, task: &Value, status: &str) -> Value {
    loop {
        let now = get(client, task).await;
        if now["status"] == status {
            return now;
        }
        assert_ne!(now["status"], "completed", "{now}");
        tokio::task::yield_now().await;
    }
}

fn keys(object: &Value) -> Vec<&str> {
    object.as_object().unwrap().keys().map(String::as_str).collect()
}

#[tokio::test]
async fn tsk_1_and_18_the_extension_is_one_of_the_modern_era() {
    let (_, handler) = serve();
    let discovery = Client::at(&handler, MODERN).result("server/discover", json!({})).await;
    assert_eq!(discovery["capabilities"]["extensions"], json!({EXTENSION: {}}));
    assert!(discovery["capabilities"].get("tasks").is_none());
    let legacy = Client::at(&handler, "2025-11-25");
    assert_eq!(legacy.error("tasks/get", json!({"taskId": "x"})).await["code"], -32601);
}

#[tokio::test]
async fn tsk_4_and_5_a_task_is_there_when_its_call_is_answered() {
    let (yard, handler) = serve();
    let client = Client::at(&handler, MODERN);
    let task = begin(&client, "wait", json!({})).await;
    assert_eq!(task["resultType"], "task");
    assert_eq!(task["status"], "working");
    assert_eq!(task["ttlMs"], 3_600_000);
    assert!(task["pollIntervalMs"].is_u64() && task["createdAt"].as_str().unwrap().ends_with('Z'));
    for absent in ["result", "error", "inputRequests", "requestState", "content", "task"] {
        assert!(task.get(absent).is_none(), "{absent}");
    }
    let now = get(&client, &task).await;
    assert_eq!((&now["taskId"], &now["status"]), (&task["taskId"], &json!("working")));

    yard.gate.notify_one();
    let done = until(&client, &task, "completed").await;
    assert_eq!(done["result"]["content"][0]["text"], "through");
    assert!(done.get("pollIntervalMs").is_none() && done.get("error").is_none());
    assert!(done["lastUpdatedAt"].as_str() >= done["createdAt"].as_str());
}

#[tokio::test]
async fn tsk_15_progress_is_the_tasks_and_not_the_callers() {
    let (_, handler) = serve();
    let client = Client::at(&handler, MODERN);
    let params = json!({"name": "wait", "_meta": {"progressToken": "t"}});
    let task = client.result("tools/call", keeping(params)).await;
    loop {
        let now = get(&client, &task).await;
        if now["statusMessage"] == "at the gate" {
            break;
        }
        tokio::task::yield_now().await;
    }
    assert!(client.heard().is_empty());
}

#[tokio::test]
async fn tsk_7_failures_of_the_tool_and_of_the_protocol() {
    let (_, handler) = serve();
    let client = Client::at(&handler, MODERN);
    let task = begin(&client, "fail", json!({})).await;
    assert_eq!(task["resultType"], "task");
    let failed = loop {
        let now = get(&client, &task).await;
        if now["status"] != "working" {
            break now;
        }
        tokio::task::yield_now().await;
    };
    assert_eq!(
        (&failed["status"], &failed["result"]["isError"]),
        (&json!("completed"), &json!(true))
    );

    let task = begin(&client, "break_off", json!({})).await;
    let broken = until(&client, &task, "failed").await;
    assert_eq!(broken["error"], json!({"code": -32000, "message": "broken off"}));
    assert_eq!(broken["statusMessage"], "broken off");
    assert!(broken.get("result").is_none());
}

#[tokio::test]
async fn tsk_2_and_3_callers_that_keep_no_tasks() {
    let (yard, handler) = serve();
    let client = Client::at(&handler, MODERN);
    yard.gate.notify_one();
    // TSK-12: a task parameter of the older kind means nothing.
    let params = json!({"name": "wait", "task": {"ttl": 1}});
    let result = client.result("tools/call", params).await;
    assert_eq!(result["content"][0]["text"], "through");
    let error = client.error("tools/call", json!({"name": "fail"})).await;
    assert_eq!(error["code"], -32021);
    assert_eq!(error["data"], json!({"requiredCapabilities": {"extensions": {EXTENSION: {}}}}));
    let plain = begin(&client, "plain", json!({})).await;
    assert_eq!((&plain["resultType"], plain.get("taskId")), (&json!("complete"), None));
}

#[tokio::test]
async fn tsk_8_10_11_and_12_what_can_be_done_with_a_task() {
    let (_, handler) = serve();
    let client = Client::at(&handler, MODERN);
    for method in ["tasks/get", "tasks/update", "tasks/cancel"] {
        let params = json!({"taskId": "unknown", "inputResponses": {}});
        assert_eq!(client.error(method, params.clone()).await["code"], -32021, "{method}");
        let error = client.error(method, keeping(params)).await;
        assert_eq!((&error["code"], &error["data"]["taskId"]), (&json!(-32602), &json!("unknown")));
        assert_eq!(client.error(method, keeping(json!({}))).await["code"], -32602, "{method}");
    }
    for method in ["tasks/result", "tasks/list"] {
        assert_eq!(client.error(method, keeping(json!({"taskId": "x"}))).await["code"], -32601);
    }
    let task = begin(&client, "wait", json!({})).await;
    let id = json!({"taskId": task["taskId"]});
    let acknowledged = client.result("tasks/cancel", keeping(id.clone())).await;
    assert_eq!(keys(&acknowledged), ["_meta", "resultType"]);
    let cancelled = until(&client, &task, "cancelled").await;
    assert!(cancelled.get("result").is_none() && cancelled.get("error").is_none());
    // TSK-17: it stays so, and may be cancelled again.
    let again = client.result("tasks/cancel", keeping(id)).await;
    assert_eq!(keys(&again), ["_meta", "resultType"]);
    assert_eq!(get(&client, &task).await, cancelled);
}

#[tokio::test]
async fn tsk_6_8_and_9_questions_are_inputs_of_the_task() {
    let (yard, handler) = serve();
    let client = Client::at(&handler, MODERN);
    let task = begin(&client, "ask_twice", json!({})).await;
    let asking = until(&client, &task, "input_required").await;
    assert_eq!(keys(&asking["inputRequests"]), ["one", "two"]);
    let one = &asking["inputRequests"]["one"];
    assert_eq!(one["method"], "elicitation/create");
    assert_eq!(one["params"]["message"], "One?");
    assert!(asking.get("requestState").is_none());

    let answer = |key: &str, sure: bool| {
        let answer = json!({"action": "accept", "content": {"sure": sure}});
        keeping(json!({"taskId": task["taskId"], "inputResponses": {key: answer, "other": 1}}))
    };
    let acknowledged = client.result("tasks/update", answer("two", true)).await;
    assert_eq!(keys(&acknowledged), ["_meta", "resultType"]);
    let asking = get(&client, &task).await;
    assert_eq!(asking["status"], "input_required");
    assert_eq!(keys(&asking["inputRequests"]), ["one"]);
    // An answer to what is answered means nothing.
    client.result("tasks/update", answer("two", false)).await;
    client.result("tasks/update", answer("one", false)).await;
    // The same key for another question is another key.
    let asking = until(&client, &task, "input_required").await;
    assert_eq!(keys(&asking["inputRequests"]), ["one-2"]);
    client.result("tasks/update", answer("one-2", true)).await;
    let done = until(&client, &task, "completed").await;
    assert_eq!(done["result"]["content"][0]["text"], "false true true");
    assert_eq!(*yard.steps.lock().unwrap(), ["asks"], "the method is not run again");
}

#[tokio::test]
async fn tsk_16_a_method_lets_its_caller_go_when_it_says_so() {
    let (yard, handler) = serve();
    let client = Client::at(&handler, MODERN);
    let refused = begin(&client, "look_first", json!({"fine": false})).await;
    assert_eq!((&refused["resultType"], &refused["isError"]), (&json!("complete"), &json!(true)));
    let wrong = begin(&client, "look_first", json!({})).await;
    assert_eq!(wrong["isError"], true, "what is wrong with a call is its answer");
    let task = begin(&client, "look_first", json!({"fine": true})).await;
    assert_eq!(task["resultType"], "task");
    yard.gate.notify_one();
    until(&client, &task, "completed").await;
    assert_eq!(*yard.steps.lock().unwrap(), ["looks", "works"]);
}

#[tokio::test]
async fn tsk_17_a_caller_that_goes_away_before_there_is_a_task() {
    let (yard, handler) = serve();
    let client = Client::at(&handler, MODERN);
    let params = keeping(json!({"name": "wait"}));
    let request = client.request(json!(1), "tools/call", params);
    let agent_mcp::mcp::Received::Call(exchange) = client.receive(&request) else { panic!() };
    client.cancel(json!(1));
    assert_eq!(client.finish(exchange).await, None);
    assert!(yard.steps.lock().unwrap().is_empty());
}

#[tokio::test(start_paused = true)]
async fn tsk_13_a_task_is_kept_for_its_time() {
    let (_, handler) = serve();
    let client = Client::at(&handler, MODERN);
    let task = begin(&client, "wait", json!({})).await;
    tokio::time::advance(Duration::from_secs(3_599)).await;
    assert_eq!(get(&client, &task).await["status"], "working");
    tokio::time::advance(Duration::from_secs(2)).await;
    let params = keeping(json!({"taskId": task["taskId"]}));
    assert_eq!(client.error("tasks/get", params).await["code"], -32602);
}

#[tokio::test]
async fn tasks_are_limited() {
    let handler = Server::new(Yard::default()).limits(|limits| limits.tasks = 1).handler().unwrap();
    let client = Client::at(&handler, MODERN);
    begin(&client, "wait", json!({})).await;
    let refused = begin(&client, "wait", json!({})).await;
    let text = refused["content"][0]["text"].as_str().unwrap();
    assert!(refused["isError"] == true && text.contains("`tasks`"), "{refused}");
}

#[tokio::test]
async fn tsk_15_whoever_listens_is_told_of_each_change() {
    let (yard, handler) = serve();
    let client = Client::at(&handler, MODERN);
    let task = begin(&client, "ask_twice", json!({})).await;
    let filter = json!({"taskIds": [task["taskId"], "unknown"]});
    let listen = client.request(
        json!("listening"),
        "subscriptions/listen",
        keeping(json!({"notifications": filter})),
    );
    let agent_mcp::mcp::Received::Call(mut stream) = client.receive(&listen) else { panic!() };
    start(&mut stream).await;
    let heard = client.heard();
    assert_eq!(heard[0]["method"], "notifications/subscriptions/acknowledged");
    assert_eq!(heard[0]["params"]["notifications"], json!({"taskIds": [task["taskId"]]}));

    let answer = json!({"action": "accept", "content": {"sure": true}});
    let update =
        json!({"taskId": task["taskId"], "inputResponses": {"one": answer, "two": answer}});
    until(&client, &task, "input_required").await;
    client.result("tasks/update", keeping(update)).await;
    until(&client, &task, "input_required").await;
    let update = json!({"taskId": task["taskId"], "inputResponses": {"one-2": answer}});
    client.result("tasks/update", keeping(update)).await;
    let done = until(&client, &task, "completed").await;
    start(&mut stream).await;
    let told = client.heard();
    assert!(!told.is_empty());
    for notice in &told {
        assert_eq!(notice["method"], "notifications/tasks");
        let id = &notice["params"]["_meta"]["io.modelcontextprotocol/subscriptionId"];
        assert_eq!((id, &notice["params"]["taskId"]), (&json!("listening"), &task["taskId"]));
    }
    let last = &told.last().unwrap()["params"];
    assert_eq!((&last["status"], &last["result"]), (&json!("completed"), &done["result"]));
    drop(yard);
}

#[tokio::test]
async fn sub_10_without_the_extension_nobody_listens() {
    let (_, handler) = serve();
    let client = Client::at(&handler, MODERN);
    let params = json!({"notifications": {"taskIds": ["x"]}});
    let error = client.error("subscriptions/listen", params).await;
    assert_eq!(error["code"], -32021);
    assert_eq!(error["data"], json!({"requiredCapabilities": {"extensions": {EXTENSION: {}}}}));
    assert!(client.heard().is_empty());
}

#[tokio::test]
async fn base_17_a_task_is_found_by_its_id_from_anywhere() {
    let (yard, handler) = serve();
    let task = begin(&Client::at(&handler, MODERN), "wait", json!({})).await;
    // The connection that began it is gone.
    let elsewhere = Client::at(&handler, MODERN);
    assert_eq!(get(&elsewhere, &task).await["status"], "working");
    yard.gate.notify_one();
    until(&elsewhere, &task, "completed").await;
}

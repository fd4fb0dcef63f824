//! What a modern client carries between two questions (MR-4 to MR-7): when it counts as used, and how long it may
//! be.

use std::sync::{
    Arc,
    atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst},
};

use agent_mcp::{Context, Form, Server, Unanswered, agent, mcp::Handler, runtime::Limits};
use serde_json::{Value, json};
use tokio::sync::Notify;

use crate::client::{Client, MODERN, start};

#[derive(Form)]
struct Sure {
    sure: bool,
}

#[derive(Clone, Default)]
struct Till {
    shut: Arc<AtomicBool>,
    paid: Arc<AtomicUsize>,
    charged: Arc<AtomicUsize>,
    gate: Arc<Notify>,
}

#[agent(name = "till")]
impl Till {
    /// Asks before it pays.
    #[capability(available = |till| !till.shut.load(SeqCst))]
    async fn pay(&self, cx: &Context<Self>) -> Result<String, Unanswered> {
        let answer: Sure = cx.ask("sure", "Pay?").await?;
        let paid = self.paid.fetch_add(1, SeqCst) + 1;
        Ok(format!("{} {paid}", answer.sure))
    }

    /// Pays when the gate opens.
    #[capability]
    async fn pay_later(&self, cx: &Context<Self>) -> Result<String, Unanswered> {
        cx.ask::<Sure>("sure", "Pay?").await?;
        self.gate.notified().await;
        Ok(format!("paid {}", self.paid.fetch_add(1, SeqCst) + 1))
    }

    /// Charges between two questions.
    #[capability]
    async fn charge(&self, cx: &Context<Self>) -> Result<String, Unanswered> {
        let (one, two) = (cx.ask::<Sure>("one", "One?"), cx.ask::<Sure>("two", "Two?"));
        tokio::pin!(two);
        let one = tokio::select! { one = one => one?, two = &mut two => two? };
        cx.once("charge", async { self.charged.fetch_add(1, SeqCst) }).await;
        Ok(format!("{} {}", one.sure, two.await?.sure))
    }

    /// Asks before it goes on as a task.
    #[capability(task = "optional")]
    async fn deliver(&self, cx: &Context<Self>) -> Result<String, Unanswered> {
        cx.ask::<Sure>("sure", "Deliver?").await?;
        cx.begin_task().await;
        Ok("delivered".to_owned())
    }

    /// Remembers a long text until it is answered.
    #[capability]
    async fn recall(&self, cx: &Context<Self>, length: usize) -> Result<String, Unanswered> {
        let text = cx.once("text", async { "x".repeat(length) }).await;
        cx.ask::<Sure>("sure", "Sure?").await?;
        Ok(text.len().to_string())
    }

    /// A page that remembers as much.
    #[resource(uri = "till://long")]
    async fn long(&self, cx: &Context<Self>) -> Result<String, Unanswered> {
        let text = cx.once("text", async { "x".repeat(100_000) }).await;
        cx.ask::<Sure>("sure", "Sure?").await?;
        Ok(text)
    }
}

fn serve() -> (Till, Client) {
    serve_with(|_| {})
}

fn serve_with(limits: impl FnOnce(&mut Limits)) -> (Till, Client) {
    let till = Till::default();
    let handler = Server::new(till.clone()).limits(limits).handler().unwrap();
    let client = client(&handler);
    (till, client)
}

fn client(handler: &Handler<()>) -> Client {
    Client::able(handler, MODERN, json!({"elicitation": {}}))
}

fn accepts(sure: impl Into<Value>) -> Value {
    json!({"action": "accept", "content": {"sure": sure.into()}})
}

/// The params that answer what was asked.
fn answered(params: &Value, asks: &Value, responses: Value) -> Value {
    assert_eq!(asks["resultType"], "input_required", "{asks}");
    let mut params = params.clone();
    params["requestState"] = asks["requestState"].clone();
    params["inputResponses"] = responses;
    params
}

fn is_used(error: &Value) -> bool {
    assert_eq!(error["code"], -32602, "{error}");
    error["message"].as_str().unwrap().contains("used before")
}

fn text(result: &Value) -> &str {
    result["content"][0]["text"].as_str().unwrap_or_else(|| panic!("{result}"))
}

#[tokio::test]
async fn mr_6_and_7_an_answer_that_was_wrong_can_be_corrected() {
    let (till, client) = serve();
    let params = json!({"name": "pay"});
    let asks = client.result("tools/call", params.clone()).await;
    for wrong in [accepts("yes"), json!(17), json!({"action": "perhaps"})] {
        let wrong = answered(&params, &asks, json!({"sure": wrong}));
        let error = client.error("tools/call", wrong).await;
        assert!(!is_used(&error), "{error}");
        assert!(error["message"].as_str().unwrap().contains("`sure`"), "{error}");
    }
    let right = answered(&params, &asks, json!({"sure": accepts(true)}));
    assert_eq!(text(&client.result("tools/call", right.clone()).await), "true 1");
    assert!(is_used(&client.error("tools/call", right).await));
    assert_eq!(till.paid.load(SeqCst), 1);
}

#[tokio::test]
async fn mr_6_what_is_refused_before_its_method_runs_uses_no_state() {
    let (till, client) = serve();
    let params = json!({"name": "pay"});
    let asks = client.result("tools/call", params.clone()).await;
    let right = answered(&params, &asks, json!({"sure": accepts(true)}));
    till.shut.store(true, SeqCst);
    assert_eq!(client.result("tools/call", right.clone()).await["isError"], true);
    till.shut.store(false, SeqCst);
    // Nor does a client that forgets to say that it can be asked.
    let mut unable = answered(&params, &asks, json!({}));
    unable["_meta"] = json!({"io.modelcontextprotocol/clientCapabilities": {}});
    assert_eq!(client.error("tools/call", unable).await["code"], -32021);
    assert_eq!(text(&client.result("tools/call", right.clone()).await), "true 1");
    assert!(is_used(&client.error("tools/call", right).await));
}

#[tokio::test]
async fn mr_6_a_person_who_says_no_has_answered() {
    let (_, client) = serve();
    let params = json!({"name": "pay"});
    let asks = client.result("tools/call", params.clone()).await;
    let declined = answered(&params, &asks, json!({"sure": {"action": "decline"}}));
    assert_eq!(text(&client.result("tools/call", declined).await), "The user declined.");
    let second = answered(&params, &asks, json!({"sure": accepts(true)}));
    assert!(is_used(&client.error("tools/call", second).await));
}

#[tokio::test]
async fn mr_6_of_two_repeats_at_the_same_time_one_goes_on() {
    let (till, client) = serve();
    let params = json!({"name": "pay_later"});
    let asks = client.result("tools/call", params.clone()).await;
    let right = answered(&params, &asks, json!({"sure": accepts(true)}));
    let begin =
        |id: u32| match client.receive(&client.request(json!(id), "tools/call", right.clone())) {
            agent_mcp::mcp::Received::Call(exchange) => exchange,
            other => panic!("not a call: {other:?}"),
        };
    let (mut first, second) = (begin(1), begin(2));
    start(&mut first).await;
    let second = client.finish(second).await.unwrap();
    assert!(is_used(&second["error"]), "{second}");
    till.gate.notify_one();
    let first = client.finish(first).await.unwrap();
    assert_eq!(text(&first["result"]), "paid 1");
    assert_eq!(till.paid.load(SeqCst), 1);
}

#[tokio::test]
async fn mr_10_what_was_done_once_is_not_done_again_for_a_wrong_answer_after_it() {
    let (till, client) = serve();
    let params = json!({"name": "charge"});
    let asks = client.result("tools/call", params.clone()).await;
    let wrong = answered(&params, &asks, json!({"one": accepts(true), "two": accepts("x")}));
    assert!(!is_used(&client.error("tools/call", wrong).await));
    let right = answered(&params, &asks, json!({"one": accepts(true), "two": accepts(true)}));
    assert!(is_used(&client.error("tools/call", right).await));
    assert_eq!(till.charged.load(SeqCst), 1);
}

#[tokio::test]
async fn mr_6_the_same_holds_for_a_call_that_may_become_a_task() {
    let (_, client) = serve();
    let keeps = json!({"elicitation": {}, "extensions": {"io.modelcontextprotocol/tasks": {}}});
    let meta = json!({"io.modelcontextprotocol/clientCapabilities": keeps});
    let params = json!({"name": "deliver", "_meta": meta});
    let asks = client.result("tools/call", params.clone()).await;
    let wrong = answered(&params, &asks, json!({"sure": accepts("x")}));
    assert!(!is_used(&client.error("tools/call", wrong).await));
    let right = answered(&params, &asks, json!({"sure": accepts(true)}));
    let task = client.result("tools/call", right.clone()).await;
    assert_eq!(task["resultType"], "task", "{task}");
    assert!(is_used(&client.error("tools/call", right).await));
}

#[tokio::test]
async fn used_states_are_limited_and_none_is_forgotten_before_its_time() {
    let (_, client) = serve_with(|limits| limits.used_states = 1);
    let params = json!({"name": "pay"});
    let (first, second) = (
        client.result("tools/call", params.clone()).await,
        client.result("tools/call", params.clone()).await,
    );
    let first = answered(&params, &first, json!({"sure": accepts(true)}));
    let second = answered(&params, &second, json!({"sure": accepts(true)}));
    assert_eq!(text(&client.result("tools/call", first.clone()).await), "true 1");
    let full = client.error("tools/call", second).await;
    assert_eq!(full["code"], -32600);
    assert!(full["message"].as_str().unwrap().contains("`used_states`"), "{full}");
    let again = client.error("tools/call", first).await;
    assert!(again["message"].as_str().unwrap().contains("`used_states`"), "{again}");
}

#[tokio::test]
async fn a_state_over_its_limit_is_a_failure_that_names_the_setting() {
    let (_, client) = serve();
    let call = |length: usize| json!({"name": "recall", "arguments": {"length": length}});
    // Sealed and written as text it takes a third more than what it holds.
    let asks = client.result("tools/call", call(48_000)).await;
    let state = asks["requestState"].as_str().unwrap().len();
    assert!((64_000..=64 * 1024).contains(&state), "{state}");
    let right = answered(&call(48_000), &asks, json!({"sure": accepts(true)}));
    assert_eq!(text(&client.result("tools/call", right).await), "48000");

    let failed = client.result("tools/call", call(50_000)).await;
    assert_eq!((&failed["isError"], &failed["resultType"]), (&json!(true), &json!("complete")));
    let says = text(&failed);
    assert!(says.contains("`recall`") && says.contains("`state` of 65536"), "{says}");
    assert!(failed.get("requestState").is_none() && failed.get("inputRequests").is_none());

    // What has no other way to say so answers an error of the protocol.
    let error = client.error("resources/read", json!({"uri": "till://long"})).await;
    assert!(error["message"].as_str().unwrap().contains("`state` of 65536"), "{error}");

    let (_, client) = serve_with(|limits| limits.state = 100_000);
    let asks = client.result("tools/call", call(50_000)).await;
    assert_eq!(asks["resultType"], "input_required");
}

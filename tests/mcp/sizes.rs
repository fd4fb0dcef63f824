//! How much a client may say of what is read into a tree of values, each of which takes many times the room of its
//! text: a small message must not fill the memory.

use agent_mcp::{Context, Form, Server, Unanswered, agent, mcp::Handler};
use serde_json::{Value, json};

use crate::client::{Client, LEGACY, MODERN, envelope, initialize, request, start};

#[derive(Form)]
struct Sure {
    sure: bool,
}

struct Guard;

#[agent(name = "guard")]
impl Guard {
    /// Asks.
    #[capability]
    async fn ask(&self, cx: &Context<Self>) -> Result<String, Unanswered> {
        Ok(cx.ask::<Sure>("sure", "Sure?").await?.sure.to_string())
    }

    /// Asks, as a task.
    #[capability(task = "required")]
    async fn ask_later(&self, cx: &Context<Self>) -> Result<String, Unanswered> {
        Ok(cx.ask::<Sure>("sure", "Sure?").await?.sure.to_string())
    }
}

fn serve() -> Handler<()> {
    Server::new(Guard).handler().unwrap()
}

/// So many small objects.
fn many(count: usize) -> Value {
    vec![json!({"a": 0}); count].into()
}

fn refuses(reply: &Value, part: &str) {
    assert_eq!(reply["error"]["code"], -32602, "{reply}");
    let message = reply["error"]["message"].as_str().unwrap();
    assert!(message.contains(part), "{message}");
}

#[test]
fn what_a_session_keeps_of_its_client() {
    let handler = serve();
    for revision in LEGACY {
        for capabilities in [json!({"experimental": {"a": {"b": many(256)}}}), {
            json!({"experimental": {"a": {"b": "x".repeat(20_000)}}})
        }] {
            let mut message = initialize(revision);
            message["params"]["capabilities"] = capabilities;
            refuses(&Client::new(&handler).reply(&message), "capabilities");
        }
        for key in ["name", "version"] {
            let mut message = initialize(revision);
            message["params"]["clientInfo"][key] = "x".repeat(20_000).into();
            refuses(&Client::new(&handler).reply(&message), key);
        }
        // What is not kept may be as long as it likes.
        let mut message = initialize(revision);
        message["params"]["clientInfo"]["icons"] =
            json!([{"src": format!("data:image/png;base64,{}", "A".repeat(100_000))}]);
        let welcome = Client::new(&handler).reply(&message);
        assert!(welcome["result"].is_object(), "{welcome}");
    }
}

#[tokio::test]
async fn what_a_modern_request_says_beside_its_arguments() {
    let client = Client::at(&serve(), MODERN);
    let call = |change: fn(&mut Value)| {
        let mut params = json!({"name": "ask", "_meta": envelope()});
        change(&mut params);
        client.reply(&request(json!(1), "tools/call", params))
    };
    let capabilities = call(|params| {
        params["_meta"]["io.modelcontextprotocol/clientCapabilities"]["a"] = many(256);
    });
    refuses(&capabilities, "capabilities");
    refuses(&call(|params| params["_meta"]["example.com/a"] = many(5_000)), "`_meta`");
    // Also in many small parts.
    let parts = call(|params| {
        for part in 0..10_001 {
            params["_meta"][format!("a{part}")] = json!(0);
        }
    });
    refuses(&parts, "`_meta`");
    refuses(&call(|params| params["inputResponses"] = json!({"b": many(5_000)})), "10000 values");
}

#[tokio::test]
async fn what_a_client_answers() {
    let handler = serve();
    let legacy = Client::able(&handler, LEGACY[3], json!({"elicitation": {}}));
    let mut exchange = legacy.begin(json!(1), "ask");
    start(&mut exchange).await;
    let id = legacy.heard().remove(0)["id"].take();
    let result = json!({"action": "accept", "content": many(5_000)});
    legacy.receive(&json!({"jsonrpc": "2.0", "id": id, "result": result}));
    let reply = legacy.finish(exchange).await.unwrap();
    let why = "The client could not answer: the answer has more than 10000 values";
    assert_eq!(reply["result"]["content"][0]["text"], why);

    let modern = Client::able(
        &handler,
        MODERN,
        json!({"elicitation": {}, "extensions": {"io.modelcontextprotocol/tasks": {}}}),
    );
    let task = modern.result("tools/call", json!({"name": "ask_later"})).await;
    let update = json!({"taskId": task["taskId"], "inputResponses": {"sure": many(5_000)}});
    let error = modern.error("tasks/update", update).await;
    refuses(&json!({ "error": error }), "10000 values");
}

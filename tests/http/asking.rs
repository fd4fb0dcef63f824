//! What a method asks, over HTTP: live requests on the stream of their call (legacy), results that ask for more
//! (modern), and several servers that stand for each other.

use agent_mcp::{
    Context, Form, Server, Unanswered, agent,
    transport::http::{Http, MemoryStore},
};
use http::Method;
use serde_json::{Value, json};

use crate::{
    client::{Client, Reading, enveloped, message, post, request},
    sessions::with,
};

#[derive(Form)]
struct Sure {
    sure: bool,
}

#[derive(Clone)]
struct Till;

#[agent(name = "till")]
impl Till {
    /// Asks before it pays.
    #[capability]
    async fn pay(&self, cx: &Context<Self>) -> Result<String, Unanswered> {
        let answer: Sure = cx.ask("sure", "Pay?").await?;
        Ok(format!("paid {}", answer.sure))
    }

    /// Goes on for as long as it likes, when its caller keeps tasks.
    #[capability(task = "required")]
    async fn count(&self) -> String {
        "counted".to_owned()
    }
}

fn http() -> Http<()> {
    Server::new(Till).state_keys([[1; 32]]).http()
}

/// Opens a session of a client that can be asked.
async fn open(client: &Client, revision: &str) -> String {
    let params = json!({
        "protocolVersion": revision,
        "capabilities": {"elicitation": {}},
        "clientInfo": {"name": "test", "version": "1"},
    });
    let answer = client.post(&[], message(0, "initialize", params).to_string()).await;
    answer.result();
    answer.header("mcp-session-id").unwrap().to_owned()
}

fn call() -> String {
    message(5, "tools/call", json!({"name": "pay"})).to_string()
}

/// Reads up to the question and gives it, with the id of its event.
async fn question(stream: &mut Reading) -> (Value, Option<String>) {
    loop {
        for event in stream.frames().await {
            let message = event.data.flatten().unwrap();
            if message["method"] == "elicitation/create" {
                return (message, event.id);
            }
        }
    }
}

fn answer(question: &Value, sure: bool) -> String {
    let result = json!({"action": "accept", "content": {"sure": sure}});
    json!({"jsonrpc": "2.0", "id": question["id"], "result": result}).to_string()
}

async fn reply(stream: &mut Reading) -> Value {
    let mut messages = stream.messages().await;
    messages.pop().unwrap()
}

#[tokio::test]
async fn lsr_2_and_3_a_question_on_the_stream_of_its_call_is_answered_by_another_post() {
    let client = Client::of(http());
    for revision in ["2025-06-18", "2025-11-25"] {
        let id = open(&client, revision).await;
        let stranger = open(&client, revision).await;
        let mut stream = client.stream(post(&with(&id, &[]), call())).await;
        let (asked, _) = question(&mut stream).await;
        // Another session's answer is taken and answers nothing.
        let foreign = client.post(&with(&stranger, &[]), answer(&asked, false)).await;
        assert_eq!(foreign.status, 202);
        let answered = client.post(&with(&id, &[]), answer(&asked, true)).await;
        assert_eq!((answered.status.as_u16(), answered.body.len()), (202, 0));
        assert_eq!(reply(&mut stream).await["result"]["content"][0]["text"], "paid true");
    }
}

#[tokio::test]
async fn session_43e_an_answer_reaches_the_server_that_asked() {
    let store = MemoryStore::new();
    let one = Client::of(http().sessions(store.clone()));
    let other = Client::of(http().sessions(store));
    let id = open(&one, "2025-11-25").await;
    let mut stream = one.stream(post(&with(&id, &[]), call())).await;
    let (asked, _) = question(&mut stream).await;
    assert_eq!(other.post(&with(&id, &[]), answer(&asked, true)).await.status, 202);
    assert_eq!(reply(&mut stream).await["result"]["content"][0]["text"], "paid true");
}

#[tokio::test]
async fn ses_13_a_question_outlives_its_connection() {
    let client = Client::of(http());
    let id = open(&client, "2025-11-25").await;
    let mut stream = client.stream(post(&with(&id, &[]), call())).await;
    let (asked, event) = question(&mut stream).await;
    drop(stream);
    let event = event.unwrap();
    // From before the question: it is told again.
    let (stream_id, number) = event.split_once('.').unwrap();
    let before = format!("{stream_id}.{}", number.parse::<u64>().unwrap() - 1);
    let last = [("last-event-id", &*before), ("accept", "text/event-stream")];
    let mut resumed = client.stream(request(Method::GET, &with(&id, &last), "")).await;
    let (again, _) = question(&mut resumed).await;
    assert_eq!(again, asked);
    assert_eq!(client.post(&with(&id, &[]), answer(&asked, true)).await.status, 202);
    assert_eq!(reply(&mut resumed).await["result"]["content"][0]["text"], "paid true");
}

#[tokio::test]
async fn lsr_1_where_no_question_can_be_put_the_tool_fails() {
    let client = Client::of(http());
    let id = open(&client, "2025-11-25").await;
    let headers = with(&id, &[("accept", "application/json")]);
    let failed = client.post(&headers, call()).await.result();
    assert_eq!(failed["isError"], true);
    // SES-10: without sessions nobody could answer.
    let client = Client::of(http().stateless());
    let headers = [("mcp-protocol-version", "2025-11-25")];
    assert_eq!(client.post(&headers, call()).await.result()["isError"], true);
}

/// A modern call of a client that can be asked and keeps tasks, or not.
async fn modern(client: &Client, params: Value, able: bool) -> crate::client::Answer {
    let mut body = enveloped("tools/call", params.clone());
    if able {
        body["params"]["_meta"]["io.modelcontextprotocol/clientCapabilities"] =
            json!({"elicitation": {}});
    }
    let name = params["name"].as_str().unwrap().to_owned();
    let headers = [
        ("mcp-protocol-version", crate::client::MODERN),
        ("mcp-method", "tools/call"),
        ("mcp-name", &*name),
    ];
    client.post(&headers, body.to_string()).await
}

#[tokio::test]
async fn mr_6_and_mr_8_a_state_is_used_once_at_all_servers() {
    let store = MemoryStore::new();
    let one = Client::of(http().sessions(store.clone()));
    let other = Client::of(http().sessions(store));
    let asks = modern(&one, json!({"name": "pay"}), true).await.result();
    assert_eq!(asks["resultType"], "input_required");
    let accept = json!({"action": "accept", "content": {"sure": true}});
    let retry = json!({
        "name": "pay", "requestState": asks["requestState"], "inputResponses": {"sure": accept},
    });
    let done = modern(&other, retry.clone(), true).await.result();
    assert_eq!(done["content"][0]["text"], "paid true");
    for server in [&one, &other] {
        assert_eq!(modern(server, retry.clone(), true).await.error(200), -32602);
    }
}

#[tokio::test]
async fn mr_3_and_tsk_3_what_the_client_lacks_has_a_status() {
    for client in [Client::of(http()), Client::of(http().always_stream())] {
        for tool in ["pay", "count"] {
            assert_eq!(modern(&client, json!({"name": tool}), false).await.error(400), -32021);
        }
    }
}

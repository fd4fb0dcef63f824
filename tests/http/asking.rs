//! What a method asks, over HTTP: live requests on the stream of their call (legacy), results that ask for more
//! (modern), and several servers that stand for each other.

use std::{future::Future, sync::Arc, task::Poll, time::Duration};

use agent_mcp::{
    Context, Form, Server, Unanswered, agent,
    transport::http::{Http, MemoryStore},
};
use http::Method;
use serde_json::{Value, json};
use tokio::{sync::Notify, time::timeout};

use crate::{
    client::{Client, Reading, enveloped, frames, message, post, request},
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

    /// Asks so many questions at a time.
    #[capability]
    async fn ask_many(&self, cx: &Context<Self>, questions: usize) -> Result<String, Unanswered> {
        let keys: Vec<_> = (0..questions).map(|number| format!("q{number}")).collect();
        let mut open: Vec<_> =
            keys.iter().map(|key| Box::pin(cx.ask::<Sure>(key, "Sure?"))).collect();
        let mut sure = 0;
        std::future::poll_fn(|task| {
            let mut refused = None;
            open.retain_mut(|question| match question.as_mut().poll(task) {
                Poll::Ready(Ok(answer)) => {
                    sure += usize::from(answer.sure);
                    false
                }
                Poll::Ready(Err(error)) => {
                    refused = Some(error);
                    false
                }
                Poll::Pending => true,
            });
            match refused {
                Some(error) => Poll::Ready(Err(error)),
                None if open.is_empty() => Poll::Ready(Ok(())),
                None => Poll::Pending,
            }
        })
        .await?;
        Ok(format!("{sure} are sure"))
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
        "capabilities": {"elicitation": {}, "roots": {}},
        "clientInfo": {"name": "test", "version": "1"},
    });
    let answer = client.post(&[], message(0, "initialize", params).to_string()).await;
    answer.result();
    answer.header("mcp-session-id").unwrap().to_owned()
}

fn call() -> String {
    message(5, "tools/call", json!({"name": "pay"})).to_string()
}

/// Longer than a question takes that is not lost.
const SOON: Duration = Duration::from_secs(10);

/// Reads up to the question and gives it, with the id of its event.
async fn question(stream: &mut Reading) -> (Value, Option<String>) {
    loop {
        for event in timeout(SOON, stream.frames()).await.expect("the question is lost") {
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

/// The place before everything on a stream, which is let go.
async fn beginning(mut stream: Reading) -> String {
    let primed = frames(&stream.next().await.unwrap()).remove(0);
    let (stream, number) = primed.id.as_deref().unwrap().split_once('.').unwrap();
    assert_eq!(number, "0");
    format!("{stream}.0")
}

/// Goes on with a stream.
async fn resume(client: &Client, session: &str, last: &str) -> Reading {
    let last = [("last-event-id", last), ("accept", "text/event-stream")];
    client.stream(request(Method::GET, &with(session, &last), "")).await
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

#[derive(Clone, Default)]
struct Chatterer {
    go: Arc<Notify>,
    is_done: Arc<Notify>,
}

fn talk(cx: &Context<Chatterer>) {
    (1..=150).for_each(|number| cx.progress().report(number.into()));
}

#[agent(name = "chatterer")]
impl Chatterer {
    /// Talks a lot before it asks.
    #[capability]
    async fn chat(&self, cx: &Context<Self>) -> Result<String, Unanswered> {
        talk(cx);
        let answer: Sure = cx.ask("sure", "Sure?").await?;
        Ok(answer.sure.to_string())
    }

    /// Asks for folders.
    #[capability]
    async fn look(&self, cx: &Context<Self>) -> Result<String, Unanswered> {
        Ok(format!("{} folders", cx.roots().await?.len()))
    }

    /// Talks a lot when it may.
    #[capability]
    async fn chat_later(&self, cx: &Context<Self>) {
        self.go.notified().await;
        talk(cx);
        self.is_done.notify_one();
    }
}

#[tokio::test]
async fn ses_13_no_question_is_lost_for_what_was_said_before() {
    let client = Client::of(Server::new(Chatterer::default()).http());
    let id = open(&client, "2025-11-25").await;
    // With one more stream it is not clear any more which one an unknown id means.
    let get = [("accept", "text/event-stream")];
    let _standing = client.stream(request(Method::GET, &with(&id, &get), "")).await;
    let call = json!({"name": "chat", "_meta": {"progressToken": "t"}});
    let call = message(5, "tools/call", call).to_string();
    let before = beginning(client.stream(post(&with(&id, &[]), call)).await).await;
    let mut resumed = resume(&client, &id, &before).await;
    let (asked, _) = question(&mut resumed).await;
    assert_eq!(client.post(&with(&id, &[]), answer(&asked, true)).await.status, 202);
    let done = resumed.rest().await.pop().unwrap().data.flatten().unwrap();
    assert_eq!(done["result"]["content"][0]["text"], "true");
}

#[tokio::test]
async fn ses_13_no_question_is_lost_for_what_others_of_its_batch_say() {
    let chatterer = Chatterer::default();
    let client = Client::of(Server::new(chatterer.clone()).http());
    let id = open(&client, "2025-03-26").await;
    let call = |id: i64, tool: &str| {
        let params = json!({"name": tool, "_meta": {"progressToken": id}});
        message(id, "tools/call", params)
    };
    let batch = json!([call(1, "look"), call(2, "chat_later")]).to_string();
    let mut stream = client.stream(post(&with(&id, &[]), batch)).await;
    let asked = stream.frames().await.remove(0);
    drop(stream);
    chatterer.go.notify_one();
    chatterer.is_done.notified().await;
    let (stream, _) = asked.id.as_deref().unwrap().split_once('.').unwrap();
    let mut resumed = resume(&client, &id, &format!("{stream}.0")).await;
    let again = resumed.frames().await.remove(0);
    assert_eq!(again, asked);
    let question = asked.data.flatten().unwrap();
    assert_eq!(question["method"], "roots/list");
    let roots = json!({"jsonrpc": "2.0", "id": question["id"], "result": {"roots": []}});
    assert_eq!(client.post(&with(&id, &[]), roots.to_string()).await.status, 202);
    let done = resumed.rest().await.pop().unwrap().data.flatten().unwrap();
    assert_eq!(done[0]["result"]["content"][0]["text"], "0 folders");
}

#[tokio::test]
async fn ses_13_more_questions_than_are_remembered_fail_at_once() {
    let client = Client::of(http());
    let id = open(&client, "2025-11-25").await;
    let call = |questions: usize| {
        let params = json!({"name": "ask_many", "arguments": {"questions": questions}});
        message(5, "tools/call", params).to_string()
    };
    let failed = timeout(SOON, client.post(&with(&id, &[]), call(101))).await;
    let failed = failed.expect("it fails at once").json()["result"].take();
    assert_eq!(failed["isError"], true);
    let text = failed["content"][0]["text"].as_str().unwrap();
    assert!(text.contains("`ask_many`") && text.contains("`stream_messages`"), "{text}");

    // As many as there may be reach a client that comes back.
    let before = beginning(client.stream(post(&with(&id, &[]), call(100))).await).await;
    let mut resumed = resume(&client, &id, &before).await;
    let mut answered = 0;
    while answered < 100 {
        for question in resumed.messages().await {
            assert_eq!(question["method"], "elicitation/create");
            let answer = answer(&question, true);
            assert_eq!(client.post(&with(&id, &[]), answer).await.status, 202);
            answered += 1;
        }
    }
    assert_eq!(reply(&mut resumed).await["result"]["content"][0]["text"], "100 are sure");
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

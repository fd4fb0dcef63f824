//! What may be asked, where and how often (BASE-18, EL-3, EL-7, EL-9, LSR-5, MR-1, RO-1, TSK-16, VER-4).

use agent_mcp::{
    Context, Form, Server, Unanswered, agent,
    mcp::{Exchange, Handler, Received},
};
use serde_json::{Value, json};

use crate::client::{Client, LEGACY, MODERN, initialize, start};

#[derive(Form)]
struct Sure {
    sure: bool,
}

struct Guide;

#[agent(name = "guide")]
impl Guide {
    /// Asks two things at once and then one more.
    #[capability]
    async fn thrice(&self, cx: &Context<Self>) -> Result<String, Unanswered> {
        let (one, two) = tokio::join!(cx.ask::<Sure>("1", "One?"), cx.ask::<Sure>("2", "Two?"));
        let three: Sure = cx.ask("3", "Three?").await?;
        Ok(format!("{} {} {}", one?.sure, two?.sure, three.sure))
    }

    /// Says where it may look.
    #[capability]
    async fn folders(&self, cx: &Context<Self>) -> Result<String, Unanswered> {
        let uris = cx.roots().await?.into_iter().map(|root| root.uri);
        Ok(uris.collect::<Vec<_>>().join(" "))
    }

    /// Sends a person to a page.
    #[capability]
    async fn visit(&self, cx: &Context<Self>, url: String) -> Result<String, Unanswered> {
        cx.ask_url("page", "Look", url).await?;
        Ok("seen".to_owned())
    }

    /// Asks before it lets its caller go, and after.
    #[capability(task = "required")]
    async fn travel(&self, cx: &Context<Self>) -> Result<String, Unanswered> {
        let there: Sure = cx.ask("go", "There?").await?;
        cx.begin_task().await;
        let back: Sure = cx.ask("go", "And back?").await?;
        Ok(format!("{} {}", there.sure, back.sure))
    }

    /// Asks two things at once.
    #[capability(task = "optional")]
    async fn pester(&self, cx: &Context<Self>) -> Result<(), Unanswered> {
        tokio::join!(cx.ask::<Sure>("two", "Two?"), cx.ask::<Sure>("one", "One?")).1?;
        Ok(())
    }

    /// Asks until it is told to stop, as a task where its caller keeps tasks.
    #[capability(task = "optional")]
    async fn insist(&self, cx: &Context<Self>) -> Result<String, Unanswered> {
        let mut times = 0;
        while !cx.ask::<Sure>(&format!("{times}"), "Enough?").await?.sure {
            times += 1;
        }
        Ok(format!("{times} times no"))
    }

    /// Greets.
    #[prompt]
    async fn greet(
        &self,
        #[suggest(async |cx, _, _| match cx.ask::<Sure>("sure", "Sure?").await {
            Ok(_) => vec!["yes"],
            Err(_) => vec!["no"],
        })]
        name: String,
    ) -> String {
        name
    }
}

fn serve() -> Handler<()> {
    Server::new(Guide).handler().unwrap()
}

fn everything() -> Value {
    json!({"elicitation": {"form": {}, "url": {}}, "roots": {}})
}

fn able(handler: &Handler<()>, revision: &'static str) -> Client {
    Client::able(handler, revision, everything())
}

fn call(client: &Client, tool: &str, arguments: Value) -> Exchange {
    let params = json!({"name": tool, "arguments": arguments});
    match client.receive(&client.request(json!(1), "tools/call", params)) {
        Received::Call(exchange) => exchange,
        other => panic!("not a call: {other:?}"),
    }
}

fn accepts(sure: bool) -> Value {
    json!({"action": "accept", "content": {"sure": sure}})
}

/// Answers what the server asks, and gives the questions.
async fn answer(client: &Client, exchange: &mut Exchange, result: Value) -> Vec<Value> {
    start(exchange).await;
    let questions = client.heard();
    for question in &questions {
        let message = json!({"jsonrpc": "2.0", "id": question["id"], "result": result});
        assert!(matches!(client.receive(&message), Received::Nothing));
    }
    questions
}

fn text(reply: Option<Value>) -> String {
    reply.unwrap()["result"]["content"][0]["text"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn base_18_no_two_questions_of_a_session_have_one_id() {
    let handler = serve();
    let client = able(&handler, "2025-11-25");
    let mut ids = Vec::new();
    for _ in 0..3 {
        let mut exchange = call(&client, "thrice", json!({}));
        for expected in [2, 1] {
            let questions = answer(&client, &mut exchange, accepts(true)).await;
            assert_eq!(questions.len(), expected);
            ids.extend(questions.iter().map(|question| question["id"].to_string()));
        }
        assert_eq!(text(client.finish(exchange).await), "true true true");
    }
    // The same session elsewhere.
    let resumed = Client::resumed(&handler, &client.connection.take_record().unwrap());
    let mut exchange = call(&resumed, "thrice", json!({}));
    let questions = answer(&resumed, &mut exchange, accepts(true)).await;
    ids.extend(questions.iter().map(|question| question["id"].to_string()));
    let asked = ids.len();
    ids.sort();
    ids.dedup();
    assert_eq!((asked, ids.len()), (11, 11));
}

#[tokio::test]
async fn ver_4_who_calls_before_it_is_ready_is_asked_and_told_nothing_else() {
    let handler = serve();
    let client = Client::new(&handler);
    assert!(client.heard().is_empty(), "a handshake is the client's to begin");
    let mut hello = initialize("2025-11-25");
    hello["params"]["capabilities"] = everything();
    client.reply(&hello);
    assert!(client.heard().is_empty());
    let mut exchange = call(&client, "folders", json!({}));
    let asked = answer(&client, &mut exchange, json!({"roots": []})).await;
    assert_eq!((asked.len(), &asked[0]["method"]), (1, &json!("roots/list")));
    assert_eq!(text(client.finish(exchange).await), "");
}

#[tokio::test]
async fn ro_1_and_lsr_5_folders_are_asked_for_each_time_and_may_be_missing() {
    let handler = serve();
    for revision in LEGACY {
        let client = able(&handler, revision);
        for (roots, expected) in [
            (json!([{"uri": "file:///a"}]), "file:///a"),
            (
                json!([{"uri": "file:///b", "name": "B"}, {"uri": "file:///c"}]),
                "file:///b file:///c",
            ),
            (json!([]), ""),
        ] {
            let mut exchange = call(&client, "folders", json!({}));
            let asked = answer(&client, &mut exchange, json!({ "roots": roots })).await;
            assert_eq!(asked[0]["method"], "roots/list", "{revision}");
            assert_eq!(text(client.finish(exchange).await), expected, "{revision}");
            client.notify("notifications/roots/list_changed", json!({}));
        }
        // A client that has changed its mind.
        let mut exchange = call(&client, "folders", json!({}));
        start(&mut exchange).await;
        let id = client.heard()[0]["id"].clone();
        let error = json!({"code": -32601, "message": "no roots"});
        client.receive(&json!({"jsonrpc": "2.0", "id": id, "error": error}));
        let reply = client.finish(exchange).await.unwrap();
        assert_eq!(reply["result"]["isError"], true, "{revision}");
    }
}

#[tokio::test]
async fn mr_1_suggestions_ask_nobody() {
    let handler = serve();
    for revision in ["2025-11-25", MODERN] {
        let client = able(&handler, revision);
        let params = json!({
            "ref": {"type": "ref/prompt", "name": "greet"}, "argument": {"name": "name", "value": ""},
        });
        let reply = client.ask("completion/complete", params).await;
        assert_eq!(reply["error"]["code"], -32603, "{revision}: {reply}");
        assert_eq!(client.heard(), [] as [Value; 0], "{revision}");
    }
}

#[tokio::test]
async fn el_9_a_page_gives_nothing_to_the_client() {
    let handler = serve();
    for revision in ["2025-11-25", MODERN] {
        let client = able(&handler, revision);
        // What a client says beside its consent is not read.
        let consent = json!({"action": "accept", "content": {"token": "hunter2"}});
        let url = "https://pay.example/1";
        let params = json!({"name": "visit", "arguments": {"url": url}});
        let reply = if revision == MODERN {
            let asks = client.result("tools/call", params.clone()).await;
            let page = &asks["inputRequests"]["page"]["params"];
            assert_eq!(page, &json!({"mode": "url", "message": "Look", "url": url}));
            let mut retry = params;
            retry["requestState"] = asks["requestState"].clone();
            retry["inputResponses"] = json!({"page": consent});
            client.ask("tools/call", retry).await
        } else {
            let mut exchange = call(&client, "visit", json!({"url": url}));
            let asked = answer(&client, &mut exchange, consent).await;
            assert!(asked[0]["params"]["elicitationId"].is_string());
            client.finish(exchange).await.unwrap()
        };
        assert!(!reply.to_string().contains("hunter2"), "{reply}");
        assert_eq!(text(Some(reply)), "seen", "{revision}");
    }
}

#[tokio::test]
async fn el_3_and_el_7_nobody_is_sent_to_a_page_that_is_not_safe() {
    let handler = serve();
    for revision in ["2025-11-25", MODERN] {
        let client = able(&handler, revision);
        for url in
            ["http://pay.example/1", "https://ada:hunter2@pay.example/", "javascript:alert(1)"]
        {
            let failed = client.call("visit", json!({ "url": url })).await;
            assert_eq!(failed["isError"], true, "{revision} {url}");
            assert_eq!(failed["_meta"]["agent-mcp/outcome"]["kind"], "defect", "{url}");
            assert!(client.heard().is_empty() && !failed.to_string().contains("hunter2"));
        }
    }
}

#[tokio::test]
async fn tsk_16_what_is_asked_before_there_is_a_task_is_asked_of_the_caller() {
    let handler = serve();
    let mut capabilities = everything();
    capabilities["extensions"] = json!({"io.modelcontextprotocol/tasks": {}});
    let client = Client::able(&handler, MODERN, capabilities);
    let asks = client.result("tools/call", json!({"name": "travel"})).await;
    assert_eq!(asks["resultType"], "input_required");
    assert!(asks.get("taskId").is_none());
    let retry = json!({
        "name": "travel", "requestState": asks["requestState"], "inputResponses": {"go": accepts(true)},
    });
    let task = client.result("tools/call", retry).await;
    assert_eq!(task["resultType"], "task");
    let id = json!({"taskId": task["taskId"]});
    let asking = loop {
        let now = client.result("tasks/get", id.clone()).await;
        if now["status"] == "input_required" {
            break now;
        }
        assert_eq!(now["status"], "working", "{now}");
        tokio::task::yield_now().await;
    };
    // The task has questions of its own, and nothing of the caller's state.
    assert_eq!(asking["inputRequests"]["go"]["params"]["message"], "And back?");
    assert!(asking.get("requestState").is_none() && task.get("requestState").is_none());
    let update = json!({"taskId": id["taskId"], "inputResponses": {"go": accepts(false)}});
    client.result("tasks/update", update).await;
    loop {
        let now = client.result("tasks/get", id.clone()).await;
        if now["status"] == "completed" {
            assert_eq!(now["result"]["content"][0]["text"], "true false");
            break;
        }
        tokio::task::yield_now().await;
    }
}

/// A server whose methods may ask twice.
fn patient() -> Handler<()> {
    Server::new(Guide).limits(|limits| limits.rounds = 2).handler().unwrap()
}

#[tokio::test]
async fn a_call_asks_no_more_often_than_the_limit() {
    for (last, expected) in [
        (true, "1 times no"),
        (false, "`insist` asks more than 2 times, which is the limit `rounds`."),
    ] {
        let handler = patient();
        let client = able(&handler, LEGACY[3]);
        let mut exchange = client.begin(json!(1), "insist");
        for sure in [false, last] {
            assert_eq!(answer(&client, &mut exchange, accepts(sure)).await.len(), 1);
        }
        let reply = client.finish(exchange).await.unwrap();
        assert_eq!(reply["result"]["content"][0]["text"], expected);
        assert_eq!(client.heard(), [json!(null); 0]);
    }
}

/// A task that is given these answers, one after the other, when it has ended or asks for more.
async fn answered(tool: &str, answers: &[Value]) -> Value {
    let client = Client::at(&patient(), MODERN);
    let keeping = |mut params: Value| {
        params["_meta"]["io.modelcontextprotocol/clientCapabilities"] =
            json!({"elicitation": {}, "extensions": {"io.modelcontextprotocol/tasks": {}}});
        params
    };
    let task = client.result("tools/call", keeping(json!({"name": tool}))).await;
    let id = json!({"taskId": task["taskId"]});
    let mut answers = answers.iter();
    loop {
        let now = client.result("tasks/get", keeping(id.clone())).await;
        let Some(requests) = now["inputRequests"].as_object() else {
            if now["status"] == "working" {
                tokio::task::yield_now().await;
                continue;
            }
            return now;
        };
        let Some(answer) = answers.next() else { return now };
        let key = requests.keys().next().unwrap();
        let update = json!({"taskId": id["taskId"], "inputResponses": {key: answer}});
        client.result("tasks/update", keeping(update)).await;
    }
}

#[tokio::test]
async fn a_task_asks_no_more_often_than_the_limit() {
    let wrong = json!({"action": "what"});
    let done = answered("insist", &[accepts(false), accepts(true)]).await;
    assert_eq!(done["result"]["content"][0]["text"], "1 times no");
    let failed = answered("insist", &[accepts(false), accepts(false)]).await;
    let text = "`insist` asks more than 2 times, which is the limit `rounds`.";
    assert_eq!(failed["result"]["content"][0]["text"], text);
    // An answer that is none is asked for again, and no more often.
    let again = answered("insist", std::slice::from_ref(&wrong)).await;
    assert_eq!(again["status"], "input_required");
    let failed = answered("insist", &[wrong.clone(), wrong.clone()]).await;
    assert_eq!(failed["result"]["content"][0]["text"], text);
    // Also beside a question that stays open.
    let failed = answered("pester", &[wrong.clone(), wrong.clone()]).await;
    let text = failed["result"]["content"][0]["text"].as_str().unwrap();
    let why = "The answer to the question `one` of `pester` does not fit";
    assert!(text.starts_with(why), "{failed}");
}

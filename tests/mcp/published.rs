//! Every message that a server can send is one of its revision: all that the protocol has is driven at each
//! revision, and each line is held to the schema that is published with it. So is all that any other test of
//! this folder hears.

use std::{collections::BTreeSet, pin::Pin, task::Poll, time::Duration};

use agent_mcp::mcp::{Exchange, Handler, Received};
use agent_mcp_tests::witness::{MODERN, defined};
use serde_json::{Map, Value, json};

use crate::client::{ALL, Client, initialize, request};

/// Whether a server may say it by the schema of the revision, and this one never does.
fn is_never_said(name: &str, revision: &str) -> bool {
    let never = [
        // Streams are kept alive with comments, and a process by its pipes.
        "PingRequest",
        // Only the page knows when it is left.
        "ElicitationCompleteNotification",
        // A client that can be sent to a page is asked.
        "URLElicitationRequiredError",
        // It is of the HTTP transport, and tested there.
        "HeaderMismatchError",
    ];
    // The tasks that are served are those of the extension, not the experiment of 2025-11-25. A stream ends
    // with its result, and with nothing else.
    never.contains(&name)
        || name.contains("Task")
        || (name == "CancelledNotification" && revision == MODERN)
}

#[tokio::test(start_paused = true)]
async fn all_that_is_said_at_a_revision_is_defined_there() {
    for revision in ALL {
        let handler = conformance_server::server().unwrap().handler().unwrap();
        let client = Client::able(&handler, revision, able(revision));
        list_and_read(&client).await;
        call(&client).await;
        listen(&client, revision).await;
        let unable = fail(&client, revision, &handler).await;
        let seen = client.seen(revision).into_iter().chain(unable.seen(revision));
        let seen: BTreeSet<_> = seen.collect();
        let missing: Vec<_> = defined(revision)
            .into_iter()
            .filter(|name| seen.contains(name) == is_never_said(name, revision))
            .collect();
        assert!(missing.is_empty(), "{revision}: {missing:?} of what is defined; said: {seen:?}");
    }
}

/// All that a client of the revision can do.
fn able(revision: &str) -> Value {
    let mut able = json!({"elicitation": {"form": {}, "url": {}}, "sampling": {}, "roots": {}});
    if revision == MODERN {
        able["extensions"] = json!({"io.modelcontextprotocol/tasks": {}});
    }
    able
}

/// Makes a request and answers whatever it asks.
async fn ask(client: &Client, method: &str, mut params: Value) -> Value {
    params["_meta"]["progressToken"] = json!("steps");
    params["_meta"]["io.modelcontextprotocol/logLevel"] = json!("debug");
    loop {
        let request = client.request(json!(1), method, params.clone());
        let reply = match client.receive(&request) {
            Received::Call(exchange) => answered(client, exchange).await,
            reply => client.read(reply).await,
        };
        let reply = reply.expect("it is answered");
        if reply["result"]["resultType"] != "input_required" {
            return reply;
        }
        let questions = reply["result"]["inputRequests"].as_object().unwrap();
        let answers = questions.iter().map(|(key, question)| (key.clone(), answer(question)));
        params["inputResponses"] = answers.collect::<Map<_, _>>().into();
        params["requestState"] = reply["result"]["requestState"].clone();
    }
}

/// Waits for the reply and answers what is asked meanwhile.
async fn answered(client: &Client, mut exchange: Exchange) -> Option<Value> {
    loop {
        let reply = std::future::poll_fn(|cx| match Pin::new(&mut exchange).poll(cx) {
            Poll::Ready(reply) => Poll::Ready(Some(reply)),
            Poll::Pending if client.peeked() > 0 => Poll::Ready(None),
            Poll::Pending => Poll::Pending,
        });
        if let Some(reply) = reply.await {
            return reply.map(|reply| client.parse(&reply));
        }
        for question in client.heard().iter().filter(|heard| heard.get("id").is_some()) {
            let result = answer(question);
            client.receive(&json!({"jsonrpc": "2.0", "id": question["id"], "result": result}));
        }
    }
}

/// What a person, a model or a client says.
fn answer(question: &Value) -> Value {
    match question["method"].as_str().unwrap() {
        "elicitation/create" => {
            let fields = question["params"]["requestedSchema"]["properties"].as_object();
            let filled =
                fields.into_iter().flatten().map(|(name, field)| (name.clone(), fill(field)));
            json!({"action": "accept", "content": filled.collect::<Map<_, _>>()})
        }
        "sampling/createMessage" => json!({
            "role": "assistant", "model": "m", "content": {"type": "text", "text": "Paris"},
        }),
        "roots/list" => json!({"roots": [{"uri": "file:///tmp"}]}),
        other => panic!("{other} is no question"),
    }
}

fn fill(field: &Value) -> Value {
    let choices = [&field["enum"][0], &field["oneOf"][0]["const"]];
    if let Some(choice) = choices.into_iter().find(|choice| choice.is_string()) {
        return choice.clone();
    }
    match field["type"].as_str().unwrap() {
        "boolean" => json!(true),
        "string" => json!("blue"),
        "array" => json!([]),
        _ => json!(1),
    }
}

async fn list_and_read(client: &Client) {
    for method in ["tools/list", "resources/templates/list"] {
        ask(client, method, json!({})).await;
    }
    let resources = ask(client, "resources/list", json!({})).await;
    let listed = resources["result"]["resources"].as_array().unwrap().iter().map(|it| &it["uri"]);
    for uri in listed.chain([&json!("test://template/7/data"), &json!("test://nothing")]) {
        ask(client, "resources/read", json!({ "uri": uri })).await;
    }
    let prompts = ask(client, "prompts/list", json!({})).await;
    for prompt in prompts["result"]["prompts"].as_array().unwrap() {
        let arguments = prompt["arguments"].as_array().into_iter().flatten();
        let arguments =
            arguments.map(|it| (it["name"].as_str().unwrap().to_owned(), json!("test://x")));
        let arguments: Map<_, _> = arguments.collect();
        let params = json!({"name": prompt["name"], "arguments": arguments});
        ask(client, "prompts/get", params).await;
    }
    for reference in [
        json!({"type": "ref/prompt", "name": "test_prompt_with_arguments"}),
        json!({"type": "ref/prompt", "name": "nothing"}),
    ] {
        let argument = json!({"name": "arg1", "value": "a"});
        ask(client, "completion/complete", json!({"ref": reference, "argument": argument})).await;
    }
}

async fn call(client: &Client) {
    ask(client, "logging/setLevel", json!({"level": "debug"})).await;
    let tools = ask(client, "tools/list", json!({})).await;
    for tool in tools["result"]["tools"].as_array().unwrap() {
        let fields = tool["inputSchema"]["properties"].as_object().into_iter().flatten();
        let required = tool["inputSchema"]["required"].as_array().cloned().unwrap_or_default();
        let fields = fields.filter(|(name, _)| required.contains(&json!(name)));
        let arguments: Map<_, _> =
            fields.map(|(name, field)| (name.clone(), fill(field))).collect();
        let params = json!({"name": tool["name"], "arguments": arguments});
        let reply = ask(client, "tools/call", params).await;
        if reply["result"]["resultType"] == "task" {
            finish(client, &reply["result"]["taskId"]).await;
        }
        client.changed().await;
        client.heard();
    }
    for (name, arguments) in [("no_such_tool", json!({})), ("greet", json!({"name": 1}))] {
        ask(client, "tools/call", json!({"name": name, "arguments": arguments})).await;
    }
}

/// Waits for the end of a task and answers what it asks.
async fn finish(client: &Client, task: &Value) {
    let id = json!({ "taskId": task });
    loop {
        let task = &client.result("tasks/get", id.clone()).await;
        match task["status"].as_str().unwrap() {
            "working" => tokio::time::sleep(Duration::from_millis(100)).await,
            "input_required" => {
                let questions = task["inputRequests"].as_object().unwrap();
                let answers = questions.iter().map(|(key, it)| (key.clone(), answer(it)));
                let answers: Map<_, _> = answers.collect();
                let update = json!({"taskId": task["taskId"], "inputResponses": answers});
                client.result("tasks/update", update).await;
            }
            _ => break,
        }
    }
    client.result("tasks/cancel", id).await;
}

/// Hears of all that changes.
async fn listen(client: &Client, revision: &str) {
    let watched = json!("test://watched-resource");
    let stream = (revision == MODERN).then(|| {
        let all = json!({
            "toolsListChanged": true, "promptsListChanged": true, "resourcesListChanged": true,
            "resourceSubscriptions": [watched],
        });
        let listen =
            client.request(json!("all"), "subscriptions/listen", json!({ "notifications": all }));
        let Received::Call(stream) = client.receive(&listen) else { panic!("no stream") };
        stream
    });
    let mut stream = stream;
    if let Some(stream) = &mut stream {
        crate::client::start(stream).await;
    } else {
        ask(client, "resources/subscribe", json!({ "uri": watched })).await;
    }
    for tool in ["test_trigger_tool_change", "test_trigger_prompt_change"] {
        client.call(tool, json!({})).await;
        client.changed().await;
    }
    if let Some(stream) = stream {
        client.connection.end_streams();
        client.finish(stream).await;
    } else {
        ask(client, "resources/unsubscribe", json!({ "uri": watched })).await;
    }
}

/// Whatever goes wrong is said in the words of the revision. Gives another client, one that can do nothing.
async fn fail(client: &Client, revision: &'static str, handler: &Handler<()>) -> Client {
    for method in ["no/such", "ping", "initialize", "server/discover", "tasks/get", "skills/list"] {
        ask(client, method, json!({})).await;
    }
    for raw in ["{", "[]", "17", r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#] {
        client.raw(raw.to_owned());
    }
    let unable = Client::able(handler, revision, json!({}));
    ask(&unable, "tools/call", json!({"name": "test_sampling", "arguments": {"prompt": "x"}}))
        .await;
    if revision == MODERN {
        let mut unknown = client.request(json!(1), "tools/list", json!({}));
        unknown["params"]["_meta"]["io.modelcontextprotocol/protocolVersion"] = json!("2099-01-01");
        client.reply(&unknown);
    } else {
        Client::new(handler).reply(&initialize("2099-01-01"));
    }
    // A question of a call that is cancelled is cancelled with it.
    let name = json!({"name": "test_sampling", "arguments": {"prompt": "?"}});
    let asks = client.request(json!(9), "tools/call", name);
    if let (true, Received::Call(mut exchange)) = (revision != MODERN, client.receive(&asks)) {
        crate::client::start(&mut exchange).await;
        client.cancel(json!(9));
        client.finish(exchange).await;
        client.heard();
    }
    Client::new(handler).reply(&request(json!(1), "ping", json!({})));
    unable
}

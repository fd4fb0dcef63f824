//! What a client of the protocol sees: the questions, the tasks, the prompts, the todos by their addresses.

#![allow(clippy::unwrap_used)] // Tests.

use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::task::Poll;
use std::time::Duration;

use agent_mcp::Store;
use agent_mcp::mcp::{Connection, Exchange, Outbox, Received};
use bytes::Bytes;
use serde_json::{Value, json};
use todo::model::Model;
use todo::storage::Storage;
use todo::update::Message;
use todo::user::User;
use todo::{App, app};

const LEGACY: &str = "2025-11-25";
const MODERN: &str = "2026-07-28";
const TASKS: &str = "io.modelcontextprotocol/tasks";

/// What the server says without being asked.
#[derive(Default)]
struct Heard(Mutex<Vec<Value>>);

impl Outbox for Heard {
    fn send(&self, message: Bytes) {
        self.0.lock().unwrap().push(serde_json::from_slice(&message).unwrap());
    }
}

struct Client {
    store: Store<Model, Message>,
    connection: Connection<User>,
    heard: Arc<Heard>,
    revision: &'static str,
    can: Value,
}

impl Client {
    /// Ada's client with three todos, the first of which are done.
    fn new(revision: &'static str, can: Value, storage: Storage, done: usize) -> Self {
        let App { store, server } = app(storage).unwrap();
        for title in ["Water the plants", "Buy tea", "Sleep"] {
            store.send(Message::Added { title: title.into() }).unwrap();
        }
        for id in 1..=done as u64 {
            store.send(Message::Completed { id }).unwrap();
        }
        let ada = User::new("ada").with_rights("edit,delete,admin").unwrap();
        let heard = Arc::new(Heard::default());
        let connection = server.handler().unwrap().connect(Arc::new(ada), heard.clone());
        let client = Self { store, connection, heard, revision, can };
        if revision == LEGACY {
            let hello = json!({
                "protocolVersion": revision,
                "capabilities": client.can,
                "clientInfo": {"name": "test", "version": "1"},
            });
            assert!(matches!(client.receive("initialize", hello), Received::Reply(_)));
            client.say(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
        }
        client
    }

    fn receive(&self, method: &str, mut params: Value) -> Received {
        if self.revision == MODERN {
            params["_meta"] = json!({
                "io.modelcontextprotocol/protocolVersion": MODERN,
                "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
                "io.modelcontextprotocol/clientCapabilities": self.can,
            });
        }
        let request = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params});
        self.connection.receive(request.to_string().into())
    }

    fn say(&self, message: &Value) {
        let received = self.connection.receive(message.to_string().into());
        assert!(matches!(received, Received::Nothing));
    }

    async fn ask(&self, method: &str, params: Value) -> Value {
        let reply = match self.receive(method, params) {
            Received::Call(exchange) => exchange.await.unwrap(),
            Received::Reply(reply) => reply,
            Received::Nothing => panic!("{method} is not answered"),
        };
        serde_json::from_slice(&reply).unwrap()
    }

    async fn result(&self, method: &str, params: Value) -> Value {
        let mut reply = self.ask(method, params).await;
        assert!(reply.get("error").is_none(), "{reply}");
        reply["result"].take()
    }

    fn heard(&self) -> Vec<Value> {
        std::mem::take(&mut self.heard.0.lock().unwrap())
    }

    /// Calls a tool for a person who gives that answer; gives the result and the texts of the questions.
    async fn call(&self, tool: &str, answer: Value) -> (Value, Vec<String>) {
        let mut params = json!({"name": tool, "arguments": {}});
        let mut asked = Vec::new();
        let text = |question: &Value| question["params"]["message"].as_str().unwrap().to_owned();
        loop {
            let Received::Call(mut exchange) = self.receive("tools/call", params.clone()) else {
                panic!("{tool} is not called")
            };
            let mut reply = loop {
                if let Some(reply) = polled(&mut exchange).await {
                    break reply;
                }
                // In the older revisions the questions are requests of the server.
                for question in self.heard().iter().filter(|heard| heard.get("id").is_some()) {
                    asked.push(text(question));
                    self.say(&json!({"jsonrpc": "2.0", "id": question["id"], "result": answer}));
                }
            };
            if reply["result"]["resultType"] != "input_required" {
                return (reply["result"].take(), asked);
            }
            // In the newest one they are an answer, and the call is made again.
            for (key, question) in reply["result"]["inputRequests"].as_object().unwrap() {
                asked.push(text(question));
                params["inputResponses"][key] = answer.clone();
            }
            params["requestState"] = reply["result"]["requestState"].take();
        }
    }

    fn titles(&self) -> Vec<String> {
        self.store.model().todos.iter().map(|todo| todo.title.clone()).collect()
    }
}

/// The reply, unless the server waits for something.
async fn polled(exchange: &mut Exchange) -> Option<Value> {
    let reply = std::future::poll_fn(|cx| {
        Poll::Ready(match Pin::new(&mut *exchange).poll(cx) {
            Poll::Ready(reply) => reply,
            Poll::Pending => None,
        })
    });
    let reply = reply.await;
    tokio::task::yield_now().await;
    Some(serde_json::from_slice(&reply?).unwrap())
}

fn says(forget: bool) -> Value {
    json!({"action": "accept", "content": {"forget": forget}})
}

fn text(result: &Value) -> &str {
    result["content"][0]["text"].as_str().unwrap()
}

#[tokio::test]
async fn whoever_forgets_several_todos_is_asked_first() {
    for revision in [LEGACY, MODERN] {
        let client = |done| {
            Client::new(revision, json!({"elicitation": {"form": {}}}), Storage::default(), done)
        };
        let agrees = client(2);
        let (result, asked) = agrees.call("clear_completed", says(true)).await;
        assert_eq!(result["structuredContent"]["status"], "dispatched", "{result}");
        assert_eq!(asked, ["Forget 2 todos that are done? Water the plants, Buy tea"]);
        assert_eq!(agrees.titles(), ["Sleep"]);

        for (answer, why) in [
            (says(false), "the user wants to keep them"),
            (json!({"action": "decline"}), "The user declined."),
        ] {
            let keeps = client(2);
            let (result, _) = keeps.call("clear_completed", answer).await;
            assert_eq!((&result["isError"], text(&result)), (&json!(true), why), "{revision}");
            assert_eq!(keeps.titles().len(), 3);
        }

        let one = client(1);
        let (_, asked) = one.call("clear_completed", says(false)).await;
        assert!(asked.is_empty(), "{asked:?}");
        assert_eq!(one.titles(), ["Buy tea", "Sleep"]);
    }
}

#[tokio::test]
async fn a_client_that_cannot_be_asked_forgets_one_at_a_time() {
    for revision in [LEGACY, MODERN] {
        let client = |done| Client::new(revision, json!({}), Storage::default(), done);
        let several = client(2);
        let clear = json!({"name": "clear_completed"});
        let refused = several.ask("tools/call", clear.clone()).await;
        if revision == MODERN {
            let needs = json!({"requiredCapabilities": {"elicitation": {}}});
            assert_eq!(refused["error"]["data"], needs, "{refused}");
        } else {
            let why = text(&refused["result"]);
            assert!(why.contains("needs a client that can do more: show a form"), "{why}");
        }
        assert_eq!(several.titles().len(), 3);

        let one = client(1);
        one.result("tools/call", clear).await;
        assert_eq!(one.titles(), ["Buy tea", "Sleep"]);
    }
}

/// A long text is taken over while its caller does something else.
#[tokio::test(start_paused = true)]
async fn an_import_of_text_is_a_task_that_says_how_far_it_is() {
    let storage = Storage::default().slowed(Duration::from_secs(5));
    let client = Client::new(MODERN, json!({"extensions": {TASKS: {}}}), storage, 0);
    let lines: String = (1..=30).map(|line| format!("Read page {line}\n\n")).collect();
    let import = |text: &str| json!({"name": "import_text", "arguments": {"text": text}});
    let task = client.result("tools/call", import(&lines)).await;
    assert_eq!((&task["resultType"], &task["status"]), (&json!("task"), &json!("working")));

    let mut said = Vec::new();
    let result = loop {
        let id = json!({"taskId": task["taskId"]});
        let mut now = client.result("tasks/get", id).await;
        if now["status"] == "completed" {
            break now["result"].take();
        }
        if !said.contains(&now["statusMessage"]) {
            said.push(now["statusMessage"].take());
        }
        tokio::time::sleep(Duration::from_secs(1)).await;
    };
    said.retain(|said| !said.is_null());
    assert_eq!(said, ["0 of 30 lines are looked up", "20 of 30 lines are looked up"]);
    assert_eq!(result["structuredContent"]["status"], "dispatched");
    assert_eq!(client.titles().len(), 33);

    // What is wrong is said at once, and there is no task.
    let long = format!("Sleep\n{}", "z".repeat(201));
    for (wrong, why) in
        [("\n \n", "all lines are empty"), (&long, "line 2 has more than 200 characters")]
    {
        let result = client.result("tools/call", import(wrong)).await;
        assert_eq!((&result["resultType"], text(&result)), (&json!("complete"), why));
    }
}

#[tokio::test]
async fn an_import_of_text_leaves_out_what_was_deleted_and_needs_no_tasks() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("todos.archive.md"), "- [x] Eat\n").unwrap();
    for revision in [LEGACY, MODERN] {
        let storage = Storage::in_file(dir.path().join("todos.md"));
        let client = Client::new(revision, json!({}), storage, 0);
        let import = json!({"name": "import_text", "arguments": {"text": " Eat\nDrink "}});
        let result = client.result("tools/call", import).await;
        assert_eq!(result["structuredContent"]["status"], "dispatched");
        assert_eq!(client.titles(), ["Water the plants", "Buy tea", "Sleep", "Drink"]);
    }
}

#[tokio::test]
async fn a_prompt_plans_the_day() {
    for revision in [LEGACY, MODERN] {
        let client = Client::new(revision, json!({}), Storage::default(), 1);
        let list = client.result("prompts/list", json!({})).await;
        assert_eq!(list["prompts"][0]["title"], "Plan the day");
        let get = |arguments: Value| json!({"name": "plan_day", "arguments": arguments});
        let plan = get(json!({"hours": "3", "first": "Sleep"}));
        let plan = client.result("prompts/get", plan).await;
        let text = plan["messages"][0]["content"]["text"].as_str().unwrap();
        assert!(text.starts_with("I have 3 hours today."), "{text}");
        assert!(
            text.ends_with("Begin with this: Sleep.\n\n- [ ] Buy tea\n- [ ] Sleep\n"),
            "{text}"
        );

        let typed = json!({
            "ref": {"type": "ref/prompt", "name": "plan_day"},
            "argument": {"name": "first", "value": "TE"},
        });
        // The plants are watered.
        let suggested = client.result("completion/complete", typed).await;
        assert_eq!(suggested["completion"]["values"], json!(["Buy tea"]));

        for hours in ["0", "25", "all"] {
            let refused = client.ask("prompts/get", get(json!({"hours": hours}))).await;
            assert_eq!(refused["error"]["code"], -32602, "{refused}");
        }
    }
}

#[tokio::test]
async fn each_todo_has_an_address() {
    for revision in [LEGACY, MODERN] {
        let client = Client::new(revision, json!({}), Storage::default(), 1);
        let list = client.result("resources/templates/list", json!({})).await;
        assert_eq!(list["resourceTemplates"][0]["uriTemplate"], "todo://{id}");
        let read = client.result("resources/read", json!({"uri": "todo://1"})).await;
        let todo: Value =
            serde_json::from_str(read["contents"][0]["text"].as_str().unwrap()).unwrap();
        assert_eq!(todo, json!({"id": "1", "title": "Water the plants", "done": true}));

        for uri in ["todo://9", "todo://plants"] {
            let unknown = client.ask("resources/read", json!({"uri": uri})).await;
            let code = if revision == MODERN { -32602 } else { -32002 };
            assert_eq!(unknown["error"]["code"], code, "{unknown}");
        }

        let typed = json!({
            "ref": {"type": "ref/resource", "uri": "todo://{id}"},
            "argument": {"name": "id", "value": ""},
        });
        let suggested = client.result("completion/complete", typed).await;
        assert_eq!(suggested["completion"]["values"], json!(["3", "2", "1"]));
    }
}

#[tokio::test]
async fn whoever_subscribes_to_a_todo_hears_when_it_changes() {
    let client = Client::new(LEGACY, json!({}), Storage::default(), 0);
    client.result("resources/subscribe", json!({"uri": "todo://2"})).await;
    let mut told = Vec::new();
    for id in [1, 2] {
        client.store.send(Message::Completed { id }).unwrap();
        if let Some(changes) = client.connection.announce_changes() {
            changes.await;
        }
        let updated = |heard: &Value| heard["method"] == "notifications/resources/updated";
        told.extend(
            client.heard().into_iter().filter(updated).map(|it| (id, it["params"].clone())),
        );
    }
    assert_eq!(told, [(2, json!({"uri": "todo://2"}))]);
}

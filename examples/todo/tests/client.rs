//! What a client of the protocol sees: the questions, the tasks, the prompts, the todos by their addresses.

#![allow(clippy::unwrap_used)] // Tests.

use std::time::Duration;

use agent_mcp::Store;
use agent_mcp::testing::{Answer, Client, Connecting, Notice, connect};
use serde_json::{Value, json};
use todo::model::Model;
use todo::storage::Storage;
use todo::update::Message;
use todo::user::User;
use todo::{App, TodoView, app};

const BOTH: [&str; 2] = ["2025-11-25", "2026-07-28"];

/// Ada's client, for a list of three todos, the first of which are done.
fn list(storage: Storage, done: u64) -> (Store<Model, Message>, Connecting<User>) {
    let App { store, server } = app(storage).unwrap();
    for title in ["Water the plants", "Buy tea", "Sleep"] {
        store.send(Message::Added { title: title.into() }).unwrap();
    }
    for id in 1..=done {
        store.send(Message::Completed { id }).unwrap();
    }
    let ada = User::new("ada").with_rights("edit,delete,admin").unwrap();
    (store, connect(server.principal(ada)))
}

fn titles(store: &Store<Model, Message>) -> Vec<String> {
    store.model().todos.iter().map(|todo| todo.title.clone()).collect()
}

fn status(reply: &agent_mcp::testing::Reply) -> Value {
    reply.json::<Value>()["status"].take()
}

#[tokio::test]
async fn whoever_forgets_several_todos_is_asked_first() {
    for revision in BOTH {
        let (store, client) = list(Storage::default(), 2);
        let client = client.at(revision).elicitation().await;
        for (answer, why) in [
            (Answer::accept(json!({"forget": false})), "the user wants to keep them"),
            (Answer::decline(), "The user declined."),
        ] {
            client.will_answer(answer);
            assert_eq!(client.call("clear_completed", ()).await.failed().text, why);
            assert_eq!(titles(&store).len(), 3);
        }
        client.will_answer(Answer::accept(json!({"forget": true})));
        let cleared = client.call("clear_completed", ()).await;
        assert_eq!(status(&cleared), "dispatched");
        assert_eq!(cleared.asked(), ["Forget 2 todos that are done? Water the plants, Buy tea"]);
        assert_eq!(titles(&store), ["Sleep"]);

        // One goes without a question.
        store.send(Message::Completed { id: 3 }).unwrap();
        assert!(client.call("clear_completed", ()).await.is_ok());
        assert!(titles(&store).is_empty());
    }
}

#[tokio::test]
async fn a_client_that_cannot_be_asked_forgets_one_at_a_time() {
    for revision in BOTH {
        let (store, client) = list(Storage::default(), 2);
        let failed = client.at(revision).await.call("clear_completed", ()).await.failed();
        if revision == BOTH[1] {
            assert_eq!(failed.data, json!({"requiredCapabilities": {"elicitation": {}}}));
        } else {
            let why = "needs a client that can do more: show a form";
            assert!(failed.text.contains(why), "{failed}");
        }
        assert_eq!(titles(&store).len(), 3);

        let (store, client) = list(Storage::default(), 1);
        assert!(client.at(revision).await.call("clear_completed", ()).await.is_ok());
        assert_eq!(titles(&store), ["Buy tea", "Sleep"]);
    }
}

fn import(text: &str) -> Value {
    json!({ "text": text })
}

/// A long text is taken over while its caller does something else.
#[tokio::test(start_paused = true)]
async fn an_import_of_text_is_a_task_that_says_how_far_it_is() {
    let (store, client) = list(Storage::default().slowed(Duration::from_secs(5)), 0);
    let client = client.tasks().await;
    let lines: String = (1..=30).map(|line| format!("Read page {line}\n\n")).collect();
    let imported = client.call("import_text", import(&lines)).await;
    let said = ["0 of 30 lines are looked up", "20 of 30 lines are looked up"];
    assert_eq!(imported.notices(), said.map(|said| Notice::Task(said.to_owned())));
    assert_eq!(status(&imported), "dispatched");
    assert_eq!(titles(&store).len(), 33);

    // What is wrong is said at once, and there is no task.
    let long = format!("Sleep\n{}", "z".repeat(201));
    for (wrong, why) in
        [("\n \n", "all lines are empty"), (&long, "line 2 has more than 200 characters")]
    {
        let refused = client.call("import_text", import(wrong)).await;
        assert_eq!(refused.failed().text, why);
        assert!(refused.notices().is_empty());
    }
}

#[tokio::test]
async fn an_import_of_text_leaves_out_what_was_deleted_and_needs_no_tasks() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("todos.archive.md"), "- [x] Eat\n").unwrap();
    for revision in BOTH {
        let (store, client) = list(Storage::in_file(dir.path().join("todos.md")), 0);
        let client = client.at(revision).await;
        let imported = client.call("import_text", import(" Eat\nDrink ")).await;
        assert_eq!(status(&imported), "dispatched");
        assert!(matches!(imported.notices(), [Notice::Progress { total: Some(2.0), .. }]));
        assert_eq!(titles(&store), ["Water the plants", "Buy tea", "Sleep", "Drink"]);
    }
}

#[tokio::test]
async fn a_prompt_plans_the_day() {
    for revision in BOTH {
        let client = list(Storage::default(), 1).1.at(revision).await;
        assert_eq!(client.prompts().await, ["plan_day"]);
        let plan = json!({"hours": "3", "first": "Sleep"});
        let text = client.prompt("plan_day", plan).await.text();
        assert!(text.starts_with("I have 3 hours today."), "{text}");
        assert!(
            text.ends_with("Begin with this: Sleep.\n\n- [ ] Buy tea\n- [ ] Sleep\n"),
            "{text}"
        );
        // The plants are watered.
        assert_eq!(client.suggestions("plan_day", "first", "TE").await, ["Buy tea"]);
        for hours in ["0", "25", "all"] {
            let refused = client.prompt("plan_day", json!({ "hours": hours })).await;
            assert_eq!(refused.failed().code, Some(-32602));
        }
    }
}

#[tokio::test]
async fn each_todo_has_an_address() {
    for revision in BOTH {
        let client = list(Storage::default(), 1).1.at(revision).await;
        assert_eq!(client.templates().await, ["todo://{id}"]);
        let plants = TodoView { id: 1, title: "Water the plants".into(), done: true };
        assert_eq!(client.read("todo://1").await.json::<TodoView>(), plants);
        for uri in ["todo://9", "todo://plants"] {
            let code = if revision == BOTH[1] { -32602 } else { -32002 };
            assert_eq!(client.read(uri).await.failed().code, Some(code));
        }
        assert_eq!(client.suggestions("todo://{id}", "id", "").await, ["3", "2", "1"]);
    }
}

#[tokio::test]
async fn whoever_subscribes_to_a_todo_hears_when_it_changes() {
    for revision in BOTH {
        let (store, client) = list(Storage::default(), 0);
        let client: Client<User> = client.at(revision).await;
        client.subscribe("todo://2").await;
        store.send(Message::Completed { id: 1 }).unwrap();
        assert_eq!(client.heard().await, []);
        store.send(Message::Completed { id: 2 }).unwrap();
        assert_eq!(client.heard().await, [Notice::ResourceUpdated("todo://2".into())]);
    }
}

#[tokio::test]
async fn what_works_on_the_selected_todo_comes_and_goes_with_it() {
    for revision in BOTH {
        let (store, client) = list(Storage::default(), 0);
        let client = client.at(revision).await;
        let always = client.tools().await;
        store.send(Message::Selected { id: 1 }).unwrap();
        assert_eq!(client.heard().await, [Notice::ToolsChanged]);
        let mut more = client.tools().await;
        more.retain(|tool| !always.contains(tool));
        assert_eq!(more, ["deselect", "rename_selected", "complete_selected", "delete_selected"]);

        // Whoever may only look sees what there is, and is told why it is not for them.
        let eve = client.beside(User::new("eve")).at(revision).await;
        let refused = eve.call("rename_selected", json!({"title": "Sleep"})).await.failed();
        assert_eq!(refused.status.as_deref(), Some("unauthorized"));
        assert!(refused.text.contains("eve may only look"), "{refused}");
    }
}

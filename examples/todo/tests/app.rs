//! The whole server, without a process or a port: the person sends messages, the agent calls.

#![allow(clippy::unwrap_used)] // Tests.

use std::sync::Arc;
use std::time::Duration;

use agent_mcp::{InProcess, Invocation, Store};
use serde_json::{Value, json};
use todo::model::Model;
use todo::storage::Storage;
use todo::update::Message;
use todo::user::User;
use todo::{App, TodoCalls, app, write_down};

struct Desk {
    /// The person's side.
    store: Store<Model, Message>,
    /// The agent's side.
    agent: InProcess<User>,
}

fn desk(rights: &str, storage: Storage) -> Desk {
    let App { store, server } = app(storage).unwrap();
    let user = User::new("ada").with_rights(rights).unwrap();
    let desk = Desk { agent: server.runtime().unwrap().acting_as(user), store };
    for title in ["Water the plants", "Buy tea"] {
        desk.store.send(Message::Added { title: title.into() }).unwrap();
    }
    desk
}

impl Desk {
    async fn call(&self, name: &str, arguments: Value) -> Result<Value, String> {
        self.agent.call(name, &arguments).await.json().map_err(|error| error.to_string())
    }

    /// How a call that gives no value ended, in the words of the audit.
    async fn status(&self, name: &str) -> &'static str {
        self.agent.call(name, &json!({})).await.code().status.as_str()
    }

    async fn read(&self, uri: &str) -> Result<Value, String> {
        self.agent.read(uri).await.json().map_err(|error| error.to_string())
    }

    fn model(&self) -> Arc<Model> {
        self.store.model()
    }
}

fn slow() -> Storage {
    Storage::default().slowed(Duration::from_secs(5))
}

#[tokio::test]
async fn the_contract_has_nothing_that_a_client_stumbles_on() {
    let lints = desk("", Storage::default()).agent.runtime().contract().lint();
    assert!(lints.is_empty(), "{lints:#?}");
}

#[tokio::test]
async fn the_person_and_the_agent_share_one_selection() {
    let desk = desk("edit", Storage::default());
    assert_eq!(desk.status("rename_selected").await, "unavailable");
    assert_eq!(
        desk.call("rename_selected", json!({"title": "Sleep"})).await.unwrap_err(),
        "`rename_selected` is not available now: no todo is selected; `select` one first"
    );
    desk.store.send(Message::Selected { id: 2 }).unwrap();
    desk.call("rename_selected", json!({"title": "Buy green tea"})).await.unwrap();
    assert_eq!(desk.model().selected().unwrap().title, "Buy green tea");
    desk.call("select", json!({"id": 1})).await.unwrap();
    assert_eq!(desk.model().selected, Some(1));
    assert_eq!(
        desk.call("select", json!({"id": 7})).await.unwrap_err(),
        "there is no todo 7; `find` shows the numbers"
    );
}

#[tokio::test]
async fn what_is_done_cannot_be_completed_again() {
    let desk = desk("edit", Storage::default());
    desk.store.send(Message::Selected { id: 1 }).unwrap();
    assert_eq!(desk.status("complete_selected").await, "dispatched");
    assert_eq!(desk.status("complete_selected").await, "unavailable");
    assert_eq!(desk.status("deselect").await, "dispatched");
}

#[tokio::test]
async fn the_agent_sees_what_the_list_shows_and_finds_what_it_does_not() {
    let desk = desk("edit", Storage::default());
    desk.store.send(Message::Completed { id: 2 }).unwrap();
    desk.call("show", json!({"filter": "open"})).await.unwrap();
    let plants = json!({"id": "1", "title": "Water the plants", "done": false});
    let tea = json!({"id": "2", "title": "Buy tea", "done": true});
    assert_eq!(desk.read("app://todos").await.unwrap(), json!([plants]));
    assert_eq!(desk.call("find", json!({"text": "TEA"})).await.unwrap(), json!([tea]));
    assert_eq!(desk.call("find", json!({"filter": "done"})).await.unwrap(), json!([tea]));
    let context = desk.read("app://context").await.unwrap();
    let seen = json!({"filter": "open", "selected": null, "todos": 2, "open": 1, "saved": false});
    for (name, value) in seen.as_object().unwrap() {
        assert_eq!(context.get(name).unwrap_or(&Value::Null), value, "{name}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_deletion_answers_when_the_todo_is_in_the_archive() {
    let desk = desk("delete", slow());
    desk.store.send(Message::Selected { id: 1 }).unwrap();
    let started = tokio::time::Instant::now();
    assert_eq!(desk.status("delete_selected").await, "completed");
    assert_eq!(started.elapsed(), Duration::from_secs(5));
    assert_eq!(desk.model().todo(1), None);
}

#[tokio::test]
async fn a_deletion_that_fails_says_why_and_deletes_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let desk = desk("delete", Storage::in_file(dir.path().join("none/todos.md")));
    desk.store.send(Message::Selected { id: 1 }).unwrap();
    let error = desk.call("delete_selected", json!({})).await.unwrap_err();
    assert!(error.contains("the archive cannot be written: entity not found"), "{error}");
    assert!(desk.model().todo(1).is_some());
}

#[tokio::test(start_paused = true)]
async fn a_deletion_that_takes_too_long_is_given_up_and_happens_all_the_same() {
    let desk = desk("delete", Storage::default().slowed(Duration::from_secs(11)));
    desk.store.send(Message::Selected { id: 1 }).unwrap();
    assert_eq!(desk.status("delete_selected").await, "timeout");
    let model = desk.store.changes().until(|model| model.archiving.is_none()).await.unwrap();
    assert_eq!(model.todo(1), None);
}

#[tokio::test(start_paused = true)]
async fn a_save_answers_when_everything_is_on_disk() {
    let desk = desk("edit", slow());
    assert_eq!(desk.call("save", json!({})).await.unwrap(), json!({"changes": 2}));
    assert!(desk.model().saving.is_complete());
}

#[tokio::test]
async fn a_save_that_fails_says_why() {
    let dir = tempfile::tempdir().unwrap();
    let desk = desk("edit", Storage::in_file(dir.path().join("none/todos.md")));
    let error = desk.call("save", json!({})).await.unwrap_err();
    assert!(error.contains("entity not found"), "{error}");
}

#[tokio::test]
async fn rights_are_the_persons() {
    let looker = desk("", Storage::default());
    let error = looker.call("add", json!({"title": "Sleep"})).await.unwrap_err();
    assert!(error.contains("ada may only look"), "{error}");
    looker.store.send(Message::Selected { id: 1 }).unwrap();
    assert_eq!(looker.status("delete_selected").await, "unauthorized");
    looker.store.send(Message::Completed { id: 1 }).unwrap();
    // For whoever is no administrator the capability does not exist.
    assert_eq!(looker.status("clear_completed").await, "unavailable");

    let admin = desk("admin", Storage::default());
    assert_eq!(admin.status("clear_completed").await, "unavailable");
    admin.store.send(Message::Completed { id: 1 }).unwrap();
    assert_eq!(admin.status("clear_completed").await, "dispatched");
    assert_eq!(admin.model().todos.len(), 1);
}

#[tokio::test(start_paused = true)]
async fn the_audit_tells_administrators_who_did_what() {
    let desk = desk("edit,delete,admin", slow());
    desk.call("select", json!({"id": 1})).await.unwrap();
    let invocation = Invocation::new();
    let cancellation = invocation.cancellation().clone();
    let deletion = desk.agent.call_as("delete_selected", &json!({}), invocation);
    let (_, ()) = tokio::join!(deletion, async {
        desk.store.changes().until(|model| model.archiving.is_some()).await.unwrap();
        cancellation.cancel();
    });
    desk.call("select", json!({"id": 7})).await.unwrap_err();

    // The audit is kept beside the calls, not by them.
    let mut audit = json!([]);
    while audit.as_array().unwrap().len() < 3 {
        tokio::task::yield_now().await;
        audit = desk.read("app://audit").await.unwrap();
    }
    let lines: Vec<_> =
        audit.as_array().unwrap().iter().map(|line| (&line["target"], &line["status"])).collect();
    let expected = [
        (&json!("select"), &json!("dispatched")),
        (&json!("delete_selected"), &json!("cancelled")),
        (&json!("select"), &json!("failed")),
    ];
    assert_eq!(lines, expected);
    assert!(audit[0]["caller"].as_str().unwrap().contains("ada"), "{audit}");
}

#[tokio::test]
async fn the_audit_is_for_administrators() {
    let error = desk("edit,delete", Storage::default()).read("app://audit").await.unwrap_err();
    assert!(error.contains("administrators"), "{error}");
}

/// Models often send a number as text; `coerce` takes the exact ones and no others.
#[tokio::test]
async fn find_reads_a_number_that_was_sent_as_text() {
    let desk = desk("edit", Storage::default());
    let found = desk.call("find", json!({"limit": "1"})).await.unwrap();
    assert_eq!(found.as_array().unwrap().len(), 1);
    assert!(desk.call("find", json!({"limit": "one"})).await.is_err());
    assert!(desk.call("find", json!({"limit": "0"})).await.is_err());
}

/// An `#[id]` keeps its digits in JavaScript: it is written as text, and read from text or a number.
#[tokio::test]
async fn a_todos_number_is_text_and_keeps_all_digits() {
    let desk = desk("edit", Storage::default());
    let contract = desk.agent.runtime().contract();
    let select = contract.capabilities.iter().find(|it| it.name == "select").unwrap();
    assert_eq!(select.input["properties"]["id"]["type"], "string");
    for id in [json!("2"), json!(2)] {
        desk.call("select", json!({"id": id})).await.unwrap();
        assert_eq!(desk.read("app://selected").await.unwrap()["id"], "2");
    }
    let error = desk.call("select", json!({"id": "18446744073709551615"})).await.unwrap_err();
    assert_eq!(error, "there is no todo 18446744073709551615; `find` shows the numbers");
}

/// `open` lets through what other programs write beside what is asked for; others refuse it.
#[tokio::test]
async fn an_import_leaves_out_what_it_does_not_know() {
    let desk = desk("edit", Storage::default());
    let theirs = json!({
        "todos": [{"title": "Sleep", "due": "2026-12-01"}, {"title": "Eat", "done": true, "tags": []}],
        "exported_by": "another program",
    });
    desk.call("import", theirs).await.unwrap();
    let found = desk.call("find", json!({"limit": 2})).await.unwrap();
    let expected = json!([
        {"id": "4", "title": "Eat", "done": true},
        {"id": "3", "title": "Sleep", "done": false},
    ]);
    assert_eq!(found, expected);
    // What is declared is checked all the same.
    assert!(desk.call("import", json!({"todos": [{"title": ""}]})).await.is_err());
    assert!(desk.call("find", json!({"text": "tea", "exported_by": ""})).await.is_err());
}

/// Completion by a source outside of the Model: the list knows nothing of its backups.
#[tokio::test(start_paused = true)]
async fn a_backup_answers_when_the_copy_is_there() {
    let dir = tempfile::tempdir().unwrap();
    let storage = Storage::in_file(dir.path().join("todos.md"));
    let desk = desk("edit", storage.slowed(Duration::from_secs(5)));
    let started = tokio::time::Instant::now();
    assert_eq!(desk.status("back_up").await, "completed");
    assert!(started.elapsed() >= Duration::from_secs(5));
    let copy = std::fs::read_to_string(dir.path().join("todos.backup.md")).unwrap();
    assert_eq!(copy, "- [ ] Water the plants\n- [ ] Buy tea\n");
    // It is no save.
    assert!(!desk.model().saving.is_complete());
}

#[tokio::test]
async fn a_backup_that_cannot_be_made_says_why() {
    let dir = tempfile::tempdir().unwrap();
    let kept = desk("edit", Storage::in_file(dir.path().join("none/todos.md")));
    let error = kept.call("back_up", json!({})).await.unwrap_err();
    assert!(error.contains("entity not found"), "{error}");
    let loose = desk("edit", Storage::default());
    let error = loose.call("back_up", json!({})).await.unwrap_err();
    assert!(error.contains("nothing to back up"), "{error}");
}

/// `calls`: the application's own code goes through the same door, by the same rules.
#[tokio::test]
async fn the_command_line_writes_down_and_saves_by_the_persons_rights() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("todos.md");
    let list = || app(Storage::in_file(&file)).unwrap();
    let user = User::new("ada");
    let error = write_down(list(), user.clone(), "Sleep".into()).await.unwrap_err();
    assert!(error.to_string().contains("ada may only look"), "{error}");
    assert!(!file.exists());
    let user = user.with_rights("edit").unwrap();
    assert_eq!(write_down(list(), user, "Sleep".into()).await.unwrap().changes, 1);
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "- [ ] Sleep\n");
}

#[tokio::test]
async fn typed_calls_take_what_the_methods_take() {
    let App { store, server } = app(Storage::default()).unwrap();
    let user = User::new("ada").with_rights("edit").unwrap();
    let calls = TodoCalls::new(server.runtime().unwrap().acting_as(user));
    assert!(calls.add("Sleep".into()).await.is_ok());
    assert!(calls.select(1).await.is_ok());
    assert_eq!(store.model().selected, Some(1));
    assert_eq!(calls.complete_selected().await.code().status.as_str(), "dispatched");
    assert_eq!(calls.complete_selected().await.code().status.as_str(), "unavailable");
}

/// One save at a time: the second waits for its turn and is told of its own.
#[tokio::test(start_paused = true)]
async fn saves_take_turns() {
    let desk = desk("edit", slow());
    let save = || tokio::spawn(desk.agent.call("save", &json!({})));
    let (one, two) = (save(), save());
    assert!(one.await.unwrap().is_ok());
    assert!(two.await.unwrap().is_ok());
}

//! The todo list, as real clients meet it over stdio.

#![allow(clippy::unwrap_used)] // helpers of tests are tests

use std::fs;

use agent_mcp_clients::{Client, Served, Session, folder, with_every_client};
use serde_json::json;

const ALWAYS: [&str; 8] = ["find", "export", "add", "import", "show", "select", "save", "back_up"];

fn todo(rights: &str) -> Served {
    let list = folder(&[("todos.md", "- [ ] Water the plants\n")]);
    Served::new(env!("CARGO_BIN_EXE_todo-under-test"))
        .on(list, "todos.md")
        .env("TODO_USER", "ada")
        .env("TODO_RIGHTS", rights)
}

fn status(capability: &str, status: &str) -> Option<serde_json::Value> {
    Some(json!({"capability": capability, "status": status}))
}

mod works_through_the_list {
    use super::*;

    with_every_client!(scenario, todo("edit,delete"));

    async fn scenario(client: Client, session: &mut Session, served: &Served) {
        let hello = session.hello().await;
        assert_eq!(hello["protocol"], client.revision());
        assert_eq!(hello["server"]["name"], "todo");
        assert_eq!(hello["capabilities"]["tools"]["listChanged"], true);

        // What works on the selected todo is not there while none is selected.
        assert_eq!(session.tool_names().await, ALWAYS);
        let refused = session.call("delete_selected", json!({})).await;
        assert!(refused.is_error, "{refused:?}");
        assert_eq!(refused.structured, None);

        let none = session.call("select", json!({"id": "9"})).await;
        assert!(none.is_error);
        assert_eq!(none.text, "there is no todo 9; `find` shows the numbers");

        // A selection brings four capabilities, and the client hears of it.
        let selected = session.call("select", json!({"id": "1"})).await;
        assert_eq!(selected.structured, status("select", "dispatched"));
        session.changed().await;
        let names = session.tool_names().await;
        let more = ["deselect", "rename_selected", "complete_selected", "delete_selected"];
        for name in ALWAYS.iter().chain(&more) {
            assert!(names.iter().any(|listed| listed == name), "{name}: {names:?}");
        }
        assert_eq!(names.len(), 12, "{names:?}");

        // What is done cannot be completed again.
        session.call("complete_selected", json!({})).await;
        session.changed().await;
        assert!(!session.tool_names().await.contains(&"complete_selected".to_owned()));

        let added = session.call("add", json!({"title": "Buy tea"})).await;
        assert_eq!(added.structured, status("add", "dispatched"));
        let empty = session.call("add", json!({"title": ""})).await;
        assert!(empty.is_error && empty.text.contains("title"), "{empty:?}");

        let found = session.call("find", json!({"filter": "open"})).await;
        let tea = json!({"id": "2", "title": "Buy tea", "done": false});
        assert_eq!(serde_json::from_str::<serde_json::Value>(&found.text).unwrap(), json!([tea]));

        // Completion by state: the call ends when everything is on disk.
        let saved = session.call("save", json!({})).await;
        assert_eq!(saved.structured, Some(json!({"changes": 2})), "{saved:?}");
        let folder = served.folder.as_ref().unwrap().path();
        let list = fs::read_to_string(folder.join("todos.md")).unwrap();
        assert_eq!(list, "- [x] Water the plants\n- [ ] Buy tea\n");

        // Completion by what is outside of the Model: the call ends when the copy is there.
        let copied = session.call("back_up", json!({})).await;
        assert_eq!(copied.structured, status("back_up", "completed"), "{copied:?}");
        assert_eq!(fs::read_to_string(folder.join("todos.backup.md")).unwrap(), list);

        // Completion by Message: the call ends when the todo is in the archive.
        let deleted = session.call("delete_selected", json!({})).await;
        assert_eq!(deleted.structured, status("delete_selected", "completed"), "{deleted:?}");
        let archive = fs::read_to_string(folder.join("todos.archive.md")).unwrap();
        assert_eq!(archive, "- [x] Water the plants\n");
        session.changed().await;
        assert_eq!(session.tool_names().await, ALWAYS);

        let resources = session.resources().await;
        for uri in ["app://context", "app://todos", "app://selected", "app://audit"] {
            assert!(resources.iter().any(|listed| listed == uri), "{uri}: {resources:?}");
        }
        assert_eq!(session.read("app://todos").await, json!([tea]));
        let context = session.read("app://context").await;
        assert_eq!((&context["todos"], &context["saved"]), (&json!(1), &json!(false)));
        let refused = session.try_read("app://audit").await.unwrap_err();
        assert!(refused.message.contains("administrators"), "{refused}");
    }
}

mod may_only_look {
    use super::*;

    with_every_client!(scenario, todo(""));

    async fn scenario(_: Client, session: &mut Session, _: &Served) {
        let refused = session.call("add", json!({"title": "Buy tea"})).await;
        assert!(refused.is_error && refused.text.contains("ada may only look"), "{refused:?}");
        assert_eq!(session.read("app://todos").await[0]["title"], "Water the plants");
        assert_eq!(session.read("app://todos").await[1], json!(null));
    }
}

mod gives_up_waiting {
    use super::*;

    with_every_client!(scenario, todo("edit,delete,admin").env("TODO_DELAY_MS", "3600000"));

    async fn scenario(_: Client, session: &mut Session, _: &Served) {
        session.call("select", json!({"id": "1"})).await;
        session.cancel("delete_selected", json!({})).await;
        // The request is on its way all the same: giving up waiting takes nothing back.
        let refused = session.call("delete_selected", json!({})).await;
        assert!(refused.is_error, "{refused:?}");
        let mut ends = Vec::new();
        // The audit is kept beside the calls, not by them.
        while ends.len() < 2 {
            let audit = session.read("app://audit").await;
            let lines = audit.as_array().unwrap().iter();
            let deletions = lines.filter(|line| line["target"] == "delete_selected");
            ends = deletions.map(|line| line["status"].clone()).collect();
        }
        assert_eq!(ends, ["cancelled", "unavailable"]);
    }
}

//! The todo list, as real clients meet it over stdio and over HTTP.

#![allow(clippy::unwrap_used)] // helpers of tests are tests

mod talking;

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

use agent_mcp_clients::{
    Called, Client, Era, Reach, Relay, Served, Server, Session, Transport, folder,
    over_every_transport, with_every_client,
};
use serde_json::{Value, json};
use tempfile::TempDir;

const ALWAYS: [&str; 9] =
    ["find", "export", "add", "import", "show", "select", "save", "back_up", "import_text"];

/// A list on disk, and how it is served.
struct Todo {
    folder: Arc<TempDir>,
    /// The rights of Ada.
    rights: &'static str,
    delay_ms: &'static str,
}

impl Todo {
    fn with_rights(rights: &'static str) -> Self {
        let list = ("todos.md", "- [ ] Water the plants\n");
        let users = format!("ada-token ada {rights}\nbob-token bob edit\neve-token eve\n");
        Self { folder: folder(&[list, ("users.txt", &users)]), rights, delay_ms: "0" }
    }

    fn slowed_by_ms(self, delay_ms: &'static str) -> Self {
        Self { delay_ms, ..self }
    }

    fn path(&self, file: &str) -> PathBuf {
        self.folder.path().join(file)
    }

    fn read(&self, file: &str) -> String {
        fs::read_to_string(self.path(file)).unwrap()
    }

    fn program(&self) -> Served {
        Served::new(env!("CARGO_BIN_EXE_todo-under-test")).env("TODO_DELAY_MS", self.delay_ms)
    }

    async fn serve_http(&self) -> Server {
        let users = self.path("users.txt").display().to_string();
        let program = self.program().env("TODO_USERS", users).arg("http").arg("127.0.0.1:0");
        Server::start(&program.arg("--file").on(self.folder.clone(), "todos.md")).await
    }

    /// A conversation for Ada, and the server that it needs.
    async fn open(&self, client: Client, transport: Transport) -> (Session, Option<Server>) {
        match transport {
            Transport::Stdio => {
                let program = self.program().env("TODO_USER", "ada");
                let program = program.env("TODO_RIGHTS", self.rights);
                let program = program.arg("--file").on(self.folder.clone(), "todos.md");
                let reach = Reach::Stdio(program);
                (open(client, reach).await, None)
            }
            Transport::Http => {
                let server = self.serve_http().await;
                (open(client, server.reach("ada-token")).await, Some(server))
            }
        }
    }
}

async fn open(client: Client, reach: Reach) -> Session {
    Session::open(client, reach, env!("CARGO_TARGET_TMPDIR").as_ref()).await
}

fn status(capability: &str, status: &str) -> Option<Value> {
    Some(json!({"capability": capability, "status": status}))
}

/// Waits until the server has the deletion that was started, which then is not to be had again.
async fn until_deleting(session: &mut Session) {
    while session.tool_names().await.iter().any(|name| name == "delete_selected") {}
}

/// Waits until so many deletions are in the audit, and says how each ended.
async fn deletions(session: &mut Session, count: usize) -> Vec<Value> {
    loop {
        // The audit is kept beside the calls, not by them.
        let audit = session.read("app://audit").await;
        let lines = audit.as_array().unwrap().iter();
        let deletions = lines.filter(|line| line["target"] == "delete_selected");
        let ends: Vec<_> = deletions.map(|line| line["status"].clone()).collect();
        if ends.len() >= count {
            return ends;
        }
    }
}

mod works_through_the_list {
    use super::*;

    over_every_transport!(scenario);

    async fn scenario(client: Client, transport: Transport) {
        let todo = Todo::with_rights("edit,delete");
        let (mut session, _server) = todo.open(client, transport).await;
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
        assert_eq!(names.len(), 13, "{names:?}");

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
        assert_eq!(serde_json::from_str::<Value>(&found.text).unwrap(), json!([tea]));

        // Completion by state: the call ends when everything is on disk.
        let saved = session.call("save", json!({})).await;
        assert_eq!(saved.structured, Some(json!({"changes": 2})), "{saved:?}");
        let list = todo.read("todos.md");
        assert_eq!(list, "- [x] Water the plants\n- [ ] Buy tea\n");

        // Completion by what is outside of the Model: the call ends when the copy is there.
        let copied = session.call("back_up", json!({})).await;
        assert_eq!(copied.structured, status("back_up", "completed"), "{copied:?}");
        assert_eq!(todo.read("todos.backup.md"), list);

        // Completion by Message: the call ends when the todo is in the archive.
        let deleted = session.call("delete_selected", json!({})).await;
        assert_eq!(deleted.structured, status("delete_selected", "completed"), "{deleted:?}");
        assert_eq!(todo.read("todos.archive.md"), "- [x] Water the plants\n");
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
        session.close().await;
    }
}

mod may_only_look {
    use super::*;

    with_every_client!(scenario);

    async fn scenario(client: Client) {
        let todo = Todo::with_rights("");
        let (mut session, _) = todo.open(client, Transport::Stdio).await;
        let refused = session.call("add", json!({"title": "Buy tea"})).await;
        assert!(refused.is_error && refused.text.contains("ada may only look"), "{refused:?}");
        assert_eq!(session.read("app://todos").await[0]["title"], "Water the plants");
        assert_eq!(session.read("app://todos").await[1], json!(null));
        session.close().await;
    }
}

mod gives_up_waiting {
    use super::*;

    over_every_transport!(scenario);

    async fn scenario(client: Client, transport: Transport) {
        let todo = Todo::with_rights("edit,delete,admin").slowed_by_ms("3600000");
        let (mut session, _server) = todo.open(client, transport).await;
        session.call("select", json!({"id": "1"})).await;
        session.start("delete_selected", json!({})).await;
        until_deleting(&mut session).await;
        session.give_up().await;
        assert_eq!(deletions(&mut session, 1).await, ["cancelled"]);
        // The request is on its way all the same: giving up waiting takes nothing back.
        let refused = session.call("delete_selected", json!({})).await;
        assert!(refused.is_error, "{refused:?}");
        assert_eq!(deletions(&mut session, 2).await, ["cancelled", "unavailable"]);
        session.close().await;
    }
}

/// Several people over HTTP, each with a client and a token of their own.
mod each_sees_what_they_may {
    use super::*;

    with_every_client!(scenario);

    async fn scenario(client: Client) {
        let todo = Todo::with_rights("edit,delete,admin");
        let server = todo.serve_http().await;
        let mut ada = open(client, server.reach("ada-token")).await;
        let mut eve = open(client, server.reach("eve-token")).await;
        assert_eq!(ada.tool_names().await, ALWAYS);
        assert_eq!(eve.tool_names().await, ALWAYS);

        let refused = eve.call("add", json!({"title": "Buy tea"})).await;
        assert!(refused.is_error && refused.text.contains("eve may only look"), "{refused:?}");
        let added = ada.call("add", json!({"title": "Buy tea"})).await;
        assert_eq!(added.structured, status("add", "dispatched"));
        // It is one list.
        assert_eq!(eve.read("app://todos").await[0]["title"], "Buy tea");

        // What Ada selects is selected for Eve, who hears of it; she may not do with it what Ada may.
        ada.call("select", json!({"id": "1"})).await;
        eve.changed().await;
        ada.changed().await;
        assert!(eve.tool_names().await.iter().any(|name| name == "complete_selected"));
        let refused = eve.call("complete_selected", json!({})).await;
        assert!(refused.is_error && refused.text.contains("eve may only look"), "{refused:?}");
        ada.call("complete_selected", json!({})).await;
        ada.changed().await;

        // For whoever is no administrator some of it does not exist.
        let tidies = |names: Vec<String>| names.iter().any(|name| name == "clear_completed");
        assert!(tidies(ada.tool_names().await));
        assert!(!tidies(eve.tool_names().await));
        let refused = eve.try_read("app://audit").await.unwrap_err();
        assert!(refused.message.contains("administrators"), "{refused}");
        let audit = ada.read("app://audit").await;
        assert!(
            audit.as_array().unwrap().iter().any(|line| line["caller"] == "local eve"),
            "{audit}"
        );
        ada.close().await;
        eve.close().await;
    }
}

/// The connection breaks in the middle of a stream, over HTTP.
mod comes_back_after_a_cut {
    use super::*;

    with_every_client!(scenario);

    async fn scenario(client: Client) {
        let todo = Todo::with_rights("edit,delete,admin").slowed_by_ms("3000");
        let server = todo.serve_http().await;
        let relay = Relay::to(server.address()).await;
        let mut ada = open(client, Reach::http(relay.address(), "ada-token")).await;
        let mut bob = open(Client::Rust(Era::Modern), server.reach("bob-token")).await;
        assert_eq!(ada.tool_names().await, ALWAYS);

        // What changes while she is cut off is told when she is back.
        relay.cut();
        bob.call("select", json!({"id": "1"})).await;
        relay.release(server.address());
        ada.changed().await;
        assert!(ada.tool_names().await.iter().any(|name| name == "delete_selected"));
        let resumes = client.era() == Era::Legacy;
        if resumes {
            relay.has_resumed(1).await;
        }

        // The call that she waits for is cut right after its answer has begun.
        let before = relay.resumptions();
        relay.cut_next();
        ada.start("delete_selected", json!({})).await;
        relay.has_cut().await;
        if resumes {
            let deleted = ada.finish().await.unwrap();
            assert_eq!(deleted.structured, status("delete_selected", "completed"), "{deleted:?}");
            assert_eq!(relay.resumptions(), before + 1);
            assert_eq!(deletions(&mut ada, 1).await, ["completed"]);
        } else {
            ends_with_its_connection(client, &mut ada).await;
            assert_eq!(relay.resumptions(), 0);
        }
        // Once, however often it was asked for.
        while ada.read("app://todos").await != json!([]) {}
        assert_eq!(todo.read("todos.archive.md"), "- [ ] Water the plants\n");
        ada.close().await;
        bob.close().await;
    }

    /// At 2026-07-28 there is nothing to come back to: the end of a connection is that of its call.
    async fn ends_with_its_connection(client: Client, session: &mut Session) {
        assert_eq!(deletions(session, 1).await, ["cancelled"]);
        match client {
            // This SDK does not see that the stream has ended, and waits until its own time limit.
            Client::TypeScript(_) => session.give_up().await,
            _ => assert_eq!(session.finish().await.unwrap_err().code, -32000),
        }
    }
}

/// The server ends and another takes its place, which knows nothing of the sessions of the first.
mod goes_on_after_a_restart {
    use super::*;

    with_every_client!(scenario);

    async fn scenario(client: Client) {
        let todo = Todo::with_rights("edit,delete");
        let server = todo.serve_http().await;
        let relay = Relay::to(server.address()).await;
        let mut session = open(client, Reach::http(relay.address(), "ada-token")).await;
        assert_eq!(session.tool_names().await, ALWAYS);

        relay.cut();
        server.kill().await;
        let server = todo.serve_http().await;
        relay.release(server.address());

        let listed = session.try_tools().await;
        // `rmcp` begins a new session by itself, and at 2026-07-28 there is none to lose. Others tell the
        // application: as an error of the protocol, or as HTTP's own.
        let told = match client {
            Client::Python(Era::Legacy) => Some(-32600),
            Client::TypeScript(Era::Legacy) | Client::TypeScript1 => Some(404),
            _ => None,
        };
        assert_eq!(listed.err().map(|error| error.code), told);
        if told.is_some() {
            session.reopen().await;
        }
        assert_eq!(session.tool_names().await, ALWAYS);
        session.call("select", json!({"id": "1"})).await;
        session.changed().await;
        let Called { is_error, text, .. } = session.call("delete_selected", json!({})).await;
        assert!(!is_error, "{text}");
        session.close().await;
    }
}

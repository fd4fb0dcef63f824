//! The notes, as real clients meet them over stdio.

#![allow(clippy::unwrap_used)] // helpers of tests are tests

use agent_mcp_clients::Era::Legacy;
use agent_mcp_clients::{Client, Reach, Served, Session, folder, with_every_client};
use serde_json::json;

fn notes() -> Served {
    let notes = folder(&[
        ("shopping.md", "# Shopping\n\n- tea\n- milk\n"),
        ("ideas/garden.md", "# Garden\n\nPlant mint for tea.\n"),
    ]);
    Served::new(env!("CARGO_BIN_EXE_notes-under-test")).arg("--folder").on(notes, "")
}

async fn scenario(client: Client) {
    let build = env!("CARGO_TARGET_TMPDIR").as_ref();
    let mut session = Session::open(client, Reach::Stdio(notes()), build).await;
    let hello = session.hello().await;
    assert_eq!(hello["protocol"], client.revision());
    assert_eq!(hello["server"]["name"], "notes");
    assert_eq!(hello["capabilities"]["tools"]["listChanged"], true);
    let instructions = hello["instructions"].as_str().unwrap_or_default();
    assert!(instructions.starts_with("A folder of Markdown notes."), "{hello}");

    // What a client shows and a model reads.
    assert_eq!(session.tool_names().await, ["search", "read", "append", "list", "wait_for_change"]);
    let tools = session.tools().await;
    let search = &tools[0];
    assert_eq!(search["inputSchema"]["type"], "object");
    assert_eq!(search["inputSchema"]["required"], json!(["query"]));
    assert_eq!(search["inputSchema"]["properties"]["query"]["type"], "string");
    let said = &search["inputSchema"]["properties"]["query"]["description"];
    assert_eq!(said, "One or more words, in any case.");
    assert_eq!(search["outputSchema"]["properties"]["hits"]["type"], "array");
    assert_eq!(search["annotations"]["readOnlyHint"], true);

    // A structured answer is the same in the text and beside it; each client checks it by the schema.
    let found = session.call("search", json!({"query": "TEA", "limit": 1})).await;
    let structured = found.structured.as_ref().unwrap();
    assert_eq!(structured["hits"][0]["path"], "ideas/garden.md");
    assert_eq!(structured["more"], 1);
    let text: serde_json::Value = serde_json::from_str(&found.text).unwrap();
    assert_eq!(&text, structured);

    // A text is a text.
    let appended = session.call("append", json!({"path": "shopping.md", "text": "- bread"})).await;
    assert_eq!(appended.structured.unwrap()["created"], false);
    let read = session.call("read", json!({"path": "shopping.md"})).await;
    assert_eq!(read.text, "# Shopping\n\n- tea\n- milk\n- bread\n");
    assert_eq!((read.structured, read.is_error), (None, false));

    // What goes wrong in a tool is the model's to read; a tool that is not there is the client's.
    let outside = session.call("read", json!({"path": "../secret.md"})).await;
    assert!(outside.is_error && outside.text.starts_with("a path must stay inside"), "{outside:?}");
    assert_eq!(outside.structured, None);
    let wrong = session.call("search", json!({"query": "tea", "limit": "many"})).await;
    assert!(wrong.is_error && wrong.text.contains("limit"), "{wrong:?}");
    let undeclared =
        session.call("read", json!({"path": "shopping.md", "encoding": "utf-8"})).await;
    assert!(undeclared.is_error && undeclared.text.contains("encoding"), "{undeclared:?}");
    let none = session.try_call("delete", json!({})).await.unwrap_err();
    assert_eq!(none.code, -32602);

    assert_eq!(session.resources().await, ["app://notes"]);
    let all = session.read("app://notes").await;
    assert_eq!(all, json!(["ideas/garden.md", "shopping.md"]));
    let none = session.try_read("app://none").await.unwrap_err();
    // The code before 2026-07-28; `@modelcontextprotocol/client` shows the new one for both.
    let old = matches!(client, Client::Rust(Legacy) | Client::Python(Legacy) | Client::TypeScript1);
    let code = if old { -32002 } else { -32602 };
    assert_eq!((none.code, &none.data["uri"]), (code, &json!("app://none")));

    // Nobody changes the note, so only giving up ends the call. The server goes on.
    session.start("wait_for_change", json!({"path": "shopping.md"})).await;
    // Whatever is answered after the call was sent proves that the server has read it.
    session.tools().await;
    session.give_up().await;
    assert!(!session.call("list", json!({"folder": "ideas"})).await.is_error);
    session.close().await;
}

/// What reads notes comes with the first note, and is announced.
async fn the_first_note(client: Client) {
    let build = env!("CARGO_TARGET_TMPDIR").as_ref();
    let notes = Served::new(env!("CARGO_BIN_EXE_notes-under-test"));
    let notes = notes.arg("--folder").on(folder(&[]), "");
    let mut session = Session::open(client, Reach::Stdio(notes), build).await;
    session.hello().await;
    assert_eq!(session.tool_names().await, ["append", "list"]);
    session.call("append", json!({"path": "first.md", "text": "# First"})).await;
    session.changed().await;
    assert_eq!(session.tool_names().await, ["search", "read", "append", "list", "wait_for_change"]);
    session.close().await;
}

mod works_through_the_notes {
    use super::*;

    with_every_client!(scenario);
}

mod hears_of_the_first_note {
    use super::*;

    with_every_client!(the_first_note);
}

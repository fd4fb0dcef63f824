//! The whole server, without a process or a port.

#![allow(clippy::unwrap_used)] // Tests.

use std::fs;

use agent_mcp::InProcess;
use notes::{Folder, app};
use serde_json::{Value, json};
use tempfile::TempDir;

/// What a caller inside the program meets: the same checks as over a transport.
fn notes() -> (TempDir, InProcess<()>) {
    let dir = tempfile::tempdir().unwrap();
    fs::create_dir(dir.path().join("ideas")).unwrap();
    fs::write(dir.path().join("shopping.md"), "# Shopping\n\n- tea\n- milk\n").unwrap();
    fs::write(dir.path().join("ideas/garden.md"), "# Garden\n\nTea, mint and more tea.\n").unwrap();
    let runtime = app(Folder::open(dir.path()).unwrap()).runtime().unwrap();
    (dir, runtime.in_process())
}

async fn call(notes: &InProcess<()>, name: &str, arguments: Value) -> Result<Value, String> {
    notes.call(name, &arguments).await.json().map_err(|error| error.to_string())
}

#[tokio::test]
async fn the_contract_has_nothing_that_a_client_stumbles_on() {
    let (_dir, notes) = notes();
    let lints = notes.runtime().contract().lint();
    assert!(lints.is_empty(), "{lints:#?}");
}

#[tokio::test]
async fn a_search_gives_the_best_note_first_and_counts_the_rest() {
    let (_dir, notes) = notes();
    let found = call(&notes, "search", json!({"query": "TEA", "limit": 1})).await.unwrap();
    let garden = json!({
        "path": "ideas/garden.md", "title": "Garden", "line": 3, "excerpt": "Tea, mint and more tea.",
    });
    assert_eq!(found, json!({"hits": [garden], "more": 1}));
    // Without a limit there are ten.
    let found = call(&notes, "search", json!({"query": "tea"})).await.unwrap();
    assert_eq!(found["hits"].as_array().unwrap().len(), 2);
}

#[tokio::test]
async fn what_cannot_be_done_says_what_can() {
    let (_dir, notes) = notes();
    let cases = [
        ("search", json!({"query": " "}), "give one or more words"),
        ("search", json!({"query": "tea", "limit": 0}), "limit"),
        ("search", json!({"query": "tea", "limits": 3}), "limit"),
        ("read", json!({"path": "none.md"}), "`list` shows the notes"),
        ("read", json!({"path": "../secret.md"}), "a path must stay inside"),
        ("append", json!({"path": "new.txt", "text": "x"}), "ends in `.md`"),
        ("append", json!({"path": "new.md", "text": ""}), "text"),
        ("list", json!({"folder": "shopping.md"}), "not a folder"),
    ];
    for (name, arguments, hint) in cases {
        let error = call(&notes, name, arguments.clone()).await.unwrap_err();
        assert!(error.contains(hint), "{name} {arguments}: {error}");
    }
}

#[tokio::test]
async fn what_is_appended_is_read() {
    let (_dir, notes) = notes();
    let appended = call(&notes, "append", json!({"path": "a/new.md", "text": "# New"})).await;
    assert_eq!(appended.unwrap(), json!({"created": true, "bytes": 6}));
    assert_eq!(call(&notes, "read", json!({"path": "a/new.md"})).await.unwrap(), "# New\n");
    let all: Value = notes.read("app://notes").await.json().unwrap();
    assert_eq!(all, json!(["a/new.md", "ideas/garden.md", "shopping.md"]));
}

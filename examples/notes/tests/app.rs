//! The whole server as a client meets it, without a process or a port.

#![allow(clippy::unwrap_used)] // Tests.

use std::fs;
use std::path::Path;

use agent_mcp::testing::{Client, Notice, connect};
use notes::{Folder, app};
use serde_json::{Value, json};
use tempfile::TempDir;

async fn client(folder: &Path) -> Client {
    connect(app(Folder::open(folder).unwrap())).await
}

async fn notes() -> (TempDir, Client) {
    let dir = tempfile::tempdir().unwrap();
    fs::create_dir(dir.path().join("ideas")).unwrap();
    fs::write(dir.path().join("shopping.md"), "# Shopping\n\n- tea\n- milk\n").unwrap();
    fs::write(dir.path().join("ideas/garden.md"), "# Garden\n\nTea, mint and more tea.\n").unwrap();
    let client = client(dir.path()).await;
    (dir, client)
}

#[test]
fn the_contract_has_nothing_that_a_client_stumbles_on() {
    let dir = tempfile::tempdir().unwrap();
    let lints = app(Folder::open(dir.path()).unwrap()).runtime().unwrap().contract().lint();
    assert!(lints.is_empty(), "{lints:#?}");
}

#[tokio::test]
async fn a_search_gives_the_best_note_first_and_counts_the_rest() {
    let (_dir, notes) = notes().await;
    let found = notes.call("search", json!({"query": "TEA", "limit": 1})).await;
    let garden = json!({
        "path": "ideas/garden.md", "title": "Garden", "line": 3, "excerpt": "Tea, mint and more tea.",
    });
    assert_eq!(found.json::<Value>(), json!({"hits": [garden], "more": 1}));
    // It says how many of the notes it has looked at.
    let progress =
        |done| Notice::Progress { done: f64::from(done), total: Some(2.0), message: None };
    assert_eq!(found.notices(), [0, 1].map(progress));
    // Without a limit there are ten.
    let found: Value = notes.call("search", json!({"query": "tea"})).await.json();
    assert_eq!(found["hits"].as_array().unwrap().len(), 2);
}

#[tokio::test]
async fn what_cannot_be_done_says_what_can() {
    let (_dir, notes) = notes().await;
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
        let failed = notes.call(name, &arguments).await.failed();
        assert!(failed.text.contains(hint), "{name} {arguments}: {failed}");
    }
}

#[tokio::test]
async fn what_is_appended_is_read() {
    let (_dir, notes) = notes().await;
    let appended = notes.call("append", json!({"path": "a/new.md", "text": "# New"})).await;
    assert_eq!(appended.json::<Value>(), json!({"created": true, "bytes": 6}));
    assert_eq!(notes.call("read", json!({"path": "a/new.md"})).await.text(), "# New\n");
    let all: Vec<String> = notes.read("app://notes").await.json();
    assert_eq!(all, ["a/new.md", "ideas/garden.md", "shopping.md"]);
}

#[tokio::test]
async fn what_reads_notes_comes_with_the_first_note() {
    let dir = tempfile::tempdir().unwrap();
    let notes = client(dir.path()).await;
    assert_eq!(notes.tools().await, ["append", "list"]);
    assert!(notes.call("append", json!({"path": "first.md", "text": "# First"})).await.is_ok());
    assert_eq!(notes.heard().await, [Notice::ToolsChanged]);
    assert_eq!(notes.tools().await, ["search", "read", "append", "list", "wait_for_change"]);
}

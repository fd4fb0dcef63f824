//! What the README of the todo list says to type, typed.
#![cfg(unix)]
#![allow(clippy::unwrap_used)] // helpers of tests are tests

use std::fs;
use std::path::Path;
use std::process::Stdio;

use agent_mcp_clients::{Served, Server, is_left_out};
use tokio::process::Command;

/// The commands of a page's console blocks, and what it says they print.
fn commands(page: &str) -> Vec<(String, String)> {
    let mut commands: Vec<(String, String)> = Vec::new();
    for block in page.split("```console\n").skip(1) {
        let (block, _) = block.split_once("\n```").unwrap();
        let mut goes_on = false;
        for line in block.lines() {
            match line.strip_prefix("$ ") {
                Some(command) => commands.push((format!("{command}\n"), String::new())),
                None => {
                    let (command, output) = commands.last_mut().unwrap();
                    *if goes_on { command } else { output } += &format!("{line}\n");
                }
            }
            let quotes = commands.last().unwrap().0.matches('\'').count();
            goes_on = line.ends_with('\\') || quotes % 2 == 1;
        }
    }
    commands
}

#[tokio::test]
async fn what_the_readme_says_to_ask_with_curl_is_answered_as_it_says() {
    if is_left_out("curl", "the commands of the README") {
        return;
    }
    let readme = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/todo/README.md");
    let readme = fs::read_to_string(readme).unwrap();
    // The users are those that the page speaks of: no file is named.
    let served = Served::new(env!("CARGO_BIN_EXE_todo-under-test")).arg("http").arg("127.0.0.1:0");
    let server = Server::start(&served).await;
    let mut answers = 0;
    for (command, said) in commands(&readme) {
        if !command.contains("curl ") {
            continue;
        }
        let typed = command.replace("127.0.0.1:8787", &server.address().to_string());
        let shell = Command::new("sh").arg("-c").arg(&typed).stderr(Stdio::inherit()).output();
        let shell = shell.await.unwrap();
        // It is as old as its option `--json`, 7.82; who has none sets AGENT_MCP_SKIP_CLIENTS=curl.
        assert!(shell.status.success(), "curl failed with {}", shell.status);
        let output = String::from_utf8(shell.stdout).unwrap();
        assert_eq!(output.trim_end(), said.trim_end(), "{command}");
        answers += 1;
    }
    assert_eq!(answers, 3);
}

#[test]
fn what_the_readme_says_to_write_into_a_file_is_json() {
    let readme = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/todo/README.md");
    let readme = fs::read_to_string(readme).unwrap();
    let mut over_http = 0;
    for block in readme.split("```json\n").skip(1) {
        let (block, _) = block.split_once("\n```").unwrap();
        let block: serde_json::Value = serde_json::from_str(block).unwrap();
        let servers = block.get("mcpServers").or(block.get("servers")).unwrap();
        if let Some(url) = servers["todo"].get("url") {
            assert_eq!(url, "http://127.0.0.1:8787/mcp");
            let authorization = servers["todo"]["headers"]["Authorization"].as_str().unwrap();
            let token = authorization.strip_prefix("Bearer ").unwrap();
            assert!(todo::user::Users::demo().unwrap().find(token).is_some(), "{token}");
            over_http += 1;
        }
    }
    assert_eq!(over_http, 2);
}

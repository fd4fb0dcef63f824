//! The program, as somebody at a terminal meets it.
#![cfg(unix)]
#![allow(clippy::unwrap_used)] // Tests.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Output, Stdio};

fn todo(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_todo"));
    command.args(arguments).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Ends the program when a test fails.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Starts the program, and gives the address that it prints.
fn listening(command: &mut Command) -> (Running, String) {
    let mut program = Running(command.args(["http", "127.0.0.1:0"]).spawn().unwrap());
    let mut url = String::new();
    BufReader::new(program.0.stdout.take().unwrap()).read_line(&mut url).unwrap();
    let address = url.strip_prefix("http://").unwrap().strip_suffix("/mcp\n").unwrap();
    let address = address.to_owned();
    (program, address)
}

/// The status of an answer to somebody with that token.
fn status(address: &str, token: &str) -> String {
    let body = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}"#;
    let mut stream = TcpStream::connect(address).unwrap();
    write!(
        stream,
        "POST /mcp HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\naccept: application/json\r\n\
         content-type: application/json\r\nauthorization: Bearer {token}\r\ncontent-length: {}\r\n\r\n{body}",
        body.len(),
    )
    .unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer.split(' ').nth(1).unwrap().to_owned()
}

/// What the program printed, and what it said beside that, when it ends with this code.
fn ended(command: &mut Command, code: i32) -> (String, String) {
    let Output { status, stdout, stderr } = command.output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    let (printed, said) = (text(stdout), text(stderr));
    assert_eq!(status.code(), Some(code), "{printed}{said}");
    (printed, said)
}

#[test]
fn ctrl_c_ends_it_in_good_order() {
    let (mut program, address) = listening(&mut todo(&[]));
    assert_eq!(status(&address, "eve-demo-token"), "200");
    let pid = program.0.id().to_string();
    assert!(Command::new("kill").args(["-INT", &pid]).status().unwrap().success());
    assert_eq!(program.0.wait().unwrap().code(), Some(0));
}

#[test]
fn its_users_are_those_of_the_file() {
    let users = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(users.path(), "secret ada edit\n").unwrap();
    let (_program, address) = listening(todo(&[]).env("TODO_USERS", users.path()));
    assert_eq!(status(&address, "secret"), "200");
    assert_eq!(status(&address, "ada-demo-token"), "401");
}

#[test]
fn it_says_what_is_wrong_and_serves_nobody() {
    let (_, error) = ended(&mut todo(&["http", "8787"]), 2);
    assert!(error.contains("'8787'"), "{error}");
    // Their tokens are in the repository.
    let (_, error) = ended(&mut todo(&["http", "0.0.0.0:0"]), 3);
    assert!(error.contains("everybody knows the tokens of the demo users"), "{error}");
    let (_, error) = ended(todo(&["http", "127.0.0.1:0"]).env("TODO_USERS", "no-such-file"), 3);
    assert!(error.contains("no-such-file"), "{error}");
    let (_, error) = ended(&mut todo(&["--rights", "fly", "tools"]), 1);
    assert!(error.contains("there is no right `fly`"), "{error}");
}

#[test]
fn a_call_from_the_command_line_is_kept() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("todos.md");
    let list = |arguments: &[&str]| {
        let mut command = todo(arguments);
        command.env("TODO_FILE", &file);
        command
    };
    ended(&mut list(&["call", "add", r#"{"title": "milk"}"#]), 0);
    ended(&mut list(&["write", "Buy", "tea"]), 0);
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "- [ ] milk\n- [ ] Buy tea\n");
    let (found, _) = ended(&mut list(&["call", "find", r#"{"text": "milk"}"#]), 0);
    assert!(found.contains("\"title\": \"milk\""), "{found}");
    assert_eq!(ended(&mut list(&["call", "export"]), 0).0, "- [ ] milk\n- [ ] Buy tea\n");
    let (todo, _) = ended(&mut list(&["read", "todo://2"]), 0);
    assert!(todo.contains("Buy tea"), "{todo}");
}

/// The command line is one more client, and passes what every client passes.
#[test]
fn a_call_from_the_command_line_has_the_persons_rights() {
    let add = ["call", "add", r#"{"title": "milk"}"#];
    let (_, error) = ended(todo(&add).env("TODO_RIGHTS", ""), 1);
    assert!(error.contains("owner may only look [unauthorized]"), "{error}");
    let (_, error) = ended(&mut todo(&["call", "delete_selected"]), 1);
    assert!(error.contains("[unavailable]"), "{error}");
    let (_, error) = ended(&mut todo(&["tools", "delete_selected"]), 2);
    assert!(error.contains("is not there now"), "{error}");
    let (_, error) = ended(&mut todo(&["call", "add", r#"{"titel": "milk"}"#]), 2);
    assert!(error.contains("did you mean `title`"), "{error}");
    let (tools, _) = ended(&mut todo(&["tools"]), 0);
    assert!(tools.contains("\nadd          Write down something to do.\n"), "{tools}");
    assert_eq!(ended(&mut todo(&["lint"]), 0).0, "");
}

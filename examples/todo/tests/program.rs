//! The program, as somebody at a terminal meets it over HTTP.
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

fn refused(command: &mut Command) -> String {
    let Output { status, stderr, .. } = command.output().unwrap();
    assert_eq!(status.code(), Some(1));
    String::from_utf8(stderr).unwrap()
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
    for arguments in [&["http"][..], &["http", "8787"], &["http", "127.0.0.1:0", "list.md", "Tea"]]
    {
        let error = refused(&mut todo(arguments));
        assert!(error.contains("say `todo http 127.0.0.1:8787`"), "{error}");
    }
    // Their tokens are in the repository.
    let error = refused(&mut todo(&["http", "0.0.0.0:0"]));
    assert!(error.contains("everybody knows the tokens of the demo users"), "{error}");
    let error = refused(todo(&["http", "127.0.0.1:0"]).env("TODO_USERS", "no-such-file"));
    assert!(error.contains("no-such-file"), "{error}");
}

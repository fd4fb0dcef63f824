//! The command line of a server, as people and scripts meet it.
#![cfg(unix)]
#![allow(clippy::unwrap_used)] // Tests.

use std::{
    fs::File,
    io::{BufRead, BufReader, Read, Write},
    net::TcpStream,
    process::{Child, Command, Output, Stdio},
};

use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use serde_json::{Value, json};

fn painter(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cli-fixture"));
    command.args(arguments).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// What the program printed, what it said beside that, and its code.
fn run(arguments: &[&str]) -> (String, String, i32) {
    ended(painter(arguments).output().unwrap())
}

fn ended(output: Output) -> (String, String, i32) {
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (text(output.stdout), text(output.stderr), output.status.code().unwrap())
}

/// The program with that on its standard input.
fn fed(arguments: &[&str], input: &str) -> (String, String, i32) {
    let mut program = painter(arguments).stdin(Stdio::piped()).spawn().unwrap();
    program.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    ended(program.wait_with_output().unwrap())
}

/// What goes well prints this and nothing else.
fn prints(arguments: &[&str]) -> String {
    let (printed, said, code) = run(arguments);
    assert_eq!((&*said, code), ("", 0), "{arguments:?}: {printed}");
    printed
}

/// What does not says why, with this code.
fn fails(arguments: &[&str], expected: i32) -> String {
    let (printed, said, code) = run(arguments);
    assert_eq!((&*printed, code), ("", expected), "{arguments:?}: {said}");
    said
}

#[test]
fn tools_are_listed_and_shown() {
    let list = prints(&["tools"]);
    let names: Vec<_> = list.lines().map(|line| line.split(' ').next().unwrap()).collect();
    assert_eq!(names, ["measure", "greet", "paint", "fall", "dry", "order"]);
    assert!(list.starts_with("measure  Measure a wall.\ngreet    Say hello.\n"), "{list}");
    let measure = prints(&["tools", "measure"]);
    assert!(measure.starts_with("Measure a wall.\n\nWith a folding rule.\n"), "{measure}");
    assert!(measure.contains("\n  times (integer, optional)  How often.\n"), "{measure}");
    assert!(measure.contains("\n  wall (string)  Which wall.\n"), "{measure}");
    let all: Value = serde_json::from_str(&prints(&["tools", "--json"])).unwrap();
    let one: Value = serde_json::from_str(&prints(&["tools", "measure", "--json"])).unwrap();
    assert_eq!(all[0], one);
    assert_eq!(one["name"], "measure");
    let wrong = fails(&["tools", "mesure"], 2);
    assert_eq!(wrong, "error: there is no tool `mesure`, did you mean `measure`?\n");
}

#[test]
fn a_call_prints_its_result() {
    // Without arguments there is nothing to type, and without a terminal nobody sees the progress.
    assert_eq!(prints(&["call", "greet"]), "Hello!\n");
    let wall = "{\n  \"width\": 8.0,\n  \"painted\": false\n}\n";
    let sorted = "{\n  \"painted\": false,\n  \"width\": 8.0\n}\n";
    let measured = prints(&["call", "measure", r#"{"wall": "left", "times": 2}"#]);
    assert!(measured == wall || measured == sorted, "{measured}");
    let json = prints(&["call", "measure", r#"{"wall": "left"}"#, "--json"]);
    assert_eq!(json.lines().count(), 1);
    let result: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(result["structuredContent"], json!({"width": 4.0, "painted": false}));
    // A tool that is a task is waited for.
    assert_eq!(prints(&["call", "order"]), "ordered 5\n");
    let (printed, _, code) = fed(&["call", "measure", "-"], "{\"wall\":\n\"east\"}\n");
    assert!(printed.contains("\"width\": 4.0") && code == 0, "{printed}");
}

#[test]
fn what_is_typed_wrongly_says_what_is_right() {
    let unknown = fails(&["call", "gret"], 2);
    assert!(unknown.contains("did you mean `greet`?"), "{unknown}");
    let missing = fails(&["call", "measure"], 2);
    assert!(missing.contains("wall") && missing.contains("[invalid_input]"), "{missing}");
    assert!(missing.ends_with("\n`tools measure` shows its arguments\n"), "{missing}");
    let broken = fails(&["call", "measure", r#"{"wall": "left" "times": 2}"#], 2);
    let shown = "\n  {\"wall\": \"left\" \"times\": 2}\n                  ^\n";
    assert!(broken.starts_with("error: the arguments are no JSON: expected"), "{broken}");
    assert!(broken.ends_with(shown), "{broken}");
    assert!(fails(&["call", "measure", "[]"], 2).contains("not an object"));
    let (_, said, code) = fed(&["call", "measure", "-"], "wall");
    assert!(said.contains("line 1 column 1") && code == 2, "{said}");
    assert!(fails(&["read", "app://colors"], 2).ends_with("\ndid you mean `app://colours`?\n"));
    assert!(fails(&["prompt", "plam"], 2).ends_with("\ndid you mean `plan`?\n"));
    assert!(fails(&["cal", "greet"], 2).contains("'call'"));
    assert!(fails(&["call"], 2).contains("<NAME>"));
}

#[test]
fn what_fails_says_why() {
    assert_eq!(fails(&["call", "fall"], 1), "error: the ladder is gone [failed]\n");
    let (printed, said, code) = run(&["call", "fall", "--json"]);
    let result: Value = serde_json::from_str(&printed).unwrap();
    assert_eq!((&result["isError"], &*said, code), (&json!(true), "", 1));
    let (printed, _, code) = run(&["call", "gret", "--json"]);
    let result: Value = serde_json::from_str(&printed).unwrap();
    assert_eq!((&result["error"]["code"], code), (&json!(-32602), 2));
    // Nobody is there to be asked.
    let asked = fails(&["call", "paint"], 1);
    assert!(asked.starts_with("error: `paint` needs a client that can do more"), "{asked}");
    assert!(asked.ends_with("\non a terminal it can ask for a form\n"), "{asked}");
}

#[test]
fn resources_and_prompts_are_printed() {
    assert_eq!(prints(&["read", "app://colours"]), "[\n  \"red\",\n  \"blue\"\n]\n");
    let plan = "user: Plan 3 days of painting.\n";
    assert_eq!(prints(&["prompt", "plan", r#"{"days": 3}"#]), plan);
    assert_eq!(prints(&["prompt", "plan", r#"{"days": "3"}"#]), plan);
}

#[test]
fn the_contract_is_printed_and_judged() {
    let manifest: Value = serde_json::from_str(&prints(&["manifest"])).unwrap();
    assert_eq!(manifest["name"], "painter");
    assert!(prints(&["docs"]).contains("measure"));
    let (printed, said, code) = run(&["lint"]);
    assert_eq!((&*said, code), ("", 1), "{printed}");
    assert!(printed.starts_with("advice: ") || printed.starts_with("warning: "), "{printed}");
    let lints: Value = serde_json::from_str(&run(&["lint", "--json"]).0).unwrap();
    assert_eq!(lints.as_array().unwrap().len(), printed.lines().count());
}

#[test]
fn shells_complete_commands_and_tools() {
    // The script for fish has the commands only.
    for (shell, word) in [("bash", "measure"), ("zsh", "measure"), ("fish", "-a \"call\"")] {
        let script = prints(&["completions", shell]);
        assert!(script.contains(word) && script.contains("cli-fixture"), "{script}");
    }
}

#[test]
fn help_is_of_the_server() {
    let help = prints(&["--help"]);
    assert!(help.starts_with("Paints walls.\n"), "{help}");
    assert!(help.contains("\n  call "), "{help}");
}

/// A client's configuration names the program and nothing else.
#[test]
fn without_a_command_it_serves_whoever_started_it() {
    let ping = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n";
    let pong = "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n";
    for arguments in [&[][..], &["stdio"]] {
        assert_eq!(fed(arguments, ping), (pong.to_owned(), String::new(), 0));
    }
}

/// Ends the program when a test fails.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Running {
    fn interrupt(&mut self) -> i32 {
        let id = self.0.id().to_string();
        assert!(Command::new("kill").args(["-INT", &id]).status().unwrap().success());
        self.0.wait().unwrap().code().unwrap()
    }
}

#[test]
fn it_serves_over_http_until_it_is_interrupted() {
    let mut program = Running(painter(&["http", "127.0.0.1:0"]).spawn().unwrap());
    let mut url = String::new();
    BufReader::new(program.0.stdout.take().unwrap()).read_line(&mut url).unwrap();
    let address = url.strip_prefix("http://").unwrap().strip_suffix("/mcp\n").unwrap();
    let mut stream = TcpStream::connect(address).unwrap();
    let hello = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}"#;
    write!(
        stream,
        "POST /mcp HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\naccept: application/json\r\n\
         content-type: application/json\r\ncontent-length: {}\r\n\r\n{hello}",
        hello.len(),
    )
    .unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    assert!(answer.contains(r#""name":"painter""#), "{answer}");
    assert_eq!(program.interrupt(), 0);
}

#[test]
fn a_call_that_is_interrupted_ends() {
    let mut program = Running(painter(&["call", "dry"]).spawn().unwrap());
    // What it logs comes before its result.
    let mut log = String::new();
    BufReader::new(program.0.stderr.take().unwrap()).read_line(&mut log).unwrap();
    assert_eq!(log, "notice: drying\n");
    assert_eq!(program.interrupt(), 130);
}

/// Types something on a terminal; gives what is on the screen, and the code.
fn on_a_terminal(arguments: &[&str], typed: &str) -> (String, i32) {
    let terminal = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    grantpt(&terminal).unwrap();
    unlockpt(&terminal).unwrap();
    let name = ptsname(&terminal, Vec::new()).unwrap();
    let side = File::options().read(true).write(true).open(name.to_str().unwrap()).unwrap();
    let mut program = painter(arguments)
        .stdin(side.try_clone().unwrap())
        .stdout(side.try_clone().unwrap())
        .stderr(side.try_clone().unwrap())
        .spawn()
        .unwrap();
    let mut screen = File::from(terminal);
    screen.write_all(typed.as_bytes()).unwrap();
    let code = program.wait().unwrap().code().unwrap();
    drop(side);
    // Reading fails at the end, when nobody has the terminal.
    let mut shown = Vec::new();
    let _ = screen.read_to_end(&mut shown);
    (String::from_utf8_lossy(&shown).replace('\r', ""), code)
}

#[test]
fn somebody_at_a_terminal_is_asked_and_sees_how_far_it_is() {
    let (screen, code) = on_a_terminal(&["call", "paint"], "green\nnavy blue\n\n");
    assert_eq!(code, 0, "{screen}");
    assert!(screen.contains("Which colour?\n"), "{screen}");
    assert!(screen.contains("  Colour (Red, Navy blue): "), "{screen}");
    assert!(screen.contains("  type one of Red, Navy blue\n"), "{screen}");
    assert!(screen.contains("  Quickly [y/N]: "), "{screen}");
    assert!(screen.contains("warning: wet paint\n"), "{screen}");
    // Nothing in a message moves the cursor.
    assert!(screen.contains("[############            ]  50% painting[2J"), "{screen}");
    assert!(screen.ends_with("\x1b[KBlue\n"), "{screen:?}");

    let (screen, code) = on_a_terminal(&["call", "paint"], "\x04");
    assert_eq!(code, 1, "{screen}");
}

#[test]
fn somebody_at_a_terminal_is_shown_the_help() {
    let (screen, code) = on_a_terminal(&[], "");
    assert!(screen.contains("Usage: cli-fixture [COMMAND]"), "{screen}");
    assert_eq!(code, 2);
}

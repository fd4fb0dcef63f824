//! What becomes of the process's streams, whatever they are.

use std::{
    fs::File,
    io::{BufRead, BufReader, Read, Write},
    net::Shutdown,
    os::{
        fd::{AsFd, OwnedFd},
        unix::net::UnixStream,
    },
    process::{Child, Command, ExitStatus, Stdio},
    sync::mpsc,
    time::Duration,
};

use agent_mcp_tests::stdio::{HANDSHAKE, call, ping};
use rustix::{
    fs::{OFlags, fcntl_getfl, fcntl_setfl},
    pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt},
};
use serde_json::{Value, json};

use super::{FIXTURE, fixture, fixture_with};

fn requests() -> String {
    HANDSHAKE.to_owned()
        + &call(1, "large", &json!({"bytes": 300_000}))
        + &call(2, "slow", &json!({"ms": 50}))
        + &call(3, "print", &json!({}))
}

/// Every line is a message, and all of `requests` is answered.
fn check(output: impl Read) {
    let lines = BufReader::new(output).lines();
    let messages = lines.map(|line| serde_json::from_str::<Value>(&line.unwrap()).unwrap());
    let mut ids: Vec<_> = messages.map(|message| message["id"].as_u64().unwrap()).collect();
    ids.sort_unstable();
    assert_eq!(ids, [0, 1, 2, 3]);
}

/// Waits for the end of a server, but not for ever.
fn ended(mut server: Child) -> ExitStatus {
    let (send, status) = mpsc::channel();
    std::thread::spawn(move || send.send(server.wait()));
    status.recv_timeout(Duration::from_secs(30)).expect("the server ends").unwrap()
}

/// Whatever comes first on standard output is an answer, though the server has things to say about itself.
#[tokio::test]
async fn stdio_969_what_is_logged_while_a_server_is_built_is_on_standard_error() {
    let mut server = fixture_with(&["log"]).await;
    server.close_input();
    assert_eq!(server.rest().await, [json!(null); 0]);
    let (_, errors) = server.ended_within(Duration::from_secs(20)).await;
    assert!(errors.contains("nothing is said of `text`"), "{errors}");
}

#[tokio::test]
async fn stdio_969_what_handlers_print_is_on_standard_error() {
    let mut server = fixture().await;
    server.send(call(1, "print", &json!({})) + &ping(2)).await;
    let told = [server.message().await, server.message().await];
    let printed = told.iter().find(|message| message["id"] == 1).unwrap();
    // And what they read is at its end.
    assert_eq!(agent_mcp_tests::stdio::text(printed), "true \"\"");
    server.close_input();
    assert_eq!(server.rest().await, [json!(null); 0]);
    let (_, errors) = server.ended_within(Duration::from_secs(20)).await;
    let expected = "from println\nfrom descriptor 1\nfrom a child\nprinted after serving\n";
    assert_eq!(errors, expected);
}

#[test]
fn sockets_are_served_as_node_hands_them_over() {
    let (mut input, stdin) = UnixStream::pair().unwrap();
    let (output, stdout) = UnixStream::pair().unwrap();
    let server = Command::new(FIXTURE)
        .stdin(OwnedFd::from(stdin))
        .stdout(OwnedFd::from(stdout))
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    input.write_all(requests().as_bytes()).unwrap();
    drop(input);
    check(output);
    assert!(ended(server).success());
}

#[test]
fn one_socket_for_both_directions_is_served() {
    let (mut client, stream) = UnixStream::pair().unwrap();
    let stream = OwnedFd::from(stream);
    let server = Command::new(FIXTURE)
        .stdin(stream.try_clone().unwrap())
        .stdout(stream)
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    client.write_all(requests().as_bytes()).unwrap();
    client.shutdown(Shutdown::Write).unwrap();
    check(client);
    assert!(ended(server).success());
}

#[test]
fn a_socket_whose_reader_is_gone_ends_the_server() {
    let (_input, stdin) = UnixStream::pair().unwrap();
    let (output, stdout) = UnixStream::pair().unwrap();
    let server = Command::new(FIXTURE)
        .stdin(OwnedFd::from(stdin))
        .stdout(OwnedFd::from(stdout))
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    drop(output);
    assert!(ended(server).success());
}

#[test]
fn files_are_served() {
    let folder = tempfile::tempdir().unwrap();
    let (input, output) = (folder.path().join("input"), folder.path().join("output"));
    std::fs::write(&input, requests()).unwrap();
    let status = Command::new(FIXTURE)
        .stdin(File::open(input).unwrap())
        .stdout(File::create(&output).unwrap())
        .stderr(Stdio::null())
        .status()
        .unwrap();
    assert!(status.success());
    check(File::open(output).unwrap());
}

#[test]
fn an_output_that_takes_nothing_is_an_error() {
    let mut server = Command::new(FIXTURE)
        .stdin(Stdio::piped())
        .stdout(File::options().write(true).open("/dev/full").unwrap())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = server.stdin.take().unwrap();
    input.write_all(ping(1).as_bytes()).unwrap();
    // The input is still open.
    let ended = server.wait_with_output().unwrap();
    assert_eq!(ended.status.code(), Some(1));
    let errors = String::from_utf8(ended.stderr).unwrap();
    assert!(
        errors.contains("the transport failed") && errors.contains("No space left"),
        "{errors}"
    );
}

#[test]
fn a_pipe_with_a_name_is_served() {
    let folder = tempfile::tempdir().unwrap();
    let pipe = folder.path().join("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    // The writer is gone before the server starts.
    let file = || File::options().read(true).write(true).open(&pipe).unwrap();
    let mut writer = file();
    let input = File::open(&pipe).unwrap();
    writer.write_all(requests().as_bytes()).unwrap();
    drop(writer);
    let mut server = Command::new(FIXTURE)
        .stdin(input)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    check(server.stdout.take().unwrap());
    assert!(ended(server).success());
}

#[test]
fn errors_that_go_the_way_of_the_output_leave_the_protocol_alone() {
    // `server 2>&1`: what handlers print would be in the protocol, so it is nowhere.
    let mut server = Command::new("sh")
        .args(["-c", "exec \"$0\" 2>&1", FIXTURE])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = server.stdin.take().unwrap();
    input.write_all(requests().as_bytes()).unwrap();
    drop(input);
    check(server.stdout.take().unwrap());
    assert!(ended(server).success());
}

/// Whether reads and writes of `descriptor` block, as programs expect that know nothing of `EAGAIN`.
fn blocks(descriptor: impl AsFd) -> bool {
    !fcntl_getfl(descriptor).unwrap().contains(OFlags::NONBLOCK)
}

#[test]
fn whoever_shares_a_pipe_still_blocks_on_it() {
    let (stdin, mut input) = std::io::pipe().unwrap();
    let (output, stdout) = std::io::pipe().unwrap();
    whoever_shares_a_stream_blocks(stdin.into(), &mut input, stdout.into(), output);
}

#[test]
fn whoever_shares_a_socket_still_blocks_on_it() {
    let (mut input, stdin) = UnixStream::pair().unwrap();
    let (output, stdout) = UnixStream::pair().unwrap();
    whoever_shares_a_stream_blocks(stdin.into(), &mut input, stdout.into(), output);
}

fn whoever_shares_a_stream_blocks(
    stdin: OwnedFd,
    input: &mut dyn Write,
    stdout: OwnedFd,
    output: impl Read,
) {
    let mut server = Command::new(FIXTURE)
        .stdin(stdin.try_clone().unwrap())
        .stdout(stdout.try_clone().unwrap())
        .stderr(stdout.try_clone().unwrap())
        .spawn()
        .unwrap();
    input.write_all(HANDSHAKE.as_bytes()).unwrap();
    let mut line = String::new();
    BufReader::new(output).read_line(&mut line).unwrap();
    assert!(line.contains("\"id\":0"), "{line}");
    assert!(blocks(stdin) && blocks(stdout));
    server.kill().unwrap();
    ended(server);
}

#[test]
fn a_terminal_is_served() {
    let terminal = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    grantpt(&terminal).unwrap();
    unlockpt(&terminal).unwrap();
    let name = ptsname(&terminal, Vec::new()).unwrap();
    let side = File::options().read(true).write(true).open(name.to_str().unwrap()).unwrap();
    // As programs leave it that know nothing of others.
    fcntl_setfl(&side, fcntl_getfl(&side).unwrap() | OFlags::NONBLOCK).unwrap();
    let server = Command::new(FIXTURE)
        .stdin(side.try_clone().unwrap())
        .stdout(side.try_clone().unwrap())
        .stderr(side.try_clone().unwrap())
        .spawn()
        .unwrap();
    let mut screen = File::from(terminal);
    // At the end what a person types to end the input.
    screen.write_all(format!("{}\x04", ping(1)).as_bytes()).unwrap();
    assert!(ended(server).success());
    drop(side);
    // The screen also shows what was typed. Reading fails at the end, when nobody has the terminal.
    let mut shown = Vec::new();
    let _ = screen.read_to_end(&mut shown);
    let shown = String::from_utf8_lossy(&shown);
    assert!(shown.contains(r#"{"jsonrpc":"2.0","id":1,"result":{}}"#), "{shown}");
}

#[tokio::test]
async fn a_client_that_says_that_it_writes_no_more_is_still_reading() {
    let (mut input, stdin) = UnixStream::pair().unwrap();
    let (output, stdout) = UnixStream::pair().unwrap();
    output.shutdown(Shutdown::Write).unwrap();
    let server = Command::new(FIXTURE)
        .stdin(OwnedFd::from(stdin))
        .stdout(OwnedFd::from(stdout))
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    input.write_all(HANDSHAKE.as_bytes()).unwrap();
    let mut output = BufReader::new(output);
    output.read_line(&mut String::new()).unwrap();
    let before = super::ends::ticks(server.id());
    tokio::time::sleep(Duration::from_millis(400)).await;
    assert!(super::ends::ticks(server.id()) - before <= 1, "an idle server uses the processor");
    input.write_all(ping(1).as_bytes()).unwrap();
    let mut line = String::new();
    output.read_line(&mut line).unwrap();
    assert!(line.contains("\"id\":1"), "{line}");
    drop(input);
    assert!(ended(server).success());
}

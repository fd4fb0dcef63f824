//! How a server ends.

use std::{fs, time::Duration};

use agent_mcp_tests::stdio::{HANDSHAKE, Process, call, ping, text};
use serde_json::json;
use tokio::{
    io::{AsyncBufReadExt, AsyncReadExt, BufReader},
    process::Command,
    time::timeout,
};

use super::{FIXTURE, fixture, fixture_with};

/// Longer than anything takes that is done at once, shorter than the limit `drain`.
const SOON: Duration = Duration::from_secs(8);

#[tokio::test]
async fn stdio_614_end_of_input_while_idle() {
    let mut server = fixture().await;
    let before = ticks(server.id());
    // This is what is measured, nothing is waited for.
    tokio::time::sleep(Duration::from_millis(400)).await;
    assert!(ticks(server.id()) - before <= 1, "an idle server uses the processor");
    server.close_input();
    assert_eq!(server.rest().await, [json!(null); 0]);
    let (status, errors) = server.ended_within(SOON).await;
    assert_eq!(status.code(), Some(0));
    // Descriptor 1 is no part of the protocol after serving either.
    assert_eq!(errors, "printed after serving\n");
}

/// The processor time that a process has used, in hundredths of a second.
pub(crate) fn ticks(id: u32) -> u64 {
    let Ok(stat) = fs::read_to_string(format!("/proc/{id}/stat")) else { return 0 };
    let (_, fields) = stat.rsplit_once(')').unwrap();
    let fields: Vec<_> = fields.split_whitespace().collect();
    fields[11].parse::<u64>().unwrap() + fields[12].parse::<u64>().unwrap()
}

#[tokio::test]
async fn stdio_b1d_end_of_input_with_a_call_in_flight() {
    let mut server = Process::start(FIXTURE, &[]);
    // The last line has no end (O44).
    let slow = call(1, "slow", &json!({"ms": 300}));
    server.send(HANDSHAKE.to_owned() + slow.trim_end()).await;
    server.close_input();
    assert_eq!(server.message().await["id"], 0);
    assert_eq!(text(&server.message().await), "slept 300");
    assert_eq!(server.rest().await, [json!(null); 0]);
    assert_eq!(server.ended_within(SOON).await.0.code(), Some(0));
}

#[tokio::test]
async fn std_5_nobody_waits_for_an_answer_that_cannot_come() {
    let mut server = fixture().await;
    server.send(call(1, "ask", &json!({}))).await;
    assert_eq!(server.message().await["method"], "elicitation/create");
    server.close_input();
    let why = "The client could not answer: it has ended the session";
    assert_eq!(text(&server.answer(1).await), why);
    assert_eq!(server.rest().await, [json!(null); 0]);
    assert_eq!(server.ended_within(SOON).await.0.code(), Some(0));
}

#[tokio::test]
async fn b140_calls_end_with_the_drain_limit() {
    let mut server = fixture_with(&["drain_ms=200"]).await;
    server.send(call(1, "wait", &json!({})) + &call(2, "counts", &json!({"started": 1}))).await;
    server.answer(2).await;
    server.close_input();
    assert_eq!(server.rest().await, [json!(null); 0]);
    assert_eq!(server.ended_within(SOON).await.0.code(), Some(0));
}

#[tokio::test]
async fn a_blocking_method_does_not_hold_up_the_end() {
    let mut server = fixture_with(&["drain_ms=200"]).await;
    server.send(call(1, "block", &json!({"ms": 60_000})) + &ping(2)).await;
    server.answer(2).await;
    server.close_input();
    assert_eq!(server.rest().await, [json!(null); 0]);
    assert_eq!(server.ended_within(SOON).await.0.code(), Some(0));
}

#[tokio::test]
async fn a_cancelled_blocking_method_does_not_hold_up_the_end() {
    let mut server = fixture_with(&["drain_ms=200"]).await;
    server.send(call(1, "block", &json!({"ms": 60_000})) + &ping(2)).await;
    server.answer(2).await;
    server.send(agent_mcp_tests::stdio::cancel(1)).await;
    server.close_input();
    assert_eq!(server.ended_within(SOON).await.0.code(), Some(0));
}

#[tokio::test]
async fn a_program_may_wait_for_a_signal() {
    let mut server = fixture_with(&["until-sigterm"]).await;
    server.send(call(1, "slow", &json!({"ms": 300})) + &ping(2)).await;
    server.answer(2).await;
    let killed = Command::new("kill").arg(server.id().to_string()).status().await.unwrap();
    assert!(killed.success());
    // The input is still open.
    assert_eq!(text(&server.message().await), "slept 300");
    assert_eq!(server.rest().await, [json!(null); 0]);
    assert_eq!(server.ended_within(SOON).await.0.code(), Some(0));
}

#[tokio::test]
async fn a_reader_that_is_gone_is_noticed_while_idle() {
    let mut server = fixture().await;
    server.close_output();
    // The input is still open.
    let (status, errors) = server.ended_within(SOON).await;
    assert_eq!((status.code(), &*errors), (Some(0), "printed after serving\n"));
}

#[tokio::test]
async fn a_reader_that_is_gone_ends_the_calls_that_run() {
    let mut server = fixture().await;
    let calls: String = (1..5).map(|id| call(id, "wait", &json!({}))).collect();
    server.send(calls + &call(9, "counts", &json!({"started": 4}))).await;
    server.answer(9).await;
    server.close_output();
    assert_eq!(server.ended_within(SOON).await.0.code(), Some(0));
}

#[tokio::test]
async fn a_killed_client_leaves_no_server_behind() {
    let mut client = Command::new(FIXTURE)
        .arg("client")
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .unwrap();
    let mut said = String::new();
    let mut output = BufReader::new(client.stdout.take().unwrap());
    output.read_line(&mut said).await.unwrap();
    assert_eq!(said, "the call runs\n");
    client.start_kill().unwrap();
    client.wait().await.unwrap();
    // The server has the client's standard error, which is at its end when the server is.
    let mut errors = String::new();
    let mut stderr = client.stderr.take().unwrap();
    timeout(SOON, stderr.read_to_string(&mut errors)).await.unwrap().unwrap();
    assert_eq!(errors, "printed after serving\n");
}

//! Bytes and lines.

use agent_mcp_tests::stdio::{HANDSHAKE, Process, call, ping, text};
use serde_json::json;

use super::{FIXTURE, fixture, fixture_with};

// B137.
#[tokio::test]
async fn stdio_561_line_ends_of_windows_are_read_and_not_written() {
    let mut server = Process::start(FIXTURE, &[]);
    let input = HANDSHAKE.to_owned() + &call(1, "echo", &json!({"text": "a\r\nb"})) + &ping(2);
    server.send(input.replace('\n', "\r\n")).await;
    // `message` refuses a line that ends in `\r\n`.
    assert_eq!(server.message().await["id"], 0);
    assert_eq!(text(&server.message().await), "a\r\nb");
    assert_eq!(server.message().await["id"], 2);
}

#[tokio::test]
async fn stdio_42d_a_byte_order_mark_is_ignored() {
    let mut server = Process::start(FIXTURE, &[]);
    server.send(format!("\u{feff}{HANDSHAKE}")).await;
    assert_eq!(server.message().await["result"]["serverInfo"]["name"], "fixture");
}

#[tokio::test]
async fn stdio_e06_blank_lines_and_bad_bytes() {
    let mut server = fixture().await;
    server.send(b"\n  \t \n\xFF\n").await;
    server.send(ping(1)).await;
    let bad = server.message().await;
    assert_eq!((&bad["id"], &bad["error"]["code"]), (&json!(null), &json!(-32700)));
    assert_eq!(server.message().await["id"], 1);
}

#[tokio::test]
async fn stdio_ef6_a_message_in_pieces() {
    let mut server = fixture().await;
    let request = call(2, "echo", &json!({"text": "größe 😀"}));
    // The cut is within a character.
    let (head, tail) = request.as_bytes().split_at(request.find('ö').unwrap() + 1);
    server.send(call(1, "slow", &json!({"ms": 50}))).await;
    server.send(head).await;
    assert_eq!(text(&server.message().await), "slept 50");
    server.send(tail).await;
    assert_eq!(text(&server.message().await), "größe 😀");
}

#[tokio::test]
async fn o45_a_line_that_is_too_long_is_answered_once() {
    let mut server = fixture_with(&["stdio_line=1000"]).await;
    for _ in 0..100 {
        server.send("x".repeat(10_000)).await;
    }
    server.send("\n".to_owned() + &ping(1)).await;
    let refused = server.message().await;
    assert_eq!((&refused["id"], &refused["error"]["code"]), (&json!(null), &json!(-32600)));
    assert!(refused["error"]["message"].as_str().unwrap().contains("`stdio_line`"), "{refused}");
    assert_eq!(server.message().await["id"], 1);
}

#[tokio::test]
async fn output_d78_a_result_with_line_breaks_is_one_line() {
    let mut server = fixture().await;
    server.send(call(1, "breaks", &json!({}))).await;
    let line = server.line().await.unwrap();
    let is_break = |c| matches!(c, '\r' | '\n' | '\u{85}' | '\u{2028}' | '\u{2029}');
    assert!(!line.trim_end_matches('\n').contains(is_break), "{line:?}");
    let message: serde_json::Value = serde_json::from_str(&line).unwrap();
    assert_eq!(text(&message), "a\nb\r\nc\u{2028}d\u{2029}e\u{85}f");
}

#[tokio::test]
async fn b139_a_client_may_write_everything_at_once() {
    let mut server = Process::start(FIXTURE, &[]);
    server.send(HANDSHAKE.to_owned() + &call(1, "echo", &json!({"text": "x"})) + &ping(2)).await;
    let ids = [server.message().await, server.message().await, server.message().await];
    assert_eq!(ids.map(|message| message["id"].clone()), [0, 1, 2]);
}

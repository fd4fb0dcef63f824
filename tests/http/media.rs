//! Forms of bodies and answers, and their size.

use std::{
    convert::Infallible,
    pin::Pin,
    task::{Context, Poll},
    time::Duration,
};

use bytes::Bytes;
use http_body::Frame;
use serde_json::json;

use crate::client::{MODERN, enveloped, message, modern, post, serve, serve_with};

const LIST: [(&str, &str); 2] = [("mcp-protocol-version", MODERN), ("mcp-method", "tools/list")];

// B148
#[tokio::test]
async fn http_19a_accept_header() {
    let client = serve().client;
    let body = enveloped("tools/list", json!({})).to_string();
    for accept in [
        "application/json, text/event-stream",
        "text/event-stream",
        "application/json",
        "*/*",
        "TEXT/Event-Stream;q=0.5, Application/JSON",
        "",
    ] {
        let answer = client.post(&[LIST[0], LIST[1], ("accept", accept)], body.clone()).await;
        assert_eq!(answer.status, 200, "{accept}");
        if accept == "text/event-stream" {
            assert_eq!(answer.header("content-type"), Some("text/event-stream"));
            assert_eq!(answer.header("x-accel-buffering"), Some("no"));
            let text = std::str::from_utf8(&answer.body).unwrap();
            let event = text.strip_prefix("data: ").unwrap().strip_suffix("\n\n").unwrap();
            let answer: serde_json::Value = serde_json::from_str(event).unwrap();
            assert!(answer["result"]["tools"].is_array());
        } else {
            assert!(answer.result()["tools"].is_array(), "{accept}");
        }
    }
    for accept in ["text/html", "application/jsonp", "image/*"] {
        let answer = client.post(&[LIST[0], LIST[1], ("accept", accept)], body.clone()).await;
        assert_eq!(answer.error(406), -32600, "{accept}");
    }
}

// B149
#[tokio::test]
async fn http_3bc_request_content_type() {
    let client = serve().client;
    let body = enveloped("tools/list", json!({})).to_string();
    for (content_type, status) in [
        ("application/json; charset=utf-8", 200),
        ("Application/JSON", 200),
        ("text/plain", 415),
        ("", 415),
        ("application/json-patch+json", 415),
    ] {
        let answer =
            client.post(&[LIST[0], LIST[1], ("content-type", content_type)], body.clone()).await;
        match status {
            200 => drop(answer.result()),
            _ => assert_eq!(answer.error(status), -32600, "{content_type}"),
        }
    }
}

#[tokio::test]
async fn http_9e3_body_too_large() {
    const MIB: usize = 1024 * 1024;
    let client = serve().client;
    let echo = json!({"name": "echo", "arguments": {"text": "x".repeat(MIB)}});
    let answer = client.modern("tools/call", echo).await.result();
    assert_eq!(answer["content"][0]["text"].as_str().unwrap().len(), MIB);

    let answer = client.post(&[], vec![b' '; 4 * MIB + 1]).await;
    assert_eq!(answer.error(413), -32600);
    assert!(answer.json()["error"]["message"].as_str().unwrap().contains("`http_body`"));
    // By what is announced, nothing is read at all.
    let announced = post(&[("content-length", "99999999999")], "");
    assert_eq!(client.send(announced.map(|_| Unending(usize::MAX))).await.error(413), -32600);
    // In chunks without a length, the rest is not read.
    let chunks = post(&[], "").map(|_| Unending(4 * MIB + MIB));
    assert_eq!(client.send(chunks).await.error(413), -32600);
    // Exactly the limit is no JSON, but not too large.
    assert_eq!(client.post(&[], vec![b' '; 4 * MIB]).await.error(400), -32700);
}

/// A body in chunks that panics when more than so many bytes of it are read.
struct Unending(usize);

impl http_body::Body for Unending {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        static CHUNK: [u8; 65536] = [b' '; 65536];
        assert_ne!(self.0, usize::MAX, "nothing of it is to be read");
        self.0 = self.0.checked_sub(CHUNK.len()).expect("the rest is not read");
        Poll::Ready(Some(Ok(Frame::data(Bytes::from_static(&CHUNK)))))
    }
}

/// A body that never comes.
struct Never;

impl http_body::Body for Never {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        self: Pin<&mut Self>,
        _cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        Poll::Pending
    }
}

#[tokio::test(start_paused = true)]
async fn a_body_that_does_not_come_is_not_waited_for() {
    let limited = |server: agent_mcp::Server| {
        server.limits(|limits| limits.http_read = Duration::from_secs(2))
    };
    let client = serve_with(limited, |http| http).client;
    let answer = client.send(post(&[], "").map(|_| Never)).await;
    assert_eq!(answer.error(408), -32600);
    client.send(modern("tools/list", json!({}))).await.result();
}

#[tokio::test]
async fn http_192_error_bodies() {
    let client = serve().client;
    let body = message(1, "tools/list", json!({})).to_string();
    for (headers, status) in [
        (("x", "y"), 400),
        (("host", "evil.example"), 403),
        (("accept", "text/html"), 406),
        (("content-type", "text/html"), 415),
    ] {
        let answer = client.post(&[headers], body.clone()).await;
        answer.error(status);
        assert!(!answer.json()["error"]["message"].as_str().unwrap().contains("evil"));
    }
}

//! Answers that are streams.

use std::{net::SocketAddr, time::Duration};

use agent_mcp::{Server, transport::http::Http};
use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    time::Instant,
};

use crate::{
    client::{enveloped, events, message, modern, post, serve, serve_with},
    desk::{Desk, Gate, shop},
    sessions::{open, with},
};

fn steps() -> Value {
    json!({"name": "steps", "_meta": {"progressToken": "t"}})
}

fn progress(events: &[Value]) -> Vec<&Value> {
    events.iter().map(|event| &event["params"]["progress"]).collect()
}

#[tokio::test]
async fn ses_9_what_a_call_says_comes_before_its_result() {
    let client = serve().client;
    let session = open(&client, &[]).await;
    let legacy = post(&with(&session, &[]), message(1, "tools/call", steps()).to_string());
    for request in [modern("tools/call", steps()), legacy] {
        let mut events = client.send(request).await.events();
        let result = events.pop().unwrap();
        assert_eq!(result["result"]["content"][0]["text"], "done");
        assert_eq!(progress(&events), [1, 2, 3]);
    }
    // Who reads documents only gets one.
    let mut request = modern("tools/call", steps());
    request.headers_mut().insert("accept", "application/json".parse().unwrap());
    let answer = client.send(request).await;
    assert_eq!(answer.header("content-type"), Some("application/json"));
    assert_eq!(answer.result()["content"][0]["text"], "done");
}

#[tokio::test]
async fn a_call_that_says_nothing_is_answered_with_a_document() {
    let client = serve().client;
    let answer = client.modern("tools/call", json!({"name": "count"})).await;
    assert_eq!(answer.header("content-type"), Some("application/json"));
    let always = serve_with(|server| server, Http::always_stream).client;
    for request in [modern("tools/call", json!({"name": "count"})), modern("tools/list", json!({}))]
    {
        assert_eq!(always.send(request).await.events().len(), 1);
    }
}

#[tokio::test(start_paused = true)]
async fn sse_682_keep_alive_on_a_post_stream() {
    let served = serve();
    let start = Instant::now();
    let mut reading = served.client.stream(modern("tools/call", json!({"name": "wait"}))).await;
    assert_eq!(start.elapsed().as_millis(), 250, "then the answer becomes a stream");
    let mut last = start;
    while start.elapsed() < Duration::from_secs(60) {
        assert_eq!(reading.next().await.unwrap(), ":\n\n");
        assert!(last.elapsed() <= Duration::from_millis(15_251), "{:?}", last.elapsed());
        last = Instant::now();
    }
    served.desk.gate.open.add_permits(1);
    let messages = reading.messages().await;
    assert_eq!(messages[0]["result"]["content"][0]["text"], "done");
    // HTTP-8.
    assert_eq!(reading.next().await, None);
}

#[tokio::test(start_paused = true)]
async fn cancel_175_a_stream_that_is_dropped_cancels() {
    let served = serve();
    let reading = served.client.stream(modern("tools/call", json!({"name": "wait"}))).await;
    assert_eq!(served.desk.gate.cancelled.available_permits(), 0);
    drop(reading);
    Gate::pass(&served.desk.gate.cancelled).await;
}

#[tokio::test(start_paused = true)]
async fn ses_10_a_stream_that_is_dropped_does_not_cancel_in_a_session() {
    let served = serve();
    let session = open(&served.client, &[]).await;
    let call = message(1, "tools/call", json!({"name": "wait"})).to_string();
    drop(served.client.stream(post(&with(&session, &[]), call)).await);
    served.desk.gate.open.add_permits(1);
    while served.desk.gate.open.available_permits() > 0 {
        tokio::task::yield_now().await;
    }
    assert_eq!(served.desk.gate.cancelled.available_permits(), 0);
}

#[tokio::test]
async fn who_reads_slowly_misses_notices_and_no_answer() {
    let limited = |server: Server| server.limits(|limits| limits.stream_messages = 2);
    let client = serve_with(limited, |http| http).client;
    let mut events = client.modern("tools/call", steps()).await.events();
    assert_eq!(events.pop().unwrap()["result"]["content"][0]["text"], "done");
    assert_eq!(progress(&events), [1, 2]);
    let limited = |server: Server| server.limits(|limits| limits.stream_bytes = 1);
    let client = serve_with(limited, |http| http).client;
    assert_eq!(client.modern("tools/call", steps()).await.events().len(), 2);
}

/// Sends a request over a connection of its own.
async fn connect(address: SocketAddr, method: &str, params: Value) -> TcpStream {
    let name = params["name"].as_str().unwrap_or_default().to_owned();
    let body = enveloped(method, params).to_string();
    let request = format!(
        "POST /mcp HTTP/1.1\r\nHost: {address}\r\nContent-Type: application/json\r\n\
         Accept: application/json, text/event-stream\r\nConnection: close\r\n\
         MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: {method}\r\nMcp-Name: {name}\r\n\
         Content-Length: {}\r\n\r\n{body}",
        body.len()
    );
    let mut socket = TcpStream::connect(address).await.unwrap();
    socket.write_all(request.as_bytes()).await.unwrap();
    socket
}

/// All that comes until the connection ends.
async fn rest(mut socket: TcpStream) -> String {
    let mut rest = String::new();
    socket.read_to_string(&mut rest).await.unwrap();
    rest
}

#[tokio::test]
async fn a_stream_on_a_real_socket() {
    let listening =
        Server::bind(Desk::default(), shop()).http().listen("127.0.0.1:0").await.unwrap();
    let (address, closer) = (listening.address().unwrap(), listening.closer());
    let serving = tokio::spawn(listening.serve());
    let answer = rest(connect(address, "tools/call", steps()).await).await;
    let (head, chunks) = answer.split_once("\r\n\r\n").unwrap();
    let head = head.to_ascii_lowercase();
    assert!(head.starts_with("http/1.1 200 "), "{head}");
    assert!(head.contains("\r\ncontent-type: text/event-stream\r\n"), "{head}");
    // The lines of the chunks between the frames are taken out.
    let frames: String = chunks.split("\r\n").filter(|part| part.contains("\n\n")).collect();
    assert_eq!(events(&frames).len(), 4);
    closer.close();
    closer.close();
    serving.await.unwrap().unwrap();
}

#[tokio::test]
async fn closing_ends_streams_and_lets_calls_come_to_their_end() {
    let desk = Desk::default();
    let http = Server::bind(desk.clone(), shop()).http();
    let listening = http.listen("127.0.0.1:0").await.unwrap();
    let (address, closer) = (listening.address().unwrap(), listening.closer());
    let serving = tokio::spawn(listening.serve());
    let filter = json!({"notifications": {"toolsListChanged": true}});
    let mut stream = connect(address, "subscriptions/listen", filter).await;
    // It is open as soon as anything of it is here.
    stream.read_u8().await.unwrap();
    let call = connect(address, "tools/call", json!({"name": "wait"})).await;
    Gate::pass(&desk.gate.begun).await;
    closer.close();
    assert!(rest(stream).await.contains("\"resultType\":\"complete\""), "streams end at once");
    assert!(TcpStream::connect(address).await.is_err(), "nobody listens any more");
    desk.gate.open.add_permits(1);
    assert!(rest(call).await.contains("done"));
    serving.await.unwrap().unwrap();
}

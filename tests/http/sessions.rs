//! Sessions: the legacy era.

use std::{pin::pin, time::Duration};

use agent_mcp::{Server, transport::http::Endpoint};
use http::Method;
use serde_json::{Value, json};

use crate::{
    client::{Answer, Client, enveloped, message, modern, request, serve, serve_with},
    desk::{Desk, Gate, shop},
    identity::office,
};

const LEGACY: [&str; 3] = ["2025-03-26", "2025-06-18", "2025-11-25"];

pub(crate) fn initialize(revision: &str) -> String {
    let info = json!({"name": "test", "version": "1"});
    let params = json!({"protocolVersion": revision, "capabilities": {}, "clientInfo": info});
    message(0, "initialize", params).to_string()
}

/// Opens a session and says that the client is ready.
pub(crate) async fn open(client: &Client, headers: &[(&str, &str)]) -> String {
    let answer = client.post(headers, initialize("2025-11-25")).await;
    assert_eq!(answer.result()["protocolVersion"], "2025-11-25");
    let id = answer.header("mcp-session-id").unwrap().to_owned();
    let ready = json!({"jsonrpc": "2.0", "method": "notifications/initialized"}).to_string();
    let answer = client.post(&with(&id, headers), ready).await;
    assert_eq!((answer.status.as_u16(), answer.body.len()), (202, 0));
    id
}

pub(crate) fn with<'a>(id: &'a str, headers: &[(&'a str, &'a str)]) -> Vec<(&'a str, &'a str)> {
    headers.iter().copied().chain([("mcp-session-id", id)]).collect()
}

pub(crate) fn call(id: i64, tool: &str) -> String {
    message(id, "tools/call", json!({ "name": tool })).to_string()
}

pub(crate) fn text(answer: &Answer) -> Value {
    answer.result()["content"][0]["text"].clone()
}

pub(crate) const LIST: &str = r#"{"jsonrpc":"2.0","id":7,"method":"tools/list"}"#;

#[tokio::test]
async fn b150_a_handshake_opens_a_session() {
    let client = serve().client;
    let mut seen = Vec::new();
    for revision in LEGACY {
        let answer = client.post(&[], initialize(revision)).await;
        assert_eq!(answer.result()["protocolVersion"], revision);
        let id = answer.header("mcp-session-id").unwrap().to_owned();
        assert!(id.len() >= 32 && id.bytes().all(|byte| (0x21..=0x7e).contains(&byte)));
        assert!(!seen.contains(&id));
        assert_eq!(text(&client.post(&with(&id, &[]), call(1, "count")).await), "42");
        // SES-17: what the modern era says in headers means nothing here.
        let strange = [("mcp-method", "nonsense"), ("mcp-name", "=?base64?!?=")];
        assert_eq!(text(&client.post(&with(&id, &strange), call(1, "count")).await), "42");
        // An enveloped request stays modern, whatever the session.
        let mut request = modern("tools/list", json!({}));
        request.headers_mut().insert("mcp-session-id", id.parse().unwrap());
        assert_eq!(client.send(request).await.result()["resultType"], "complete");
        seen.push(id);
    }
}

// B146
#[tokio::test]
async fn lifecycle_104_revision_header_on_initialize_and_later() {
    let client = serve().client;
    let answer =
        client.post(&[("mcp-protocol-version", "2099-01-01")], initialize("2025-11-25")).await;
    let id = answer.header("mcp-session-id").unwrap().to_owned();
    for unknown in ["2099-01-01", "garbage", "2025-11-25 x"] {
        let answer = client.post(&with(&id, &[("mcp-protocol-version", unknown)]), LIST).await;
        assert_eq!(answer.error(400), -32600, "{unknown}");
    }
    // SES-16: any that is served, and none.
    for known in ["", "2025-11-25", "2025-03-26", "2024-11-05"] {
        let answer = client.post(&with(&id, &[("mcp-protocol-version", known)]), LIST).await;
        assert!(answer.result()["tools"].is_array(), "{known}");
    }
    // VER-12: this one says that it has an envelope.
    let answer = client.post(&with(&id, &[("mcp-protocol-version", "2026-07-28")]), LIST).await;
    assert_eq!(answer.error(400), -32602);
}

#[tokio::test]
async fn ver_12_a_bare_handshake_is_legacy_whatever_its_headers_say() {
    let client = serve().client;
    let headers = [("mcp-protocol-version", "2026-07-28"), ("mcp-method", "initialize")];
    let answer = client.post(&headers, initialize("2025-06-18")).await;
    assert_eq!(answer.result()["protocolVersion"], "2025-06-18");
    assert!(answer.header("mcp-session-id").is_some());
}

#[tokio::test]
async fn ses_18_the_transport_before_sessions_is_not_there() {
    let client = Client::of(Server::bind(Desk::default(), shop()).http());
    for path in ["/sse", "/messages", "/message"] {
        for method in [Method::GET, Method::POST] {
            let mut request = request(method, &[("accept", "text/event-stream")], "");
            *request.uri_mut() = path.parse().unwrap();
            assert_eq!(client.send(request).await.status, 404, "{path}");
        }
    }
    // Its revision is spoken, in a session like any other.
    let answer = client.post(&[], initialize("2024-11-05")).await;
    assert_eq!(answer.result()["protocolVersion"], "2024-11-05");
}

#[tokio::test]
async fn session_77a_unknown_session() {
    let client = serve().client;
    let answer = client.post(&with("6c7e5d3a0f1b4b6f8f3f0d9f5a1c2e4d", &[]), LIST).await;
    assert_eq!(answer.error(404), -32600);
    assert_eq!(answer.json()["id"], 7);
    assert_eq!(client.post(&[], LIST).await.error(400), -32600);
    for ready in [r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#, "[]"] {
        assert_eq!(client.post(&[], ready).await.error(400), -32600);
        assert_eq!(client.post(&with("gone", &[]), ready).await.error(404), -32600);
    }
    // O26.
    assert_eq!(client.send(request(Method::DELETE, &[], "")).await.error(400), -32600);
}

#[tokio::test]
async fn session_95c_initialize_with_an_old_session_id() {
    let client = serve().client;
    let answer = client.post(&with("dead", &[]), initialize("2025-11-25")).await;
    answer.result();
    assert_ne!(answer.header("mcp-session-id"), Some("dead"));
    // O28: a living session is not shaken hands with again; this is another one.
    let id = answer.header("mcp-session-id").unwrap().to_owned();
    let again = client.post(&with(&id, &[]), initialize("2025-03-26")).await;
    assert_ne!(again.header("mcp-session-id"), Some(&*id));
}

#[tokio::test]
async fn b156_delete_ends_a_session() {
    let served = serve();
    let id = open(&served.client, &[]).await;
    let delete = || served.client.send(request(Method::DELETE, &with(&id, &[]), ""));
    let headers = with(&id, &[]);
    let mut waiting = pin!(served.client.post(&headers, call(1, "wait")));
    tokio::select! {
        biased;
        _ = &mut waiting => panic!("it waits"),
        () = Gate::pass(&served.desk.gate.begun) => {}
    }
    let answer = delete().await;
    assert_eq!((answer.status.as_u16(), answer.body.len()), (204, 0));
    // What runs is cancelled, and answered: somebody waits for it.
    assert_eq!(waiting.await.result()["isError"], true);
    Gate::pass(&served.desk.gate.cancelled).await;
    assert_eq!(delete().await.error(404), -32600);
    assert_eq!(served.client.post(&headers, LIST).await.error(404), -32600);
}

#[tokio::test]
async fn http_dd4_what_a_server_with_sessions_offers() {
    let client = serve().client;
    let answer = client.send(request(Method::PUT, &[], "")).await;
    assert_eq!(answer.error(405), -32600);
    assert_eq!(answer.header("allow"), Some("GET, POST, DELETE"));
}

#[tokio::test]
async fn jsonrpc_eaf_one_id_twice_in_flight_one_session_over_http() {
    let served = serve();
    let id = open(&served.client, &[]).await;
    let headers = with(&id, &[]);
    let mut slow = pin!(served.client.post(&headers, call(1, "wait")));
    tokio::select! {
        biased;
        _ = &mut slow => panic!("it waits"),
        () = Gate::pass(&served.desk.gate.begun) => {}
    }
    assert_eq!(text(&served.client.post(&headers, call(1, "count")).await), "42");
    served.desk.gate.open.add_permits(1);
    assert_eq!(text(&slow.await), "done");
}

#[tokio::test]
async fn a_cancelled_call_is_answered_because_its_post_waits() {
    let served = serve();
    let id = open(&served.client, &[]).await;
    let headers = with(&id, &[]);
    let mut call = pin!(served.client.post(&headers, call(5, "wait")));
    tokio::select! {
        biased;
        _ = &mut call => panic!("it waits"),
        () = Gate::pass(&served.desk.gate.begun) => {}
    }
    let cancel =
        json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 5}});
    assert_eq!(served.client.post(&headers, cancel.to_string()).await.status, 202);
    let result = call.await.result();
    assert_eq!(result["isError"], true);
    assert_eq!(result["_meta"]["agent-mcp/outcome"]["status"], "cancelled");
}

#[tokio::test]
async fn cancel_175_a_lost_connection_does_not_cancel_in_a_session() {
    let served = serve();
    let id = open(&served.client, &[]).await;
    let (client, headers) = (served.client.clone(), id.clone());
    let lost = tokio::spawn(async move {
        client.post(&with(&headers, &[]), call(1, "wait")).await;
    });
    Gate::pass(&served.desk.gate.begun).await;
    lost.abort();
    assert!(lost.await.unwrap_err().is_cancelled());
    // It still holds its permit: the next one begins and ends by its own.
    served.desk.gate.open.add_permits(1);
    while served.desk.gate.open.available_permits() > 0 {
        tokio::task::yield_now().await;
    }
    assert_eq!(served.desk.gate.cancelled.available_permits(), 0);
}

fn endpoint(change: impl FnOnce(&mut agent_mcp::Limits)) -> (Endpoint<()>, Client) {
    let server = Server::bind(Desk::default(), shop()).limits(change);
    let endpoint = server.http().into_service().unwrap();
    (endpoint.clone(), Client(axum::Router::new().fallback_service(endpoint)))
}

#[tokio::test(start_paused = true)]
async fn session_c87_abandoned_sessions() {
    let idle = Duration::from_secs(1);
    let (endpoint, client) = endpoint(|limits| limits.session_idle = idle);
    let mut ids = Vec::new();
    for _ in 0..1_000 {
        let answer = client.post(&[], initialize("2025-11-25")).await;
        ids.push(answer.header("mcp-session-id").unwrap().to_owned());
    }
    assert_eq!(endpoint.sessions(), 1_000);
    let headers = with(&ids[0], &[]);
    let mut call = pin!(client.post(&headers, call(1, "wait")));
    let late = tokio::time::sleep(idle * 2);
    tokio::select! {
        _ = &mut call => panic!("it waits"),
        () = late => {}
    }
    // A session with a running call is not idle.
    assert_eq!(endpoint.sessions(), 1);
    for id in &ids[1..] {
        assert_eq!(client.post(&with(id, &[]), LIST).await.error(404), -32600);
    }
    client.post(&headers, LIST).await.result();
}

#[tokio::test(start_paused = true)]
async fn b155_a_session_that_is_over_is_unknown_at_once() {
    let idle = Duration::from_secs(16);
    let (endpoint, client) = endpoint(|limits| limits.session_idle = idle);
    let first = open(&client, &[]).await;
    tokio::time::advance(idle - Duration::from_millis(1)).await;
    client.post(&with(&first, &[]), LIST).await.result();
    tokio::time::advance(idle).await;
    assert_eq!(client.post(&with(&first, &[]), LIST).await.error(404), -32600);
    assert_eq!(endpoint.sessions(), 0);
    // After all are gone, the next one is swept too.
    tokio::time::sleep(idle * 2).await;
    open(&client, &[]).await;
    tokio::time::sleep(idle * 2).await;
    assert_eq!(endpoint.sessions(), 0);
}

#[tokio::test]
async fn session_142_half_open_sessions() {
    let (endpoint, client) = endpoint(|_| {});
    let discover = enveloped("server/discover", json!({})).to_string();
    let modern = [("mcp-protocol-version", "2026-07-28"), ("mcp-method", "server/discover")];
    let broken = message(1, "initialize", json!({})).to_string();
    let cut = &initialize("2025-11-25")[..40];
    for _ in 0..250 {
        client.post(&[], LIST).await.error(400);
        client.post(&[], cut.to_owned()).await.error(400);
        client.post(&[], broken.clone()).await.error(400);
        client.post(&modern, discover.clone()).await.result();
        client
            .post(&[("origin", "https://evil.example")], initialize("2025-11-25"))
            .await
            .error(403);
    }
    assert_eq!(endpoint.sessions(), 0);
}

#[tokio::test]
async fn sessions_are_limited() {
    let limited = |server: Server| server.limits(|limits| limits.sessions = 2);
    let client = serve_with(limited, |http| http).client;
    let first = open(&client, &[]).await;
    open(&client, &[]).await;
    let third = client.post(&[], initialize("2025-11-25")).await;
    assert_eq!(third.error(429), -32600);
    assert!(third.json()["error"]["message"].as_str().unwrap().contains("`sessions`"));
    assert!(third.header("retry-after").is_some() && third.header("mcp-session-id").is_none());
    client.send(request(Method::DELETE, &with(&first, &[]), "")).await;
    open(&client, &[]).await;
}

const ADA: [(&str, &str); 1] = [("authorization", "Bearer token-of-ada")];
const BOB: [(&str, &str); 1] = [("authorization", "Bearer token-of-bob")];

#[tokio::test]
async fn sessions_of_one_caller_are_limited() {
    let client = office(|limits| limits.sessions_per_principal = 1);
    open(&client, &ADA).await;
    let second = client.post(&ADA, initialize("2025-11-25")).await;
    assert_eq!(second.error(429), -32600);
    open(&client, &BOB).await;
}

#[tokio::test]
async fn session_3ac_someone_elses_session() {
    let client = office(|_| {});
    let id = open(&client, &ADA).await;
    let unknown = client.post(&with("unknown", &BOB), LIST).await;
    let foreign = client.post(&with(&id, &BOB), LIST).await;
    assert_eq!((foreign.status, &foreign.body), (unknown.status, &unknown.body));
    assert_eq!(foreign.error(404), -32600);
    let delete = client.send(request(Method::DELETE, &with(&id, &BOB), "")).await;
    assert_eq!(delete.error(404), -32600);
    assert_eq!(text(&client.post(&with(&id, &ADA), call(1, "who")).await), "ada");
}

#[tokio::test(start_paused = true)]
async fn b152_a_stranger_does_not_keep_a_session_alive() {
    let idle = Duration::from_secs(16);
    let client = office(|limits| limits.session_idle = idle);
    let id = open(&client, &ADA).await;
    tokio::time::advance(idle / 2).await;
    client.post(&with(&id, &BOB), LIST).await.error(404);
    tokio::time::advance(idle / 2).await;
    client.post(&with(&id, &ADA), LIST).await.error(404);
}

// B153
#[tokio::test]
async fn session_24b_renewed_token() {
    let client = office(|_| {});
    let id = open(&client, &ADA).await;
    let renewed = [("authorization", "Bearer token-of-ada-2")];
    assert_eq!(text(&client.post(&with(&id, &renewed), call(1, "who")).await), "ada");
    let elsewhere = [("authorization", "Bearer token-of-ada@other")];
    assert_eq!(client.post(&with(&id, &elsewhere), LIST).await.error(404), -32600);
}

// O45: a batch is no way around the limit.
#[tokio::test]
async fn the_members_of_a_batch_are_calls_in_flight_one_by_one() {
    let served =
        serve_with(|server| server.limits(|limits| limits.calls_in_flight = 2), |http| http);
    let client = served.client;
    let id = client.post(&[], initialize("2025-03-26")).await;
    let id = id.header("mcp-session-id").unwrap().to_owned();
    let batch = |ids: std::ops::Range<i64>| {
        let calls: Vec<_> = ids.map(|id| call(id, "count")).collect();
        format!("[{}]", calls.join(","))
    };
    let refused = client.post(&with(&id, &[]), batch(1..4)).await;
    assert_eq!(refused.status.as_u16(), 429);
    let refused = refused.json();
    assert_eq!(refused.as_array().unwrap().len(), 3);
    for member in refused.as_array().unwrap() {
        assert!(member["error"]["message"].as_str().unwrap().contains("`calls_in_flight`"));
    }
    let taken = client.post(&with(&id, &[]), batch(1..3)).await.json();
    assert_eq!((&taken[0]["id"], &taken[1]["id"]), (&json!(1), &json!(2)));
    assert!(taken[1]["result"].is_object(), "{taken}");
    let again = client.post(&with(&id, &[]), batch(5..7)).await.json();
    assert!(again[1]["result"].is_object(), "the places are given back: {again}");
}

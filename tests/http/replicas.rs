//! Several servers that stand for each other.

use std::pin::pin;

use agent_mcp::{
    Server, Store,
    transport::http::{Http, MemoryStore},
};
use http::Method;
use serde_json::{Value, json};

use crate::{
    client::{Answer, Client, message, post, request, serve_with},
    desk::{Desk, Gate, Message, Shop, shop},
    sessions::{LIST, call, initialize, open, text, with},
};

struct Twins {
    store: MemoryStore,
    one: Client,
    other: Client,
    desk: Desk,
    shop: Store<Shop, Message>,
}

/// Two servers of one application over one store.
fn twins() -> Twins {
    let (store, desk, shop) = (MemoryStore::new(), Desk::default(), shop());
    let serve = || {
        let server = Server::bind(desk.clone(), shop.clone()).http();
        Client::of(server.sessions(store.clone()))
    };
    Twins {
        one: serve(),
        other: serve(),
        store: store.clone(),
        desk: desk.clone(),
        shop: shop.clone(),
    }
}

#[tokio::test]
async fn session_43e_two_replicas() {
    let twins = twins();
    let params = json!({
        "protocolVersion": "2025-06-18",
        "capabilities": {"roots": {}},
        "clientInfo": {"name": "roamer", "version": "1"},
    });
    let answer = twins.one.post(&[], message(0, "initialize", params).to_string()).await;
    let id = answer.header("mcp-session-id").unwrap().to_owned();
    let headers = with(&id, &[]);
    let who = r#"Some("roamer") Some("2025-06-18") {"roots":{}}"#;
    for server in [&twins.other, &twins.one, &twins.other] {
        assert_eq!(text(&server.post(&headers, call(1, "who")).await), who);
    }
    // What is set at one holds at the other (LOG-2).
    let level = message(2, "logging/setLevel", json!({"level": "error"})).to_string();
    twins.one.post(&headers, level).await.result();
    assert_eq!(logged(&twins.other.post(&headers, call(1, "chatty")).await), ["error"]);
    assert_eq!(twins.store.sessions(), 1);
    // It ends at both.
    let delete = || request(Method::DELETE, &headers, "");
    assert_eq!(twins.other.send(delete()).await.status, 204);
    for server in [&twins.one, &twins.other] {
        assert_eq!(server.post(&headers, LIST).await.error(404), -32600);
    }
    assert_eq!(twins.one.send(delete()).await.error(404), -32600);
    assert_eq!(twins.store.sessions(), 0);
}

/// What a call has logged.
fn logged(answer: &Answer) -> Vec<String> {
    let data = |event: Value| event["params"]["data"].as_str().map(ToOwned::to_owned);
    answer.events().into_iter().filter_map(data).collect()
}

#[tokio::test]
async fn session_43e_what_is_set_before_a_server_sees_the_session() {
    let twins = twins();
    let id = open(&twins.one, &[]).await;
    let headers = with(&id, &[]);
    let level = message(2, "logging/setLevel", json!({"level": "error"})).to_string();
    twins.one.post(&headers, level).await.result();
    assert_eq!(logged(&twins.other.post(&headers, call(1, "chatty")).await), ["error"]);
}

#[tokio::test]
async fn session_43e_a_cancellation_reaches_the_server_that_runs_the_call() {
    let twins = twins();
    let id = open(&twins.one, &[]).await;
    let headers = with(&id, &[]);
    let mut waiting = pin!(twins.one.post(&headers, call(5, "wait")));
    tokio::select! {
        biased;
        _ = &mut waiting => panic!("it waits"),
        () = Gate::pass(&twins.desk.gate.begun) => {}
    }
    let params = json!({"requestId": 5});
    let cancel = json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": params});
    assert_eq!(twins.other.post(&headers, cancel.to_string()).await.status, 202);
    assert_eq!(waiting.await.result()["isError"], true);
}

#[tokio::test]
async fn session_43e_a_stream_goes_on_at_the_other_server() {
    let twins = twins();
    let id = open(&twins.one, &[]).await;
    let headers = with(&id, &[]);
    let mut stream = twins.one.stream(post(&headers, call(1, "wait"))).await;
    let first = crate::client::frames(&stream.next().await.unwrap());
    drop(stream);
    twins.desk.gate.open.add_permits(1);
    let last =
        [("last-event-id", first[0].id.as_deref().unwrap()), ("accept", "text/event-stream")];
    let mut resumed = twins.other.stream(request(Method::GET, &with(&id, &last), "")).await;
    let rest = resumed.rest().await;
    assert_eq!(rest.len(), 1, "{rest:?}");
    // A change is told on a stream at the other, whoever was asked for the list.
    twins.one.post(&headers, LIST).await.result();
    let accept = [("accept", "text/event-stream")];
    let mut stream = twins.other.stream(request(Method::GET, &with(&id, &accept), "")).await;
    stream.next().await.unwrap();
    twins.shop.send(Message::Open(false)).unwrap();
    assert_eq!(stream.messages().await[0]["method"], "notifications/tools/list_changed");
}

#[tokio::test]
async fn session_43e_stateless_mode() {
    let servers = [serve_with(|it| it, Http::stateless), serve_with(|it| it, Http::stateless)];
    let [one, other] = [&servers[0].client, &servers[1].client];
    let answer = one.post(&[], initialize("2025-06-18")).await;
    assert_eq!(answer.header("mcp-session-id"), None);
    let welcome = answer.result();
    assert_eq!(welcome["protocolVersion"], "2025-06-18");
    // Nobody could tell it of changes.
    assert_eq!(welcome["capabilities"]["tools"], json!({}));
    let ready = json!({"jsonrpc": "2.0", "method": "notifications/initialized"}).to_string();
    assert_eq!(other.post(&[], ready).await.status, 202);
    for (revision, structured) in [("2025-06-18", true), ("2025-11-25", true), ("", false)] {
        let headers = [("mcp-protocol-version", revision), ("mcp-session-id", "ignored")];
        let answer = other.post(&headers, call(1, "card")).await.result();
        // SES-16: who says nothing speaks 2025-03-26.
        assert_eq!(answer.get("structuredContent").is_some(), structured, "{revision}");
    }
    let answer = one.post(&[("mcp-protocol-version", "2099-01-01")], LIST).await;
    assert_eq!(answer.error(400), -32600);
    // http-dd4.
    for method in [Method::GET, Method::DELETE] {
        let answer = one.send(request(method, &[], "")).await;
        assert_eq!(answer.error(405), -32600);
        assert_eq!(answer.header("allow"), Some("POST"));
    }
    // What a call says still comes on its own stream, without ids that nobody could use.
    let steps = json!({"name": "steps", "_meta": {"progressToken": "t"}});
    let headers = [("mcp-protocol-version", "2025-11-25")];
    let answer = one.post(&headers, message(1, "tools/call", steps).to_string()).await;
    assert_eq!(answer.events().len(), 4);
    assert!(!std::str::from_utf8(&answer.body).unwrap().contains("id: "));
    assert_eq!(servers[0].endpoint.sessions(), 0);
    // The modern revision is served as ever.
    one.modern("tools/list", json!({})).await.result();
}

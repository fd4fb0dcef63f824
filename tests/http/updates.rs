//! Subscriptions to resources, over sessions and over streams of their own (RES-10, SUB-3).

use agent_mcp::{Server, transport::http::MemoryStore};
use http::Method;
use serde_json::{Value, json};

use crate::{
    client::{Client, Reading, message, modern, request, serve, serve_with},
    desk::{Desk, Message, shop},
    sessions::{open, with},
};

const CARD: &str = "app://context";

async fn subscribe(client: &Client, headers: &[(&str, &str)], method: &str) {
    let asked = message(7, &format!("resources/{method}"), json!({ "uri": CARD }));
    assert_eq!(client.post(headers, asked.to_string()).await.result(), json!({}));
}

async fn standing(client: &Client, id: &str, more: &[(&str, &str)]) -> Reading {
    let headers = [&[("accept", "text/event-stream")], more].concat();
    client.stream(request(Method::GET, &with(id, &headers), "")).await
}

fn updated() -> Value {
    json!({"jsonrpc": "2.0", "method": "notifications/resources/updated", "params": {"uri": CARD}})
}

#[tokio::test(start_paused = true)]
async fn res_10_a_session_is_told_on_its_stream() {
    let served = serve();
    let id = open(&served.client, &[]).await;
    let headers = with(&id, &[]);
    let mut stream = standing(&served.client, &id, &[]).await;
    subscribe(&served.client, &headers, "subscribe").await;
    // Many changes are one, and one that changes nothing is none.
    for lamps in [1, 2, 3] {
        served.shop.send(Message::Lamps(lamps)).unwrap();
    }
    assert_eq!(stream.messages().await, [updated()]);
    served.shop.send(Message::Lamps(3)).unwrap();
    served.shop.send(Message::Lamps(4)).unwrap();
    assert_eq!(stream.messages().await, [updated()]);
    // What changes while nobody reads is told to who comes next.
    drop(stream);
    tokio::task::yield_now().await;
    served.shop.send(Message::Lamps(5)).unwrap();
    let mut stream = standing(&served.client, &id, &[]).await;
    assert_eq!(stream.messages().await, [updated()]);

    subscribe(&served.client, &headers, "unsubscribe").await;
    served.shop.send(Message::Lamps(6)).unwrap();
    // A comment to keep it alive is all that comes.
    assert_eq!(stream.next().await.unwrap(), ":\n\n");
}

#[tokio::test(start_paused = true)]
async fn res_10_a_subscription_is_known_to_all_servers_of_its_session() {
    let (store, desk, shop) = (MemoryStore::new(), Desk::default(), shop());
    let serve = || {
        let server = Server::bind(desk.clone(), shop.clone()).http();
        Client::of(server.sessions(store.clone()))
    };
    let (one, other) = (serve(), serve());
    let id = open(&one, &[]).await;
    let headers = with(&id, &[]);
    // One server is asked before the other has seen the session, and the other tells.
    subscribe(&one, &headers, "subscribe").await;
    let mut stream = standing(&other, &id, &[]).await;
    // It cannot know what the client has seen, and so tells of everything once.
    let first = [stream.messages().await, stream.messages().await].concat();
    assert_eq!(first[0]["method"], "notifications/tools/list_changed");
    assert_eq!(first[1..], [updated()]);
    shop.send(Message::Lamps(1)).unwrap();
    assert_eq!(stream.messages().await, [updated()]);
    // It is taken back at one, and the other, which has seen the session, tells no more.
    subscribe(&one, &headers, "unsubscribe").await;
    shop.send(Message::Lamps(2)).unwrap();
    assert_eq!(stream.next().await.unwrap(), ":\n\n");
    subscribe(&one, &headers, "subscribe").await;
    shop.send(Message::Lamps(3)).unwrap();
    assert_eq!(stream.messages().await, [updated()]);
}

#[tokio::test(start_paused = true)]
async fn sub_3_a_stream_is_told_of_what_it_names() {
    let served = serve();
    let filter = |uri: &str| json!({"notifications": {"resourceSubscriptions": [uri]}});
    let mut stream = served.client.stream(modern("subscriptions/listen", filter(CARD))).await;
    let mut other =
        served.client.stream(modern("subscriptions/listen", filter("app://note"))).await;
    for (stream, uri) in [(&mut stream, CARD), (&mut other, "app://note")] {
        let first = stream.messages().await;
        assert_eq!(first[0]["method"], "notifications/subscriptions/acknowledged");
        let honoured = &first[0]["params"]["notifications"];
        assert_eq!(*honoured, json!({ "resourceSubscriptions": [uri] }));
    }
    served.shop.send(Message::Lamps(1)).unwrap();
    let told = stream.messages().await;
    assert_eq!(told[0]["method"], "notifications/resources/updated");
    assert_eq!(told[0]["params"]["uri"], CARD);
    assert_eq!(told[0]["params"]["_meta"]["io.modelcontextprotocol/subscriptionId"], 1);
    served.endpoint.close();
    assert!(stream.messages().await[0]["result"].is_object());
    assert!(other.messages().await[0]["result"].is_object(), "nothing else was told");
}

#[tokio::test]
async fn without_a_window_an_update_is_told_soon() {
    let at_once =
        |server: Server| server.limits(|limits| limits.debounce = std::time::Duration::ZERO);
    let served = serve_with(at_once, |http| http);
    let id = open(&served.client, &[]).await;
    let mut stream = standing(&served.client, &id, &[]).await;
    subscribe(&served.client, &with(&id, &[]), "subscribe").await;
    let shop = served.shop.clone();
    // A host tells of changes from any thread.
    std::thread::spawn(move || shop.send(Message::Lamps(9)).unwrap()).join().unwrap();
    assert_eq!(stream.messages().await, [updated()]);
}

#[tokio::test]
async fn ver_20_without_a_stream_nobody_subscribes() {
    let client = serve_with(|it| it, agent_mcp::transport::http::Http::stateless).client;
    let asked = message(7, "resources/subscribe", json!({ "uri": CARD })).to_string();
    let answer = client.post(&[("mcp-protocol-version", "2025-06-18")], asked).await;
    assert_eq!(answer.json()["error"]["code"], -32601);
}

//! Lists that change (B129 to B133, SUB-*, dynamic-18d).

use std::sync::{Arc, Mutex};

use agent_mcp::{
    Server, Store, agent,
    mcp::{Exchange, Received},
};
use serde_json::{Value, json};

use crate::{
    client::{Client, LEGACY, MODERN, envelope, initialize, request, start},
    desk::{Message, Served, plain, serve, serve_with},
};

const CHANGED: &str = "notifications/tools/list_changed";
const ID: &str = "io.modelcontextprotocol/subscriptionId";

fn open(served: &Served, open: bool) {
    served.shop.send(Message::Open(open)).unwrap();
}

fn listen(client: &Client, id: Value, filter: Value) -> Exchange {
    let request =
        request(id, "subscriptions/listen", json!({"_meta": envelope(), "notifications": filter}));
    match client.receive(&request) {
        Received::Call(exchange) => exchange,
        other => panic!("not a stream: {other:?}"),
    }
}

#[tokio::test]
async fn b129_only_a_changed_set_is_announced() {
    let served = serve();
    for revision in LEGACY {
        let client = Client::at(&served.handler, revision);
        client.tools().await;
        for lamps in 0..20 {
            served.shop.send(Message::Lamps(lamps)).unwrap();
            client.connection.announce_changes();
        }
        assert!(client.heard().is_empty(), "twenty Models with one set");
        open(&served, false);
        client.connection.announce_changes();
        client.connection.announce_changes();
        assert_eq!(client.heard(), [json!({"jsonrpc": "2.0", "method": CHANGED})]);
        open(&served, true);
        open(&served, false);
        client.connection.announce_changes();
        assert!(client.heard().is_empty(), "a flap that came back");
        open(&served, true);
        client.connection.announce_changes();
        assert_eq!(client.heard().len(), 1);
    }
}

#[tokio::test]
async fn b130_what_was_fetched_is_not_announced() {
    let served = serve();
    let client = Client::at(&served.handler, "2025-11-25");
    client.tools().await;
    open(&served, false);
    client.tools().await;
    client.connection.announce_changes();
    assert!(client.heard().is_empty());
}

#[tokio::test]
async fn o16_only_a_client_that_is_ready_and_has_listed_is_told() {
    let served = serve();
    let client = Client::new(&served.handler);
    client.reply(&initialize("2025-11-25"));
    assert!(!client.connection.wants_changes());
    client.tools().await;
    assert!(!client.connection.wants_changes(), "not ready");
    open(&served, false);
    client.connection.announce_changes();
    assert!(client.heard().is_empty());
    client.notify("notifications/initialized", json!({}));
    assert!(client.connection.wants_changes());
    assert_eq!(client.heard().len(), 1, "what changed between an early list and readiness");

    let silent = Client::at(&served.handler, "2025-11-25");
    open(&served, true);
    silent.connection.announce_changes();
    assert!(!silent.connection.wants_changes() && silent.heard().is_empty(), "never listed");
}

#[tokio::test]
async fn dynamic_18d_claiming_the_ability() {
    let claim = |answer: Value| answer["result"]["capabilities"]["tools"].clone();
    let fixed = plain();
    assert_eq!(claim(Client::new(&fixed).reply(&initialize("2025-11-25"))), json!({}));
    let dynamic = serve().handler;
    let claimed = claim(Client::new(&dynamic).reply(&initialize("2025-11-25")));
    assert_eq!(claimed, json!({"listChanged": true}));

    let client = Client::at(&fixed, "2025-11-25");
    client.tools().await;
    assert!(!client.connection.wants_changes());
    client.connection.announce_changes();
    assert!(client.heard().is_empty());
    let modern = Client::at(&fixed, MODERN);
    let listen = modern.error("subscriptions/listen", json!({"notifications": {}})).await;
    assert_eq!(listen["code"], -32601, "SUB-9");
}

#[tokio::test]
async fn b133_close_ends_announcements() {
    let served = serve();
    let client = Client::at(&served.handler, "2025-11-25");
    client.tools().await;
    client.connection.close();
    open(&served, false);
    client.connection.announce_changes();
    assert!(client.heard().is_empty());
    assert!(!client.connection.wants_changes());
}

#[tokio::test]
async fn sub_1_to_3_a_stream_is_acknowledged_and_told() {
    let served = serve();
    let client = Client::new(&served.handler);
    let filter = json!({
        "toolsListChanged": true, "promptsListChanged": true, "resourcesListChanged": true,
        "resourceSubscriptions": ["app://note"], "other": 1,
    });
    let mut number = listen(&client, json!(1), filter);
    let mut text = listen(&client, json!("1"), json!({"toolsListChanged": true}));
    assert!(number.is_stream());
    start(&mut number).await;
    start(&mut text).await;
    let acknowledged = |id: Value| {
        json!({
            "jsonrpc": "2.0",
            "method": "notifications/subscriptions/acknowledged",
            "params": {"_meta": {ID: id}, "notifications": {"toolsListChanged": true}},
        })
    };
    let mut first = acknowledged(json!(1));
    first["params"]["notifications"]["resourceSubscriptions"] = json!(["app://note"]);
    let mut heard = client.heard();
    heard.sort_by_key(|notice| notice["params"]["_meta"][ID].is_string());
    assert_eq!(heard, [first, acknowledged(json!("1"))]);

    open(&served, false);
    client.connection.announce_changes();
    client.connection.announce_changes();
    let mut told = client.heard();
    told.sort_by_key(|notice| notice["params"]["_meta"][ID].is_string());
    let changed =
        |id: Value| json!({"jsonrpc": "2.0", "method": CHANGED, "params": {"_meta": {ID: id}}});
    assert_eq!(told, [changed(json!(1)), changed(json!("1"))]);
}

#[tokio::test]
async fn sub_3_only_what_was_asked_for_is_sent() {
    let served = serve();
    let client = Client::new(&served.handler);
    for (id, filter) in [
        (1, json!({})),
        (2, json!({"promptsListChanged": true})),
        (3, json!({"toolsListChanged": false})),
    ] {
        let stream = listen(&client, json!(id), filter);
        let heard = client.heard();
        assert_eq!(heard[0]["params"]["notifications"], json!({}));
        open(&served, id % 2 == 0);
        client.connection.announce_changes();
        assert!(client.heard().is_empty());
        drop(stream);
    }
    for params in [json!({}), json!({"notifications": 5}), json!({"notifications": null})] {
        let mut params = params;
        params["_meta"] = envelope();
        assert_eq!(client.error("subscriptions/listen", params).await["code"], -32602);
    }
}

#[tokio::test]
async fn sub_7_the_server_ends_a_stream_with_its_result() {
    let served = serve();
    for close in [true, false] {
        let client = Client::new(&served.handler);
        let mut stream = listen(&client, json!("s"), json!({"toolsListChanged": true}));
        start(&mut stream).await;
        client.heard();
        if close {
            client.connection.close();
        } else {
            client.connection.end_streams();
        }
        open(&served, close);
        client.connection.announce_changes();
        assert!(client.heard().is_empty());
        let end = client.finish(stream).await.unwrap();
        assert_eq!(end["id"], "s");
        assert_eq!(end["result"]["resultType"], "complete");
        assert_eq!(end["result"]["_meta"][ID], "s");
        assert!(end["result"]["_meta"]["io.modelcontextprotocol/serverInfo"].is_object());
        open(&served, true);
    }
}

#[tokio::test]
async fn sub_7_ending_streams_lets_calls_go_on() {
    let served = serve();
    let client = Client::at(&served.handler, MODERN);
    let mut call = client.begin(json!(1), "wait");
    start(&mut call).await;
    let stream = listen(&client, json!(2), json!({"toolsListChanged": true}));
    client.connection.end_streams();
    assert!(client.finish(stream).await.is_some());
    served.desk.gate.open.add_permits(1);
    assert!(client.finish(call).await.is_some());
}

#[tokio::test]
async fn sub_8_a_stream_that_the_client_ends_is_silent() {
    let served = serve();
    let client = Client::new(&served.handler);
    let cancelled = listen(&client, json!(1), json!({"toolsListChanged": true}));
    let dropped = listen(&client, json!(2), json!({"toolsListChanged": true}));
    assert!(client.connection.wants_changes());
    client.heard();
    client.cancel(json!(1));
    assert_eq!(client.finish(cancelled).await, None);
    drop(dropped);
    assert!(!client.connection.wants_changes());
    open(&served, false);
    client.connection.announce_changes();
    assert!(client.heard().is_empty());
}

#[tokio::test]
async fn sub_6_streams_are_limited_by_a_setting() {
    let served = serve_with(|options| options.streams = 2);
    let client = Client::new(&served.handler);
    let _streams = [1, 2].map(|id| listen(&client, json!(id), json!({"toolsListChanged": true})));
    let params = json!({"_meta": envelope(), "notifications": {}});
    let third = client.error("subscriptions/listen", params).await;
    assert!(third["message"].as_str().unwrap().contains("`streams`"), "{third}");
}

/// A state that changes while its own predicate looks at it, once.
#[derive(Clone, Default)]
struct Touchy {
    closed: bool,
    touch: Arc<Mutex<Option<Box<dyn FnOnce() + Send>>>>,
}

struct Door;

#[agent(name = "door", model = Touchy, message = bool)]
impl Door {
    /// Goes through.
    #[capability(available = |door| {
        let touch = door.touch.lock().unwrap().take();
        if let Some(touch) = touch {
            touch();
        }
        !door.closed
    })]
    async fn enter(&self) {}
}

#[tokio::test]
async fn b129_a_change_while_the_list_is_made_is_not_lost() {
    let store = Store::new(Touchy::default(), |door: &Touchy, closed| Touchy {
        closed,
        touch: door.touch.clone(),
    });
    let handler = Server::bind(Door, store.clone()).handler().unwrap();
    // Without a window every change is compared at once, here in the middle of `tools/list`.
    let observe = |client: &Arc<Client>| {
        let client = client.clone();
        handler.runtime().observe_availability(Arc::new(move || {
            if client.connection.note_change() {
                client.connection.announce_changes();
            }
        }))
    };
    let touch = || {
        let closer = store.clone();
        let door = store.model().touch.clone();
        *door.lock().unwrap() = Some(Box::new(move || closer.send(true).unwrap()));
    };
    let none: [&str; 0] = [];

    let first = Arc::new(Client::at(&handler, "2025-11-25"));
    let told = observe(&first);
    touch();
    assert_eq!(first.tools().await, none, "the first list is not older than the change");
    assert!(first.heard().is_empty(), "nothing was told before");
    drop(told);

    store.send(false).unwrap();
    let second = Arc::new(Client::at(&handler, "2025-11-25"));
    assert_eq!(second.tools().await, ["enter"]);
    let _told = observe(&second);
    touch();
    assert_eq!(second.tools().await, none, "the list is not older than the notice before it");
    assert_eq!(second.heard().len(), 1);
    second.connection.announce_changes();
    assert!(second.heard().is_empty());
}

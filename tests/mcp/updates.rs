//! Subscriptions to resources, and lists of them that change (RES-1, RES-10, RES-11, SUB-*).

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use agent_mcp::{
    Audit, AuditLog, Context, Effects, Server, Store, agent,
    mcp::{Exchange, Handler, HandlerOptions, Received},
};
use serde_json::{Value, json};

use crate::{
    client::{ALL, Client, LEGACY, MODERN, envelope, initialize, request, start},
    desk::plain,
    shelf::{Served, serve, serve_with},
};

const ID: &str = "io.modelcontextprotocol/subscriptionId";
const LEGACY_NOW: &str = LEGACY[3];

async fn subscribe(client: &Client, uri: &str) {
    let done = client.result("resources/subscribe", json!({ "uri": uri })).await;
    assert_eq!(done, json!({}));
}

fn updated(uri: &str) -> Value {
    json!({"jsonrpc": "2.0", "method": "notifications/resources/updated", "params": {"uri": uri}})
}

fn list_changed() -> Value {
    json!({"jsonrpc": "2.0", "method": "notifications/resources/list_changed"})
}

/// Opens a stream and waits until it is open.
async fn listen(client: &Client, id: Value, filter: Value) -> Exchange {
    let params = json!({"_meta": envelope(), "notifications": filter});
    match client.receive(&request(id, "subscriptions/listen", params)) {
        Received::Call(mut exchange) => {
            while client.peeked() == 0 {
                start(&mut exchange).await;
                tokio::task::yield_now().await;
            }
            exchange
        }
        other => panic!("not a stream: {other:?}"),
    }
}

fn set(served: &Served, books: &[&'static str]) {
    served.books.send(books.to_vec()).unwrap();
}

#[tokio::test]
async fn res_1_what_is_claimed_is_so() {
    let claimed = |handler: &Handler<()>, revision| {
        let answer = Client::new(handler).reply(&initialize(revision));
        answer["result"]["capabilities"]["resources"].clone()
    };
    let all = json!({"subscribe": true, "listChanged": true});
    let served = serve();
    for revision in LEGACY {
        assert_eq!(claimed(&served.handler, revision), all);
    }
    let found = Client::at(&served.handler, MODERN).result("server/discover", json!({})).await;
    assert_eq!(found["capabilities"]["resources"], all);
    // A desk's resources change, and none comes or goes.
    assert_eq!(claimed(&crate::desk::serve().handler, LEGACY_NOW), json!({"subscribe": true}));
    // Nothing that can be read, and nobody who tells.
    assert_eq!(claimed(&plain(), LEGACY_NOW), Value::Null);
    let fixed = Server::new(Fixed).handler().unwrap();
    assert_eq!(claimed(&fixed, LEGACY_NOW), json!({}));
    let client = Client::at(&fixed, LEGACY_NOW);
    for method in ["resources/subscribe", "resources/unsubscribe"] {
        assert_eq!(client.error(method, json!({"uri": "app://a"})).await["code"], -32601);
    }
}

struct Fixed;

#[agent]
impl Fixed {
    /// Never changes.
    #[resource]
    fn a(&self) -> u8 {
        1
    }
}

#[tokio::test]
async fn res_10_an_update_is_told_when_the_value_is_another() {
    let served = serve();
    for revision in LEGACY {
        set(&served, &["Emma", "Dune"]);
        let client = Client::at(&served.handler, revision);
        subscribe(&client, "book://1").await;
        subscribe(&client, "open://a").await;
        subscribe(&client, "book://1").await;
        client.changed().await;
        assert_eq!(client.heard(), [] as [Value; 0], "nothing has changed");

        // The first book is another, and nobody asked for it.
        set(&served, &["Persuasion", "Dune"]);
        client.changed().await;
        assert_eq!(client.heard(), [] as [Value; 0]);

        set(&served, &["Persuasion", "Ulysses"]);
        client.changed().await;
        assert_eq!(client.heard(), [updated("book://1")]);
        client.changed().await;
        assert_eq!(client.heard(), [] as [Value; 0], "told once");

        set(&served, &["Persuasion", "Ulysses", "Dune"]);
        client.changed().await;
        assert_eq!(client.heard(), [updated("open://a")], "an async resource");

        // It is gone, which is a change, and stays away, which is none.
        set(&served, &[]);
        client.changed().await;
        let mut told = client.heard();
        told.sort_by_key(|it| it["params"]["uri"].to_string());
        assert_eq!(told, [updated("book://1"), updated("open://a")]);
        client.changed().await;
        assert_eq!(client.heard(), [] as [Value; 0]);

        for _ in 0..2 {
            let done = client.result("resources/unsubscribe", json!({"uri": "book://1"})).await;
            assert_eq!(done, json!({}));
        }
        set(&served, &["Emma", "Dune"]);
        client.changed().await;
        assert_eq!(client.heard(), [updated("open://a")]);
    }
}

#[tokio::test]
async fn res_10_only_the_session_that_asked_is_told() {
    let served = serve();
    let (one, other) =
        (Client::at(&served.handler, LEGACY_NOW), Client::at(&served.handler, LEGACY_NOW));
    subscribe(&one, "book://newest").await;
    assert!(one.connection.wants_changes() && !other.connection.wants_changes());
    set(&served, &["Emma"]);
    for client in [&one, &other] {
        client.changed().await;
    }
    assert_eq!(one.heard(), [updated("book://newest")]);
    assert_eq!(other.heard(), [] as [Value; 0]);
    one.connection.close();
    set(&served, &["Dune"]);
    one.changed().await;
    assert_eq!(one.heard(), [] as [Value; 0]);
}

#[tokio::test]
async fn res_4_and_8_what_cannot_be_read_cannot_be_subscribed_to() {
    let served = serve();
    let client = Client::at(&served.handler, LEGACY_NOW);
    for (uri, status) in [
        ("book://77", "unknown_resource"),
        ("nothing://x", "unknown_resource"),
        ("files:///../x", "unknown_resource"),
        ("shelf://missing", "unknown_resource"),
        ("book://1/cover", "unauthorized"),
    ] {
        let error = client.error("resources/subscribe", json!({ "uri": uri })).await;
        assert_eq!(error["data"]["agent-mcp/outcome"]["status"], status, "{uri}");
        assert!(!client.connection.wants_changes(), "{uri}");
    }
    assert_eq!(client.error("resources/subscribe", json!({"uri": 1})).await["code"], -32602);
    let modern = Client::at(&served.handler, MODERN);
    for method in ["resources/subscribe", "resources/unsubscribe"] {
        assert_eq!(modern.error(method, json!({"uri": "book://1"})).await["code"], -32601);
    }
}

#[tokio::test]
async fn subscriptions_are_limited_by_a_setting() {
    let served = serve_with(|options: &mut HandlerOptions| options.subscriptions = 1);
    let client = Client::at(&served.handler, LEGACY_NOW);
    subscribe(&client, "book://1").await;
    subscribe(&client, "book://1").await;
    let error = client.error("resources/subscribe", json!({"uri": "book://0"})).await;
    assert!(error["message"].as_str().unwrap().contains("`subscriptions`"), "{error}");
    let client = Client::at(&served.handler, MODERN);
    let filter = json!({"resourceSubscriptions": ["book://0", "book://1"]});
    let error = client.error("subscriptions/listen", json!({ "notifications": filter })).await;
    assert!(error["message"].as_str().unwrap().contains("`subscriptions`"), "{error}");
}

#[tokio::test]
async fn sub_1_to_3_a_stream_is_told_of_the_resources_that_it_names() {
    let served = serve();
    let client = Client::new(&served.handler);
    let filter = json!({
        "toolsListChanged": true,
        "resourcesListChanged": true,
        "resourceSubscriptions": ["book://1", "open://a", "book://1", "book://1/cover", "no://x", "book://9"],
    });
    let stream = listen(&client, json!("s"), filter).await;
    let acknowledged = json!({
        "jsonrpc": "2.0",
        "method": "notifications/subscriptions/acknowledged",
        "params": {
            "_meta": {ID: "s"},
            // What may not be read is not honoured; what is not there may come.
            "notifications": {
                "resourcesListChanged": true,
                "resourceSubscriptions": ["book://1", "open://a", "book://9"],
            },
        },
    });
    assert_eq!(client.heard(), [acknowledged]);

    let other = Client::new(&served.handler);
    let _other = listen(&other, json!(7), json!({"resourceSubscriptions": ["book://0"]})).await;
    other.heard();
    set(&served, &["Emma", "Ulysses"]);
    client.changed().await;
    other.changed().await;
    let told = json!({
        "jsonrpc": "2.0",
        "method": "notifications/resources/updated",
        "params": {"_meta": {ID: "s"}, "uri": "book://1"},
    });
    assert_eq!(client.heard(), [told]);
    assert_eq!(other.heard(), [] as [Value; 0]);

    set(&served, &[]);
    client.changed().await;
    let told: Vec<_> = client.heard().into_iter().map(|it| it["method"].clone()).collect();
    assert_eq!(told[0], "notifications/resources/list_changed");
    assert_eq!(told.len(), 3, "{told:?}");

    client.connection.end_streams();
    assert_eq!(client.finish(stream).await.unwrap()["result"]["_meta"][ID], "s");
    set(&served, &["Dune"]);
    client.changed().await;
    assert_eq!(client.heard(), [] as [Value; 0], "SUB-8");
}

#[tokio::test]
async fn sub_7_a_stream_that_is_ended_before_it_is_open_has_its_result() {
    let served = serve();
    let client = Client::new(&served.handler);
    let filter = json!({"resourceSubscriptions": ["open://a"]});
    let params = json!({"_meta": envelope(), "notifications": filter});
    let listen = request(json!(1), "subscriptions/listen", params);
    let Received::Call(exchange) = client.receive(&listen) else { panic!("a stream") };
    client.connection.end_streams();
    assert_eq!(client.finish(exchange).await.unwrap()["result"]["resultType"], "complete");
    assert_eq!(client.heard(), [] as [Value; 0]);
}

#[tokio::test]
async fn res_11_the_list_of_resources_changes_for_whoever_has_listed_it() {
    let served = serve();
    for revision in LEGACY {
        set(&served, &["Emma", "Dune"]);
        let client = Client::at(&served.handler, revision);
        set(&served, &[]);
        client.changed().await;
        assert_eq!(client.heard(), [] as [Value; 0], "nothing was listed");
        for method in ["resources/list", "resources/templates/list"] {
            client.result(method, json!({})).await;
            set(&served, &["Emma", "Dune"]);
            client.changed().await;
            client.changed().await;
            assert_eq!(client.heard(), [list_changed()]);
            set(&served, &[]);
            client.result(method, json!({})).await;
            client.changed().await;
            assert_eq!(client.heard(), [] as [Value; 0], "B130: what was fetched is not told");
        }
        set(&served, &["Emma", "Dune"]);
        client.changed().await;
        client.heard();
        set(&served, &["Emma", "Ulysses"]);
        client.changed().await;
        assert_eq!(client.heard(), [] as [Value; 0], "the set is the same");
    }
}

/// A vault whose door is open or not, which the model does not say.
struct Vault {
    open: Arc<AtomicBool>,
}

#[agent(name = "vault", model = u64, message = i64)]
impl Vault {
    /// How much is in it.
    #[resource(authorize = |_call| true)]
    fn amount(cx: &Context<Self>) -> u64 {
        *cx.model()
    }

    /// What is behind the door.
    #[resource]
    async fn content(&self, cx: &Context<Self>) -> Result<String, agent_mcp::Failure> {
        if self.open.load(Ordering::SeqCst) {
            Ok(cx.model().to_string())
        } else {
            Err(agent_mcp::Failure::say("the door is closed"))
        }
    }

    /// What some may read at times.
    #[resource(authorize = |call| *call.model < 100)]
    fn secret(cx: &Context<Self>) -> u64 {
        *cx.model()
    }
}

#[tokio::test]
async fn res_8_rights_are_judged_again_at_each_look() {
    let store = Store::new(1, |_: &u64, amount: i64| (amount.unsigned_abs(), Effects::none()));
    let open = Arc::new(AtomicBool::new(true));
    let log = AuditLog::new(100);
    let server = Server::bind(Vault { open: open.clone() }, store.clone());
    let handler = server.audit(Audit::to(log.clone())).handler().unwrap();
    let client = Client::at(&handler, LEGACY_NOW);
    for uri in ["app://secret", "app://content"] {
        subscribe(&client, uri).await;
    }
    open.store(false, Ordering::SeqCst);
    store.send(200).unwrap();
    client.changed().await;
    assert_eq!(client.heard(), [] as [Value; 0], "neither may be read, or can be, now");
    store.send(1).unwrap();
    open.store(true, Ordering::SeqCst);
    client.changed().await;
    assert_eq!(client.heard(), [] as [Value; 0], "it is what it was");
    store.send(2).unwrap();
    client.changed().await;
    assert_eq!(client.heard().len(), 2);
    // B89: who subscribes has read; what is compared is shown to nobody.
    handler.runtime().flush_audit().await;
    assert_eq!(log.entries().len(), 2);
}

#[tokio::test]
async fn a_look_that_is_under_way_is_followed_by_one_more() {
    let served = serve();
    let client = Client::at(&served.handler, LEGACY_NOW);
    subscribe(&client, "open://a").await;
    set(&served, &["Emma", "Dune", "Ulysses"]);
    let first = client.connection.announce_changes().unwrap();
    assert!(client.connection.announce_changes().is_none(), "one at a time");
    set(&served, &["Emma", "Dune", "Ulysses", "Persuasion"]);
    assert!(client.connection.announce_changes().is_none());
    first.await;
    assert!(!client.heard().is_empty());
    client.changed().await;
    assert_eq!(client.heard(), [] as [Value; 0], "the last state has been seen");
    // One that is given up is no obstacle.
    drop(client.connection.announce_changes());
    set(&served, &["Emma", "Dune"]);
    client.changed().await;
    assert_eq!(client.heard(), [updated("open://a")]);
}

#[tokio::test]
async fn res_10_a_session_that_goes_on_elsewhere_keeps_its_subscriptions() {
    let served = serve();
    let client = Client::at(&served.handler, LEGACY_NOW);
    let _ = client.connection.take_record();
    subscribe(&client, "book://newest").await;
    let record = client.connection.take_record().expect("it is something to know");
    let resumed = Client::resumed(&served.handler, &record);
    assert!(resumed.connection.wants_changes());
    resumed.changed().await;
    resumed.heard();
    set(&served, &["Emma"]);
    resumed.changed().await;
    assert!(resumed.heard().contains(&updated("book://newest")));
    // What one server is told the others overhear.
    let unsubscribe = request(json!(9), "resources/unsubscribe", json!({"uri": "book://newest"}));
    resumed.connection.overhear(&unsubscribe.to_string().into());
    assert!(!resumed.is_told_of("book://newest", || set(&served, &["Dune"])).await);
    let again = request(json!(10), "resources/subscribe", json!({"uri": "book://newest"}));
    resumed.connection.overhear(&again.to_string().into());
    assert!(resumed.is_told_of("book://newest", || set(&served, &["Ulysses"])).await);
}

#[tokio::test]
async fn every_revision_reads_what_it_is_told_of() {
    let served = serve();
    for revision in ALL {
        let client = Client::at(&served.handler, revision);
        let read = client.result("resources/read", json!({"uri": "book://newest"})).await;
        assert_eq!(read["contents"][0]["uri"], "book://newest");
    }
}

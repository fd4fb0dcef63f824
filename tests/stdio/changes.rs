//! Notices of changes on their way to the client.

use std::time::Duration;

use agent_mcp::{Context, Server, Store, agent};
use agent_mcp_tests::stdio::{HANDSHAKE, call, ping};
use serde_json::{Value, json};
use tokio::{
    io::{AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, Lines, duplex},
    task::JoinHandle,
    time::Instant,
};

#[derive(Clone, Default)]
struct Door {
    is_open: bool,
}

#[derive(Clone)]
enum Message {
    Move,
}

struct Porter;

/// Opens and closes a door.
#[agent(model = Door, message = Message)]
impl Porter {
    /// Opens the door, or closes it.
    #[capability]
    fn move_door(_: &Context<Self>) -> Message {
        Message::Move
    }

    /// How the door is.
    #[resource]
    fn door(cx: &Context<Self>) -> &'static str {
        if cx.model().is_open { "open" } else { "closed" }
    }

    /// Goes in.
    #[capability(available = |door| door.is_open)]
    async fn enter(&self) -> String {
        "inside".to_owned()
    }
}

/// A client of the porter, in the same process.
struct Client {
    door: Store<Door, Message>,
    input: DuplexStream,
    output: Lines<BufReader<DuplexStream>>,
    serving: JoinHandle<agent_mcp::Result<()>>,
}

impl Client {
    fn new(debounce: Duration) -> Self {
        let door = Store::new(Door::default(), |door: &Door, Message::Move| Door {
            is_open: !door.is_open,
        });
        let server = Server::bind(Porter, door.clone()).limits(|limits| limits.debounce = debounce);
        let (input, reader) = duplex(4096);
        let (output, writer) = duplex(4096);
        let serving = tokio::spawn(server.serve_on(reader, writer));
        Self { door, input, output: BufReader::new(output).lines(), serving }
    }

    /// A client that has listed the tools.
    async fn listed(debounce: Duration) -> Self {
        let mut client = Self::new(debounce);
        client.send(HANDSHAKE).await;
        client
            .send(&(json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"}).to_string() + "\n"))
            .await;
        assert_eq!(client.message().await["id"], 0);
        assert_eq!(client.message().await["result"]["tools"].as_array().unwrap().len(), 1);
        client
    }

    async fn send(&mut self, lines: &str) {
        self.input.write_all(lines.as_bytes()).await.unwrap();
    }

    async fn message(&mut self) -> Value {
        let line = self.output.next_line().await.unwrap().expect("the server is there");
        serde_json::from_str(&line).unwrap()
    }

    fn change(&self) {
        self.door.send(Message::Move).unwrap();
    }
}

const LIST_CHANGED: &str = "notifications/tools/list_changed";

#[tokio::test(start_paused = true)]
async fn b131_a_net_change_is_told_once_when_the_state_rests() {
    let mut client = Client::listed(Duration::from_millis(50)).await;
    let before = Instant::now();
    for _ in 0..3 {
        client.change();
    }
    assert_eq!(client.message().await["method"], LIST_CHANGED);
    assert_eq!(before.elapsed().as_millis(), 50);
    // There and back is no change.
    client.change();
    client.change();
    tokio::time::sleep(Duration::from_secs(1)).await;
    client.send(&ping(2)).await;
    assert_eq!(client.message().await["id"], 2);
}

#[tokio::test(start_paused = true)]
async fn b131_without_a_window_the_notice_goes_before_the_reply() {
    let mut client = Client::listed(Duration::ZERO).await;
    client.send(&call(2, "move_door", &json!({}))).await;
    assert_eq!(client.message().await["method"], LIST_CHANGED);
    assert_eq!(client.message().await["id"], 2);
}

#[tokio::test(start_paused = true)]
async fn stdio_614_an_open_stream_of_notices_does_not_hold_up_the_end() {
    let mut client = Client::new(Duration::from_millis(50));
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    let params = json!({"_meta": meta, "notifications": {"toolsListChanged": true}});
    let listen =
        json!({"jsonrpc": "2.0", "id": 5, "method": "subscriptions/listen", "params": params});
    client.send(&(listen.to_string() + "\n")).await;
    let acknowledged = client.message().await;
    assert_eq!(
        acknowledged["method"], "notifications/subscriptions/acknowledged",
        "{acknowledged}"
    );
    client.change();
    assert_eq!(client.message().await["method"], LIST_CHANGED);

    let before = Instant::now();
    client.input.shutdown().await.unwrap();
    // SUB-7: its request is answered.
    assert_eq!(client.message().await["id"], 5);
    assert_eq!(client.output.next_line().await.unwrap(), None);
    client.serving.await.unwrap().unwrap();
    assert_eq!(before.elapsed(), Duration::ZERO);
}

#[tokio::test(start_paused = true)]
async fn b133_nobody_hears_of_a_closed_connection() {
    let client = Client::listed(Duration::ZERO).await;
    client.serving.abort();
    let Client { door, mut output, .. } = client;
    assert_eq!(output.next_line().await.unwrap(), None);
    door.send(Message::Move).unwrap();
}

#[tokio::test(start_paused = true)]
async fn res_10_a_subscriber_is_told_once_the_state_rests() {
    let window = Duration::from_millis(50);
    let mut client = Client::new(window);
    client.send(HANDSHAKE).await;
    let subscribe = json!({
        "jsonrpc": "2.0", "id": 1, "method": "resources/subscribe", "params": {"uri": "app://door"},
    });
    client.send(&(subscribe.to_string() + "\n")).await;
    assert_eq!(client.message().await["id"], 0);
    assert_eq!(client.message().await["result"], json!({}));
    let begun = Instant::now();
    for _ in 0..3 {
        client.door.send(Message::Move).unwrap();
    }
    let told = client.message().await;
    assert_eq!(told["method"], "notifications/resources/updated");
    assert_eq!(told["params"], json!({"uri": "app://door"}));
    assert!(begun.elapsed() >= window, "it was at rest");
    // There and back is no change.
    for _ in 0..2 {
        client.door.send(Message::Move).unwrap();
    }
    tokio::time::sleep(window * 20).await;
    client.send(&ping(2)).await;
    assert_eq!(client.message().await["id"], 2, "nothing was told in between");
}

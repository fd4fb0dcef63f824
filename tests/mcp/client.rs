//! A client that talks to the pure handler.

use std::sync::{Arc, Mutex};

use agent_mcp::mcp::{Connection, Exchange, Handler, Outbox, Received};
use agent_mcp_tests::witness::Witness;
use bytes::Bytes;
use serde_json::{Value, json};

pub(crate) const LEGACY: [&str; 4] = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"];
pub(crate) const MODERN: &str = "2026-07-28";
pub(crate) const ALL: [&str; 5] = [LEGACY[0], LEGACY[1], LEGACY[2], LEGACY[3], MODERN];

/// What the server said without being asked, in order. All that is said is held to the published schemas.
#[derive(Default)]
pub(crate) struct Heard {
    messages: Mutex<Vec<Value>>,
    witness: Witness,
}

impl Outbox for Heard {
    fn send(&self, message: Bytes) {
        let message = self.read(&message);
        self.messages.lock().unwrap().push(message);
    }
}

impl Heard {
    /// Reads what the server says.
    fn read(&self, message: &Bytes) -> Value {
        let message = parse(message);
        self.witness.server(&message);
        message
    }
}

pub(crate) struct Client {
    pub(crate) connection: Connection<()>,
    heard: Arc<Heard>,
    /// The revision whose envelope every request gets, if it is the modern one.
    revision: &'static str,
    /// What the client says that it can do.
    capabilities: Value,
}

/// Reads a message and holds it to what every message must be.
fn parse(message: &Bytes) -> Value {
    let text = std::str::from_utf8(message).unwrap();
    assert_eq!(text.lines().count(), 1, "one line: {text}");
    assert!(!text.contains(['\u{2028}', '\u{2029}', '\u{85}']), "one line for everybody: {text}");
    serde_json::from_str(text).unwrap()
}

impl Client {
    /// A client that has said nothing yet.
    pub(crate) fn new(handler: &Handler<()>) -> Self {
        let heard = Arc::new(Heard::default());
        let connection = handler.connect(Arc::new(()), heard.clone());
        Self { connection, heard, revision: "none", capabilities: json!({}) }
    }

    /// A client of a revision; a legacy one has shaken hands.
    pub(crate) fn at(handler: &Handler<()>, revision: &'static str) -> Self {
        let capabilities = if revision == MODERN { json!({}) } else { json!({"roots": {}}) };
        Self::able(handler, revision, capabilities)
    }

    /// The same, of a client that can do something.
    pub(crate) fn able(handler: &Handler<()>, revision: &'static str, capabilities: Value) -> Self {
        let client = Self { revision, capabilities, ..Self::new(handler) };
        if revision != MODERN {
            let mut hello = initialize(revision);
            hello["params"]["capabilities"] = client.capabilities.clone();
            let answer = client.reply(&hello);
            assert_eq!(answer["result"]["protocolVersion"], revision);
            client.notify("notifications/initialized", json!({}));
        }
        client
    }

    pub(crate) fn receive(&self, message: &Value) -> Received {
        self.heard.witness.client(message);
        self.connection.receive(message.to_string().into())
    }

    /// The answer that is at hand at once.
    pub(crate) fn reply(&self, message: &Value) -> Value {
        match self.receive(message) {
            Received::Reply(reply) => self.heard.read(&reply),
            other => panic!("{message} is not answered at once: {other:?}"),
        }
    }

    /// The answer to any text.
    pub(crate) fn raw(&self, message: impl Into<Bytes>) -> Option<Value> {
        let message = message.into();
        if let Ok(message) = serde_json::from_slice(&message) {
            self.heard.witness.client(&message);
        }
        match self.connection.receive(message) {
            Received::Reply(reply) => Some(self.heard.read(&reply)),
            Received::Nothing => None,
            Received::Call(_) => panic!("a call"),
        }
    }

    /// Sends a message and waits for its answer.
    pub(crate) async fn send(&self, message: &Value) -> Option<Value> {
        self.read(self.receive(message)).await
    }

    /// Waits for the answer of what was received.
    pub(crate) async fn read(&self, received: Received) -> Option<Value> {
        match received {
            Received::Nothing => None,
            Received::Reply(reply) => Some(self.heard.read(&reply)),
            Received::Call(exchange) => self.finish(exchange).await,
        }
    }

    /// Makes a request in the client's revision, with an id of its own, and waits for its answer.
    pub(crate) async fn ask(&self, method: &str, params: Value) -> Value {
        let answer = self.send(&self.request(json!("ask"), method, params)).await.unwrap();
        assert_eq!(answer["id"], "ask");
        assert_eq!(answer["jsonrpc"], "2.0");
        answer
    }

    pub(crate) async fn result(&self, method: &str, params: Value) -> Value {
        let mut answer = self.ask(method, params).await;
        assert!(answer.get("error").is_none(), "{answer}");
        answer["result"].take()
    }

    pub(crate) async fn error(&self, method: &str, params: Value) -> Value {
        let mut answer = self.ask(method, params).await;
        assert!(answer.get("result").is_none(), "{answer}");
        answer["error"].take()
    }

    pub(crate) async fn call(&self, tool: &str, arguments: Value) -> Value {
        self.result("tools/call", json!({ "name": tool, "arguments": arguments })).await
    }

    /// Begins a call that is not finished at once.
    pub(crate) fn begin(&self, id: Value, tool: &str) -> Exchange {
        let request = self.request(id, "tools/call", json!({ "name": tool }));
        match self.receive(&request) {
            Received::Call(exchange) => exchange,
            other => panic!("not a call: {other:?}"),
        }
    }

    /// Reads an answer.
    pub(crate) fn parse(&self, answer: &Bytes) -> Value {
        self.heard.read(answer)
    }

    /// Waits for the answer of a call.
    pub(crate) async fn finish(&self, exchange: Exchange) -> Option<Value> {
        exchange.await.map(|reply| self.heard.read(&reply))
    }

    /// What the published schemas call that which was heard.
    pub(crate) fn seen(&self, revision: &str) -> Vec<&'static str> {
        self.heard.witness.seen(revision)
    }

    pub(crate) fn notify(&self, method: &str, params: Value) {
        let message = json!({"jsonrpc": "2.0", "method": method, "params": params});
        assert!(matches!(self.receive(&message), Received::Nothing), "{message} is answered");
    }

    pub(crate) fn cancel(&self, id: Value) {
        self.notify("notifications/cancelled", json!({ "requestId": id }));
    }

    /// A request in the client's revision.
    pub(crate) fn request(&self, id: Value, method: &str, mut params: Value) -> Value {
        if self.revision == MODERN {
            let meta = params["_meta"].take();
            params["_meta"] = envelope();
            params["_meta"]["io.modelcontextprotocol/clientCapabilities"] =
                self.capabilities.clone();
            for (key, value) in meta.as_object().into_iter().flatten() {
                params["_meta"][key] = value.clone();
            }
        }
        request(id, method, params)
    }

    /// Looks for changes, as a transport does.
    pub(crate) async fn changed(&self) {
        if let Some(updates) = self.connection.announce_changes() {
            updates.await;
        }
    }

    /// A client of a session that was opened elsewhere.
    pub(crate) fn resumed(handler: &Handler<()>, record: &[u8]) -> Self {
        let heard = Arc::new(Heard::default());
        let connection = handler.resume(Arc::new(()), heard.clone(), record).unwrap();
        Self { connection, heard, ..Self::new(handler) }
    }

    /// Whether a change makes the server tell of a resource.
    pub(crate) async fn is_told_of(&self, uri: &str, change: impl FnOnce()) -> bool {
        change();
        self.changed().await;
        self.heard().iter().any(|notice| notice["params"]["uri"] == uri)
    }

    /// How many messages wait to be heard.
    pub(crate) fn peeked(&self) -> usize {
        self.heard.messages.lock().unwrap().len()
    }

    /// What was heard since the last time.
    pub(crate) fn heard(&self) -> Vec<Value> {
        std::mem::take(&mut self.heard.messages.lock().unwrap())
    }

    /// The tools' names, in order.
    pub(crate) async fn tools(&self) -> Vec<String> {
        names(&self.result("tools/list", json!({})).await["tools"])
    }
}

/// A tool's entry in a list.
pub(crate) fn tool<'a>(list: &'a Value, name: &str) -> &'a Value {
    list["tools"].as_array().unwrap().iter().find(|tool| tool["name"] == name).unwrap()
}

pub(crate) fn names(entries: &Value) -> Vec<String> {
    let entries = entries.as_array().unwrap();
    entries.iter().map(|entry| entry["name"].as_str().unwrap().to_owned()).collect()
}

pub(crate) fn request(id: Value, method: &str, params: Value) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params})
}

pub(crate) fn initialize(revision: &str) -> Value {
    let params = json!({
        "protocolVersion": revision,
        "capabilities": {"roots": {}},
        "clientInfo": {"name": "tester", "version": "1"},
    });
    request(json!("init"), "initialize", params)
}

/// The `_meta` of a modern request.
pub(crate) fn envelope() -> Value {
    json!({
        "io.modelcontextprotocol/protocolVersion": MODERN,
        "io.modelcontextprotocol/clientInfo": {"name": "tester", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {},
    })
}

/// Polls an exchange once, so that its call has begun.
pub(crate) async fn start(exchange: &mut Exchange) {
    std::future::poll_fn(|cx| {
        assert!(std::pin::Pin::new(&mut *exchange).poll(cx).is_pending());
        std::task::Poll::Ready(())
    })
    .await;
}

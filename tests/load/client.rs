//! A caller that does anything at any time, and holds every answer to what it asked.

use std::{
    collections::HashSet,
    net::SocketAddr,
    time::{Duration, Instant},
};

use bytes::Bytes;
use http::{Method, Request, Response};
use http_body_util::{BodyExt, Full};
use hyper::body::Incoming;
use hyper_util::rt::TokioIo;
use serde_json::{Value, json};
use tokio::{net::TcpStream, task::JoinHandle};

use super::events::Events;

/// One connection, which ends when this is dropped.
pub(crate) struct Connection(JoinHandle<()>);

impl Drop for Connection {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// How often each thing was done.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    calls: u64,
    modern: u64,
    cancelled: u64,
    cut: u64,
    resumed: u64,
    turned: u64,
    told: u64,
    sessions: u64,
    vanished: u64,
}

impl Tally {
    pub(crate) fn add(&mut self, other: Self) {
        let Self { calls, modern, cancelled, cut, resumed, turned, told, sessions, vanished } =
            other;
        self.calls += calls;
        self.modern += modern;
        self.cancelled += cancelled;
        self.cut += cut;
        self.resumed += resumed;
        self.turned += turned;
        self.told += told;
        self.sessions += sessions;
        self.vanished += vanished;
    }

    /// Whether everything was done at least once.
    pub(crate) fn is_broad(&self) -> bool {
        let Self { calls, modern, cancelled, cut, resumed, turned, told, sessions, vanished } =
            *self;
        [calls, modern, cancelled, cut, resumed, turned, told, sessions, vanished]
            .into_iter()
            .all(|count| count > 0)
    }
}

pub(crate) struct Caller {
    address: SocketAddr,
    name: String,
    random: u64,
    next: u64,
    tally: Tally,
}

/// A session, its stream, and the ids that came on any of its streams.
struct Session {
    id: String,
    stream: Events,
    last: String,
    seen: HashSet<String>,
}

impl Caller {
    pub(crate) fn new(address: SocketAddr, number: u64, seed: u64) -> Self {
        let random = (number + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ seed | 1;
        Self { address, name: format!("guest-{number}"), random, next: 0, tally: Tally::default() }
    }

    /// Does things until `end`, and then leaves in an orderly way.
    pub(crate) async fn run(mut self, end: Instant) -> Tally {
        let mut session = self.open().await;
        while Instant::now() < end {
            match self.draw(9) {
                0 | 1 => self.echo(&session).await,
                2 => self.count(&mut session, false).await,
                3 => self.count(&mut session, true).await,
                4 => self.cancel(&session).await,
                5 => self.modern().await,
                6 => self.turn(&mut session).await,
                7 => self.return_to(&mut session).await,
                _ => {
                    self.leave(session).await;
                    session = self.open().await;
                }
            }
        }
        self.leave(session).await;
        self.tally
    }

    /// A number below `limit`.
    fn draw(&mut self, limit: u64) -> u64 {
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        self.random % limit
    }

    fn id(&mut self) -> u64 {
        self.next += 1;
        self.next
    }

    async fn send(
        &self,
        method: Method,
        headers: &[(&str, &str)],
        body: String,
    ) -> (Response<Incoming>, Connection) {
        let socket = TcpStream::connect(self.address).await.unwrap();
        let (mut sender, connection) =
            hyper::client::conn::http1::handshake(TokioIo::new(socket)).await.unwrap();
        let connection = Connection(tokio::spawn(async move {
            let _ = connection.await;
        }));
        let mut request = Request::builder()
            .method(method)
            .uri("/mcp")
            .header("host", self.address.to_string())
            .header("authorization", format!("Bearer {}", self.name))
            .header("content-type", "application/json")
            .header("accept", "application/json, text/event-stream");
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let request = request.body(Full::new(Bytes::from(body))).unwrap();
        (sender.send_request(request).await.unwrap(), connection)
    }

    async fn post(&self, session: &str, message: &Value) -> (Response<Incoming>, Connection) {
        self.send(Method::POST, &[("mcp-session-id", session)], message.to_string()).await
    }

    /// The reply to a call, however it comes.
    async fn reply(&self, session: &str, message: &Value) -> Value {
        let (response, connection) = self.post(session, message).await;
        assert_eq!(response.status(), 200, "{message}");
        let reply = reply_of(response, connection).await;
        assert_eq!(reply["id"], message["id"], "the answer is to what was asked");
        reply
    }

    async fn open(&mut self) -> Session {
        self.tally.sessions += 1;
        let initialize = initialize();
        let (response, _connection) = self.send(Method::POST, &[], initialize.to_string()).await;
        assert_eq!(response.status(), 200);
        let id = response.headers()["mcp-session-id"].to_str().unwrap().to_owned();
        let ready = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
        assert_eq!(self.post(&id, &ready).await.0.status(), 202);
        self.reply(&id, &request(self.next, "tools/list", &json!({}))).await;
        let mut stream = self.get(&id, None).await;
        let first = stream.next().await.unwrap();
        let last = first.id.unwrap();
        let seen = HashSet::from([last.clone()]);
        Session { id, stream, last, seen }
    }

    async fn get(&self, session: &str, last: Option<&str>) -> Events {
        let mut headers = vec![("mcp-session-id", session)];
        headers.extend(last.map(|last| ("last-event-id", last)));
        let (response, connection) = self.send(Method::GET, &headers, String::new()).await;
        assert_eq!(response.status(), 200);
        Events::new(response.into_body(), connection)
    }

    async fn leave(&mut self, session: Session) {
        let headers = [("mcp-session-id", &*session.id)];
        let (response, _connection) = self.send(Method::DELETE, &headers, String::new()).await;
        assert_eq!(response.status(), 204);
    }

    async fn echo(&mut self, session: &Session) {
        self.tally.calls += 1;
        let (id, text) = (self.id(), format!("{:x}", self.draw(u64::MAX)));
        let reply = self.reply(&session.id, &call(id, "echo", &json!({"text": text}))).await;
        assert_eq!(reply["result"]["content"][0]["text"], format!("{} {text}", self.name));
    }

    /// Reads a stream to its end, or cuts it once and goes on.
    async fn count(&mut self, session: &mut Session, cut: bool) {
        let (id, to) = (self.id(), 1 + self.draw(8));
        let message = call(id, "count", &json!({ "to": to }));
        let (response, connection) = self.post(&session.id, &message).await;
        assert_eq!(response.headers()["content-type"], "text/event-stream");
        let mut events = Events::new(response.into_body(), connection);
        let mut last = None;
        let mut done = 0;
        let mut cut_at = cut.then(|| 1 + self.draw(to));
        loop {
            let Some(event) = events.next().await else {
                panic!("the stream of {message} ended after {done} of {to}");
            };
            if let Some(id) = event.id {
                assert!(session.seen.insert(id.clone()), "{id} came twice");
                last = Some(id);
            }
            let Some(message) = event.message else { continue };
            if message.get("result").is_some() {
                assert_eq!(message["id"], id);
                let text = &message["result"]["content"][0]["text"];
                assert_eq!(*text, format!("{} {to}", self.name));
                break;
            }
            assert_eq!(message["params"]["progressToken"], id);
            assert_eq!(message["params"]["message"], self.name, "it is no stranger's");
            done += 1;
            assert_eq!(message["params"]["progress"], done);
            if cut_at == Some(done) {
                cut_at = None;
                self.tally.cut += 1;
                events = self.get(&session.id, last.as_deref()).await;
            }
        }
        assert_eq!(done, to);
        self.tally.calls += 1;
    }

    async fn cancel(&mut self, session: &Session) {
        let id = self.id();
        let message = call(id, "wait", &json!({}));
        let (response, connection) = self.post(&session.id, &message).await;
        let mut events = Events::new(response.into_body(), connection);
        // It says something as soon as it runs.
        while events.next().await.unwrap().message.is_none() {}
        let params = json!({"requestId": id});
        let cancel =
            json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": params});
        assert_eq!(self.post(&session.id, &cancel).await.0.status(), 202);
        let reply = events.next().await.unwrap().message.unwrap();
        assert_eq!((&reply["id"], &reply["result"]["isError"]), (&json!(id), &json!(true)));
        self.tally.cancelled += 1;
    }

    /// A request of the modern era: answered, or left before its answer.
    async fn modern(&mut self) {
        let (id, vanishes) = (self.id(), self.draw(2) == 0);
        let tool = if vanishes { "wait" } else { "echo" };
        let mut message = call(id, tool, &json!({}));
        if !vanishes {
            message["params"]["arguments"] = json!({"text": "m"});
        }
        let meta = &mut message["params"]["_meta"];
        meta["io.modelcontextprotocol/protocolVersion"] = json!("2026-07-28");
        meta["io.modelcontextprotocol/clientCapabilities"] = json!({});
        let headers = [
            ("mcp-protocol-version", "2026-07-28"),
            ("mcp-method", "tools/call"),
            ("mcp-name", tool),
        ];
        let (response, connection) = self.send(Method::POST, &headers, message.to_string()).await;
        assert_eq!(response.status(), 200);
        if vanishes {
            let mut events = Events::new(response.into_body(), connection);
            while events.next().await.unwrap().message.is_none() {}
            self.tally.vanished += 1;
        } else {
            let reply = reply_of(response, connection).await;
            assert_eq!(reply["result"]["content"][0]["text"], format!("{} m", self.name));
            self.tally.modern += 1;
        }
    }

    /// Changes what is on offer to everybody, and may hear of it.
    async fn turn(&mut self, session: &mut Session) {
        let id = self.id();
        let reply = self.reply(&session.id, &call(id, "turn", &json!({}))).await;
        assert_eq!(reply["result"]["structuredContent"]["status"], "dispatched");
        self.tally.turned += 1;
        self.hear(session).await;
    }

    /// Reads what has come on the session's stream.
    async fn hear(&mut self, session: &mut Session) {
        if let Some(event) = session.stream.soon(Duration::from_millis(100)).await {
            let id = event.id.unwrap();
            assert!(session.seen.insert(id.clone()), "{id} came twice");
            session.last = id;
            if let Some(message) = event.message {
                assert_eq!(message["method"], "notifications/tools/list_changed");
                self.tally.told += 1;
            }
        }
    }

    /// Leaves the session's stream and comes back to it.
    async fn return_to(&mut self, session: &mut Session) {
        session.stream = self.get(&session.id, Some(&session.last)).await;
        self.tally.resumed += 1;
        self.hear(session).await;
    }
}

async fn reply_of(response: Response<Incoming>, connection: Connection) -> Value {
    if response.headers()["content-type"] == "text/event-stream" {
        let mut events = Events::new(response.into_body(), connection);
        loop {
            let message = events.next().await.unwrap().message;
            if let Some(message) = message.filter(|message| message.get("id").is_some()) {
                return message;
            }
        }
    }
    serde_json::from_slice(&response.into_body().collect().await.unwrap().to_bytes()).unwrap()
}

fn request(id: u64, method: &str, params: &Value) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params})
}

fn call(id: u64, tool: &str, arguments: &Value) -> Value {
    let meta = json!({ "progressToken": id });
    request(id, "tools/call", &json!({"name": tool, "arguments": arguments, "_meta": meta}))
}

fn initialize() -> Value {
    let info = json!({"name": "load", "version": "1"});
    let revision = "2025-11-25";
    let params = json!({"protocolVersion": revision, "capabilities": {}, "clientInfo": info});
    request(0, "initialize", &params)
}

/// Opens sessions and leaves them alone.
pub(crate) async fn open_sessions(address: SocketAddr, count: u64) {
    for number in 0..count {
        let caller = Caller::new(address, number, 1);
        let (response, _connection) =
            caller.send(Method::POST, &[], initialize().to_string()).await;
        assert!(response.headers().contains_key("mcp-session-id"));
    }
}

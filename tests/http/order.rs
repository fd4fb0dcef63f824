//! The order of the gates: the first that fails decides, and who fails leaves nothing behind.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use agent_mcp::{
    Server,
    transport::http::{Authenticated, Http, Unauthenticated},
};
use http::{Method, Request};
use http_body_util::Full;
use serde_json::{Value, json};

use crate::{
    client::{Client, MODERN, enveloped, message, request, serve},
    desk::{Desk, shop},
    sessions::{LIST, initialize, open, with},
};

const KEY: (&str, &str) = ("authorization", "Bearer key");

/// A server for those who have the key.
fn locked(http: Http<()>) -> Http<(), Authenticated<()>> {
    http.authenticate(|head| async move {
        let key = head.headers.get(KEY.0).is_some_and(|key| key == KEY.1);
        key.then_some(()).ok_or_else(|| Unauthenticated::because("A key is needed"))
    })
}

fn desk() -> Client {
    Client::of(locked(Server::bind(Desk::default(), shop()).http()))
}

/// A request, while things in it are being broken.
#[derive(Clone)]
struct Draft {
    method: Method,
    headers: Vec<(&'static str, String)>,
    body: Value,
    text: Option<&'static str>,
}

impl Draft {
    fn new(method: Method, body: Value, headers: &[(&'static str, &str)]) -> Self {
        let mut draft = Self { method, headers: Vec::new(), body, text: None };
        for (name, value) in [KEY].iter().chain(headers) {
            draft.set(name, value);
        }
        draft
    }

    /// An empty value leaves the header out.
    fn set(&mut self, name: &'static str, value: &str) {
        self.headers.retain(|(given, _)| *given != name);
        self.headers.push((name, value.to_owned()));
    }

    fn request(&self) -> Request<Full<bytes::Bytes>> {
        let headers: Vec<_> =
            self.headers.iter().map(|(name, value)| (*name, value.as_str())).collect();
        let body = self.text.map_or_else(|| self.body.to_string(), str::to_owned);
        request(self.method.clone(), &headers, body)
    }
}

/// What is broken, and what is answered to it: the status, the code and a word of the text.
struct Gate {
    breaks: fn(&mut Draft),
    answer: (u16, i64, &'static str),
}

fn gate(breaks: fn(&mut Draft), answer: (u16, i64, &'static str)) -> Gate {
    Gate { breaks, answer }
}

fn host() -> Gate {
    gate(|draft| draft.set("host", "evil.example"), (403, -32600, "allowed_hosts"))
}

fn origin() -> Gate {
    gate(|draft| draft.set("origin", "https://evil.example"), (403, -32600, "allowed_origins"))
}

fn version() -> Gate {
    let breaks = |draft: &mut Draft| draft.set("mcp-protocol-version", "2099-01-01");
    gate(breaks, (400, -32600, "MCP-Protocol-Version"))
}

fn identity() -> Gate {
    gate(|draft| draft.set(KEY.0, "Bearer nonsense"), (401, -32600, "A key is needed"))
}

fn accept() -> Gate {
    gate(|draft| draft.set("accept", "text/html"), (406, -32600, "Accept"))
}

fn content_type() -> Gate {
    gate(|draft| draft.set("content-type", "text/plain"), (415, -32600, "application/json"))
}

fn syntax() -> Gate {
    gate(|draft| draft.text = Some("{"), (400, -32700, ""))
}

fn shape() -> Gate {
    gate(|draft| draft.body["jsonrpc"] = json!("1.0"), (400, -32600, "jsonrpc"))
}

fn session() -> Gate {
    gate(|draft| draft.set("mcp-session-id", "unknown"), (404, -32600, "session"))
}

/// Breaks each gate together with all that come after it.
async fn pass(client: &Client, good: &Draft, gates: &[Gate]) {
    for first in 0..gates.len() {
        let mut draft = good.clone();
        // The first gate has the last word where two break the same thing.
        for gate in gates[first..].iter().rev() {
            (gate.breaks)(&mut draft);
        }
        let answer = client.send(draft.request()).await;
        let (status, code, word) = gates[first].answer;
        assert_eq!(answer.error(status), code, "gate {first}: {answer:?}");
        let text = answer.json()["error"]["message"].as_str().unwrap().to_owned();
        assert!(text.contains(word), "gate {first}: {text}");
    }
    assert!(client.send(good.request()).await.status.is_success());
}

#[tokio::test]
async fn b144_and_b151_the_order_of_the_gates_in_a_session() {
    let client = desk();
    let id = open(&client, &[KEY]).await;
    let headers = [("mcp-session-id", &*id), ("mcp-protocol-version", "2025-11-25")];
    let list = message(1, "tools/list", json!({}));
    let post = Draft::new(Method::POST, list, &headers);
    let gates = [
        host(),
        origin(),
        version(),
        identity(),
        accept(),
        content_type(),
        syntax(),
        shape(),
        session(),
    ];
    pass(&client, &post, &gates).await;
    // A session that is not named is another mistake than one that is not known.
    let gates = [
        host(),
        origin(),
        identity(),
        accept(),
        content_type(),
        syntax(),
        shape(),
        gate(|draft| draft.set("mcp-session-id", ""), (400, -32600, "initialize")),
    ];
    pass(&client, &post, &gates).await;
    let delete = Draft::new(Method::DELETE, Value::Null, &headers);
    pass(&client, &delete, &[host(), origin(), version(), identity(), session()]).await;
}

#[tokio::test]
async fn b144_the_order_of_the_gates_of_a_stream() {
    let client = desk();
    let id = open(&client, &[KEY]).await;
    let headers = [("mcp-session-id", &*id), ("mcp-protocol-version", "2025-11-25")];
    let get = Draft::new(Method::GET, Value::Null, &headers);
    let gates = [host(), origin(), version(), identity(), accept(), session()];
    for first in 0..gates.len() {
        let mut draft = get.clone();
        gates[first..].iter().rev().for_each(|gate| (gate.breaks)(&mut draft));
        let (status, code, _) = gates[first].answer;
        assert_eq!(client.send(draft.request()).await.error(status), code, "gate {first}");
    }
    client.stream(get.request()).await;
}

#[tokio::test]
async fn b144_the_order_of_the_gates_in_the_modern_era() {
    let client = desk();
    let headers =
        [("mcp-protocol-version", MODERN), ("mcp-method", "tools/call"), ("mcp-name", "count")];
    let count = enveloped("tools/call", json!({"name": "count"}));
    let post = Draft::new(Method::POST, count, &headers);
    let gates = [
        host(),
        origin(),
        identity(),
        accept(),
        content_type(),
        syntax(),
        shape(),
        // The envelope, what the headers say of it, and the version of both.
        gate(
            |draft| {
                let meta = draft.body["params"]["_meta"].as_object_mut().unwrap();
                meta.remove("io.modelcontextprotocol/clientCapabilities");
            },
            (400, -32602, ""),
        ),
        gate(|draft| draft.set("mcp-protocol-version", "2025-11-25"), (400, -32020, "")),
        gate(|draft| draft.set("mcp-method", "tools/list"), (400, -32020, "")),
        gate(|draft| draft.set("mcp-name", "echo"), (400, -32020, "")),
    ];
    pass(&client, &post, &gates).await;
    // Without a session the version is never judged before the body.
    let mut unknown = post.clone();
    unknown.set("mcp-protocol-version", "2099-01-01");
    unknown.text = Some("{");
    assert_eq!(client.send(unknown.request()).await.error(400), -32700);
    unknown.set(KEY.0, "");
    assert_eq!(client.send(unknown.request()).await.error(401), -32600);
}

// SEC-1, SES-4, B150
#[tokio::test]
async fn who_fails_at_a_gate_leaves_no_trace_behind() {
    let made = Arc::new(AtomicUsize::new(0));
    let making = made.clone();
    let server = Server::per_caller(move |_: Arc<()>| {
        making.fetch_add(1, Ordering::Relaxed);
        async { Ok((Desk::default(), shop())) }
    });
    // There is one place of everything: what was taken once is missing after.
    let server = server.protocol(|protocol| protocol.streams = 1).limits(|limits| {
        limits.sessions = 1;
        limits.sessions_per_principal = 1;
        limits.calls_in_flight = 1;
    });
    let http = locked(server.http());
    let endpoint = http.into_service().unwrap();
    let client = Client(axum::Router::new().fallback_service(endpoint.clone()));
    let listen = enveloped("subscriptions/listen", json!({"notifications": {}}));
    let count = enveloped("tools/call", json!({"name": "count"}));
    let hello: Value = serde_json::from_str(&initialize("2025-11-25")).unwrap();
    let list: Value = serde_json::from_str(LIST).unwrap();
    let draft = |method: &Method, body: &Value| {
        let named = body["method"].as_str().unwrap_or_default();
        let tool = body["params"]["name"].as_str().unwrap_or_default();
        let version = body["params"]["_meta"]["io.modelcontextprotocol/protocolVersion"].as_str();
        let headers = [
            ("mcp-protocol-version", version.unwrap_or("2025-11-25")),
            ("mcp-method", named),
            ("mcp-name", tool),
            ("mcp-session-id", if body["id"] == 7 { "unknown" } else { "" }),
        ];
        Draft::new(method.clone(), body.clone(), &headers)
    };
    let gates = [host, origin, identity, accept, content_type, syntax, shape, session];
    for body in [&hello, &count, &listen, &list] {
        for (number, gate) in gates.iter().enumerate() {
            for method in [Method::POST, Method::GET, Method::DELETE] {
                let mut draft = draft(&method, body);
                (gate().breaks)(&mut draft);
                let is_good = number == 7 && method == Method::POST && body["id"] != 7;
                if !is_good {
                    let answer = client.send(draft.request()).await;
                    assert!(
                        answer.status.is_client_error(),
                        "{method} {number} {body}: {answer:?}"
                    );
                    assert_eq!(answer.header("mcp-session-id"), None);
                }
            }
        }
    }
    assert_eq!(endpoint.sessions(), 0);
    assert_eq!(made.load(Ordering::Relaxed), 0, "no agent is made for who is not served");
    let id = open(&client, &[KEY]).await;
    client.send(draft(&Method::POST, &count).request()).await.result();
    let _stream = client.stream(draft(&Method::POST, &listen).request()).await;
    let get = [KEY, ("accept", "text/event-stream")];
    let _other = client.stream(request(Method::GET, &with(&id, &get), "")).await;
}

#[tokio::test]
async fn b143_one_endpoint_and_three_methods() {
    let client = serve().client;
    let id = open(&client, &[]).await;
    for method in ["PUT", "PATCH", "HEAD", "OPTIONS", "TRACE", "CONNECT", "STEAL", "post"] {
        let method = Method::from_bytes(method.as_bytes()).unwrap();
        let answer = client.send(request(method.clone(), &with(&id, &[]), LIST)).await;
        assert_eq!(answer.header("allow"), Some("GET, POST, DELETE"), "{method}");
        assert_eq!(answer.status, 405, "{method}");
    }
}

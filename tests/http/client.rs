//! A client that hands requests to the router.

use agent_mcp::{
    Principal, Server, Store,
    transport::http::{Authenticate, Endpoint, Http},
};
use agent_mcp_tests::witness::Witness;
use bytes::Bytes;
use http::{HeaderMap, Method, Request, StatusCode, header};
use http_body_util::{BodyExt, Full};
use serde_json::{Value, json};
use tower::ServiceExt;

use crate::desk::{self, Desk, Message, Shop};

pub(crate) const MODERN: &str = "2026-07-28";

/// What was answered.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Bytes,
}

impl Answer {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).map(|value| value.to_str().unwrap())
    }

    /// The messages of a stream.
    pub(crate) fn events(&self) -> Vec<Value> {
        assert_eq!(self.header("content-type"), Some("text/event-stream"), "{self:?}");
        events(std::str::from_utf8(&self.body).unwrap())
    }

    pub(crate) fn json(&self) -> Value {
        // On a busy machine any call may take so long that its answer becomes a stream.
        if self.header("content-type") == Some("text/event-stream") {
            return self.events().pop().unwrap();
        }
        assert_eq!(self.header("content-type"), Some("application/json"), "{self:?}");
        serde_json::from_slice(&self.body).unwrap()
    }

    /// Holds an error to what every error must be, and gives its code (http-192).
    pub(crate) fn error(&self, status: u16) -> i64 {
        assert_eq!(self.status, status, "{self:?}");
        let error = self.json();
        assert_eq!(error["jsonrpc"], "2.0");
        assert!(error["error"]["message"].is_string(), "{error}");
        error["error"]["code"].as_i64().unwrap()
    }

    /// Holds all that it says to the published schema of the revision.
    fn witnessed(self, headers: &[(&str, &str)], message: Value) -> Self {
        let witness = Witness::default();
        let named = headers.iter().find(|(name, _)| *name == "mcp-protocol-version");
        if let Some((_, revision)) = named {
            witness.settle(revision);
        }
        witness.client(&message);
        let said = match self.header("content-type") {
            Some("application/json") => vec![serde_json::from_slice(&self.body).unwrap()],
            Some("text/event-stream") => self.events(),
            _ => Vec::new(),
        };
        said.iter().for_each(|message| witness.server(message));
        self
    }

    pub(crate) fn result(&self) -> Value {
        assert_eq!(self.status, 200, "{self:?}");
        let mut answer = self.json();
        assert!(answer.get("error").is_none(), "{answer}");
        answer["result"].take()
    }
}

/// One event of a stream.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Event {
    pub(crate) id: Option<String>,
    pub(crate) retry: Option<u64>,
    /// Nothing where its data is empty; `None` where it has none.
    pub(crate) data: Option<Option<Value>>,
}

/// The events in a piece of a stream, without its comments.
pub(crate) fn frames(piece: &str) -> Vec<Event> {
    assert!(piece.is_empty() || piece.ends_with("\n\n"), "no event is cut: {piece:?}");
    let parts = piece.split_terminator("\n\n").filter(|part| !part.starts_with(':'));
    let parse = |part: &str| {
        let mut event = Event::default();
        for line in part.lines() {
            match line.split_once(": ").unwrap() {
                ("id", id) => event.id = Some(id.to_owned()),
                ("retry", retry) => event.retry = Some(retry.parse().unwrap()),
                ("data", "") => event.data = Some(None),
                ("data", data) => event.data = Some(Some(serde_json::from_str(data).unwrap())),
                other => panic!("{other:?}"),
            }
        }
        event
    };
    parts.map(parse).collect()
}

/// The messages in a piece of a stream.
pub(crate) fn events(piece: &str) -> Vec<Value> {
    frames(piece).into_iter().filter_map(|event| event.data.flatten()).collect()
}

/// A stream that is being read.
pub(crate) struct Reading(axum::body::Body);

impl Reading {
    /// The next piece; `None` at the end.
    pub(crate) async fn next(&mut self) -> Option<String> {
        let frame = self.0.frame().await?.unwrap().into_data().unwrap();
        Some(String::from_utf8(frame.to_vec()).unwrap())
    }

    /// The next events with a message.
    pub(crate) async fn frames(&mut self) -> Vec<Event> {
        loop {
            let mut frames = frames(&self.next().await.expect("the stream goes on"));
            frames.retain(|event| matches!(event.data, Some(Some(_))));
            if !frames.is_empty() {
                return frames;
            }
        }
    }

    /// Everything up to the end.
    pub(crate) async fn rest(&mut self) -> Vec<Event> {
        let mut rest = Vec::new();
        while let Some(piece) = self.next().await {
            rest.extend(frames(&piece));
        }
        rest
    }

    /// The next piece with messages.
    pub(crate) async fn messages(&mut self) -> Vec<Value> {
        loop {
            let messages = events(&self.next().await.expect("the stream goes on"));
            if !messages.is_empty() {
                return messages;
            }
        }
    }
}

#[derive(Clone)]
pub(crate) struct Client(pub(crate) axum::Router);

/// The desk over HTTP, and what is behind it.
pub(crate) struct Served {
    pub(crate) client: Client,
    pub(crate) endpoint: Endpoint<()>,
    pub(crate) desk: Desk,
    pub(crate) shop: Store<Shop, Message>,
}

pub(crate) fn serve() -> Served {
    serve_with(|server| server, |http| http)
}

pub(crate) fn serve_with(
    server: impl FnOnce(Server) -> Server,
    http: impl FnOnce(Http<()>) -> Http<()>,
) -> Served {
    let (desk, shop) = (Desk::default(), desk::shop());
    let server = server(Server::bind(desk.clone(), shop.clone()));
    let http = http(server.http());
    let endpoint = http.into_service().unwrap();
    let client = Client(axum::Router::new().fallback_service(endpoint.clone()));
    Served { client, endpoint, desk, shop }
}

/// Takes the legacy revisions away.
pub(crate) fn modern_only(server: Server) -> Server {
    server.protocol(|protocol| protocol.revisions.retain(|revision| revision.is_modern()))
}

impl Client {
    pub(crate) fn of<P: Principal, A: Authenticate<P>>(http: Http<P, A>) -> Self {
        Self(http.into_router().unwrap())
    }

    pub(crate) async fn send<B>(&self, request: Request<B>) -> Answer
    where
        B: http_body::Body<Data = Bytes> + Send + 'static,
        B::Error: Into<axum::BoxError>,
    {
        let response = self.0.clone().oneshot(request.map(axum::body::Body::new)).await.unwrap();
        let (parts, body) = response.into_parts();
        let body = body.collect().await.unwrap().to_bytes();
        Answer { status: parts.status, headers: parts.headers, body }
    }

    /// Sends a request that is answered with a stream.
    pub(crate) async fn stream(&self, request: Request<Full<Bytes>>) -> Reading {
        let response = self.0.clone().oneshot(request.map(axum::body::Body::new)).await.unwrap();
        assert_eq!(response.status(), 200);
        assert_eq!(response.headers()["content-type"], "text/event-stream");
        assert_eq!(response.headers()["x-accel-buffering"], "no");
        assert_eq!(response.headers()["cache-control"], "no-cache");
        Reading(response.into_body())
    }

    /// A good request at the modern revision.
    pub(crate) async fn modern(&self, method: &str, params: Value) -> Answer {
        let answer = self.send(modern(method, params.clone())).await;
        answer.witnessed(&[], enveloped(method, params))
    }

    pub(crate) async fn post(&self, headers: &[(&str, &str)], body: impl Into<Bytes>) -> Answer {
        let body = body.into();
        let answer = self.send(post(headers, body.clone())).await;
        match serde_json::from_slice(&body) {
            Ok(message) => answer.witnessed(headers, message),
            Err(_) => answer.witnessed(headers, Value::Null),
        }
    }
}

/// A request with these headers in place of, or besides, those of a good POST. An empty value leaves a
/// header out.
pub(crate) fn post(headers: &[(&str, &str)], body: impl Into<Bytes>) -> Request<Full<Bytes>> {
    request(Method::POST, headers, body)
}

pub(crate) fn request(
    method: Method,
    headers: &[(&str, &str)],
    body: impl Into<Bytes>,
) -> Request<Full<Bytes>> {
    let mut request = Request::builder().method(method).uri("/mcp");
    let good = [
        (header::HOST.as_str(), "localhost:8787"),
        ("content-type", "application/json"),
        ("accept", "application/json, text/event-stream"),
    ];
    let is_given = |name: &str| headers.iter().any(|(given, _)| given.eq_ignore_ascii_case(name));
    for (name, value) in good.into_iter().filter(|(name, _)| !is_given(name)) {
        request = request.header(name, value);
    }
    for (name, value) in headers.iter().filter(|(_, value)| !value.is_empty()) {
        request = request.header(*name, *value);
    }
    request.body(Full::new(body.into())).unwrap()
}

pub(crate) fn message(id: i64, method: &str, params: Value) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params})
}

/// The message of a request at the modern revision.
pub(crate) fn enveloped(method: &str, mut params: Value) -> Value {
    if params["_meta"].is_null() {
        params["_meta"] = json!({});
    }
    params["_meta"]["io.modelcontextprotocol/protocolVersion"] = json!(MODERN);
    params["_meta"]["io.modelcontextprotocol/clientCapabilities"] = json!({});
    message(1, method, params)
}

/// A good request at the modern revision.
pub(crate) fn modern(method: &str, params: Value) -> Request<Full<Bytes>> {
    let name = params["name"].as_str().or(params["uri"].as_str()).unwrap_or_default().to_owned();
    let headers = [("mcp-protocol-version", MODERN), ("mcp-method", method), ("mcp-name", &*name)];
    post(&headers, enveloped(method, params).to_string())
}

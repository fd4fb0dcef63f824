//! OAuth: scopes, challenges, and the metadata of a protected resource.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use agent_mcp::{
    Context, Principal, PrincipalId, Server, agent,
    transport::http::{Authenticated, Http, ProtectedResource, bearer},
};
use bytes::Bytes;
use http::{Method, Request};
use http_body_util::Full;
use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

use crate::{
    client::{Answer, Client, message, modern},
    sessions::{initialize, open, with},
};

/// A caller whose token is its scopes: `todo:read+todo:write`.
pub(crate) struct Member {
    scopes: Vec<String>,
}

impl Principal for Member {
    fn id(&self) -> PrincipalId {
        PrincipalId::new("https://login.example", "ada")
    }

    fn scopes(&self) -> Vec<String> {
        self.scopes.clone()
    }

    fn has_scope(&self, needed: &str) -> bool {
        // A broad scope implies the narrower ones.
        let area = needed.split(':').next();
        self.scopes.iter().any(|scope| scope == needed || Some(&**scope) == area)
    }
}

#[derive(Clone, Default)]
struct Todos {
    runs: Arc<AtomicUsize>,
}

/// A todo list.
#[agent(name = "todos", principal = Member)]
impl Todos {
    /// Clears the list.
    #[capability(scopes = ["todo:write", "todo:read"])]
    async fn clear(&self) -> String {
        self.runs.fetch_add(1, Ordering::SeqCst);
        "cleared".to_owned()
    }

    /// Says hello first, and then what it needs scopes for.
    #[capability]
    async fn greet(&self, cx: &Context<Self>) -> usize {
        cx.principal().scopes.len()
    }

    /// The list.
    #[resource(scopes = ["todo:read"])]
    fn todos(&self) -> Vec<String> {
        self.runs.fetch_add(1, Ordering::SeqCst);
        Vec::new()
    }
}

fn todos(agent: &Todos) -> Http<Member, Authenticated<Member>> {
    let check = bearer(|token| async move {
        let known = token != "expired";
        let scopes = token.split('+').map(str::to_owned).collect();
        known.then_some(Member { scopes })
    });
    Server::new(agent.clone()).http().authenticate(check)
}

fn resource(address: &str) -> ProtectedResource {
    ProtectedResource::new(address).authorization_server("https://login.example")
}

const METADATA: &str =
    r#"resource_metadata="https://tools.example/.well-known/oauth-protected-resource/mcp""#;

/// A request for anything, from a browser or not.
async fn fetch(client: &Client, method: Method, path: &str, origin: Option<&str>) -> Answer {
    let mut request = Request::builder().method(method).uri(path).header("host", "tools.example");
    if let Some(origin) = origin {
        request = request.header("origin", origin);
    }
    client.send(request.body(Full::new(Bytes::new())).unwrap()).await
}

async fn ask(client: &Client, token: &str, method: &str, params: Value) -> Answer {
    let mut request = modern(method, params);
    request.headers_mut().insert("authorization", format!("Bearer {token}").parse().unwrap());
    client.send(request).await
}

fn clear() -> Value {
    json!({"name": "clear"})
}

#[tokio::test]
async fn auth_41c_audience_and_scope() {
    let agent = Todos::default();
    let client =
        Client::of(todos(&agent).protected_resource(resource("https://tools.example/mcp")));
    for token in ["todo:read", "other", ""] {
        let answer = ask(&client, token, "tools/call", clear()).await;
        assert_eq!(answer.error(403), -32600, "{token}");
        let challenge = answer.header("www-authenticate").unwrap();
        assert_eq!(
            challenge,
            format!(
                r#"Bearer error="insufficient_scope", scope="todo:write todo:read", {METADATA}"#
            )
        );
        let error = answer.json();
        assert_eq!(error["id"], 1, "{error}");
        assert_eq!(error["error"]["data"]["scopes"], json!(["todo:write", "todo:read"]));
        let outcome = &error["error"]["data"]["agent-mcp/outcome"];
        assert_eq!(outcome["status"], "insufficient_scope");
        let read = ask(&client, "other", "resources/read", json!({"uri": "app://todos"})).await;
        assert_eq!(read.error(403), -32600);
        assert!(read.header("www-authenticate").unwrap().contains(r#"scope="todo:read""#));
    }
    assert_eq!(agent.runs.load(Ordering::SeqCst), 0, "nothing has run");
    // AUTH-11: `todo` is enough for both.
    for token in ["todo:write+todo:read", "todo"] {
        let answer = ask(&client, token, "tools/call", clear()).await.result();
        assert_eq!(answer["content"][0]["text"], "cleared");
    }
    // Nothing is hidden, and what needs no scope is there for everybody.
    let list = ask(&client, "other", "tools/list", json!({})).await.result();
    assert_eq!(list["tools"][0]["name"], "clear");
    ask(&client, "other", "tools/call", json!({"name": "greet"})).await.result();
}

/// A stream has no status, so this never becomes one.
#[tokio::test]
async fn auth_10_where_every_answer_is_a_stream_too() {
    let client = Client::of(todos(&Todos::default()).always_stream());
    let answer = ask(&client, "other", "tools/call", clear()).await;
    assert_eq!(answer.error(403), -32600);
    let challenge = answer.header("www-authenticate").unwrap();
    assert_eq!(challenge, r#"Bearer error="insufficient_scope", scope="todo:write todo:read""#);
}

#[tokio::test]
async fn b147_rights_that_are_taken_away_count_at_the_next_call() {
    let client = Client::of(todos(&Todos::default()));
    let id = open(&client, &[("authorization", "Bearer todo")]).await;
    let call = message(1, "tools/call", clear()).to_string();
    for (token, status) in [("Bearer todo", 200), ("Bearer todo:read", 403), ("Bearer todo", 200)] {
        let answer = client.post(&with(&id, &[("authorization", token)]), call.clone()).await;
        assert_eq!(answer.status, status, "{answer:?}");
    }
}

#[tokio::test]
async fn auth_5ac_challenge() {
    let resource = resource("https://tools.example/mcp").scopes(["todo:read", "todo:list"]);
    let client = Client::of(todos(&Todos::default()).protected_resource(resource));
    let scope = r#"scope="todo:read todo:list""#;
    for (token, challenge) in [
        ("", format!("Bearer {scope}, {METADATA}")),
        ("Bearer expired", format!(r#"Bearer error="invalid_token", {scope}, {METADATA}"#)),
    ] {
        let answer = client.post(&[("authorization", token)], initialize("2025-11-25")).await;
        assert_eq!(answer.error(401), -32600);
        assert_eq!(answer.header("www-authenticate"), Some(&*challenge));
    }
    for path in ["/mcp", "", "/", "/mcp/"] {
        let path = format!("/.well-known/oauth-protected-resource{path}");
        // HTTP-2: it is public, so the page of any site may read it and no origin is refused.
        for origin in [None, Some("https://evil.example")] {
            let answer = fetch(&client, Method::GET, &path, origin).await;
            assert_eq!(answer.status, 200, "{path}");
            assert_eq!(answer.header("content-type"), Some("application/json"));
            assert_eq!(answer.header("access-control-allow-origin"), Some("*"));
            assert_eq!(
                answer.json(),
                json!({
                    "resource": "https://tools.example/mcp",
                    "authorization_servers": ["https://login.example"],
                    "scopes_supported": ["todo:read", "todo:list"],
                    "bearer_methods_supported": ["header"],
                })
            );
        }
        let head = fetch(&client, Method::HEAD, &path, None).await;
        assert_eq!((head.status.as_u16(), head.body.len()), (200, 0));
        let preflight = fetch(&client, Method::OPTIONS, &path, Some("https://app.example")).await;
        assert_eq!((preflight.status.as_u16(), preflight.body.len()), (204, 0));
        assert_eq!(preflight.header("access-control-allow-methods"), Some("GET"));
        for method in [Method::POST, Method::PUT, Method::DELETE] {
            let answer = fetch(&client, method, &path, None).await;
            assert_eq!(answer.error(405), -32600);
            assert_eq!(answer.header("allow"), Some("GET, HEAD, OPTIONS"));
        }
    }
}

#[tokio::test]
async fn auth_16b_resource_identifier() {
    for address in ["https://tools.example/mcp", "https://tools.example/mcp/"] {
        let resource = resource(address).name("Tools").documentation("https://tools.example/docs");
        let client = Client::of(todos(&Todos::default()).protected_resource(resource));
        for place in ["", "/mcp", "/mcp/"] {
            let place = format!("/.well-known/oauth-protected-resource{place}");
            let metadata = fetch(&client, Method::GET, &place, None).await.json();
            assert_eq!(metadata["resource"], "https://tools.example/mcp");
            assert_eq!(metadata["resource_name"], "Tools");
            assert_eq!(metadata["resource_documentation"], "https://tools.example/docs");
        }
        // The public host is one that the server goes by, and both addresses lead to it.
        for path in ["/mcp", "/mcp/"] {
            let mut request = modern("tools/list", json!({}));
            *request.uri_mut() = path.parse().unwrap();
            let headers = request.headers_mut();
            headers.insert("host", "tools.example".parse().unwrap());
            headers.insert("authorization", "Bearer todo".parse().unwrap());
            client.send(request).await.result();
        }
    }
}

#[tokio::test]
async fn auth_3_a_resource_may_be_anywhere() {
    // At the root of its host.
    let client =
        Client::of(todos(&Todos::default()).protected_resource(resource("https://tools.example")));
    let well_known = "/.well-known/oauth-protected-resource";
    let metadata = fetch(&client, Method::GET, well_known, None).await.json();
    assert_eq!(metadata["resource"], "https://tools.example");
    let refused = fetch(&client, Method::POST, "/", None).await;
    assert_eq!(
        refused.header("www-authenticate"),
        Some(
            r#"Bearer resource_metadata="https://tools.example/.well-known/oauth-protected-resource""#
        )
    );
    // Under another path than the one that a proxy shows to the world.
    let public = resource("https://tools.example/public/mcp");
    let client =
        Client::of(todos(&Todos::default()).protected_resource(public.clone()).path("/mcp"));
    assert_eq!(fetch(&client, Method::POST, "/mcp", None).await.status, 401);
    let place = format!("{well_known}/public/mcp");
    assert_eq!(fetch(&client, Method::GET, &place, None).await.status, 200);
    // Nested in the router of an application, which mounts the metadata at its root.
    let nested = todos(&Todos::default()).protected_resource(public.clone()).path("/mcp");
    let app = axum::Router::new().nest("/public", nested.into_router().unwrap());
    let client = Client(app.merge(public.router().unwrap()));
    assert_eq!(fetch(&client, Method::POST, "/public/mcp", None).await.status, 401);
    assert_eq!(fetch(&client, Method::GET, &place, None).await.status, 200);
    // What is no address is said when the server is built.
    let broken = todos(&Todos::default()).protected_resource(resource("tools"));
    let error = broken.into_router().unwrap_err().to_string();
    assert!(error.contains("`protected_resource`") && error.contains("`tools`"), "{error}");
}

#[tokio::test]
async fn auth_8_a_token_has_one_place() {
    let client = Client::of(
        todos(&Todos::default()).protected_resource(resource("https://tools.example/mcp")),
    );
    let to = |uri: &str, tokens: &[&str]| {
        let mut request = modern("tools/list", json!({}));
        *request.uri_mut() = uri.parse().unwrap();
        for token in tokens {
            request.headers_mut().append("authorization", token.parse().unwrap());
        }
        let client = client.clone();
        async move { client.send(request).await }
    };
    for (uri, tokens) in [
        ("/mcp?access_token=todo", &[][..]),
        ("/mcp?x=1&access_token=todo", &["Bearer todo"][..]),
        ("/mcp?access_token", &["Bearer todo"][..]),
        ("/mcp", &["Bearer todo", "Bearer todo"][..]),
    ] {
        let answer = to(uri, tokens).await;
        assert_eq!(answer.error(400), -32600, "{uri}");
        let challenge = format!(r#"Bearer error="invalid_request", {METADATA}"#);
        assert_eq!(answer.header("www-authenticate"), Some(&*challenge));
        assert!(!answer.json().to_string().contains("todo"), "a token is never repeated");
    }
    assert_eq!(to("/mcp?x=access_token", &["bearer todo"]).await.status, 200);
}

#[tokio::test]
async fn http_192_auth_3_a_server_of_its_own_has_the_metadata_and_nothing_else() {
    let http = todos(&Todos::default()).protected_resource(resource("https://tools.example/mcp"));
    let listening = http.listen("127.0.0.1:0").await.unwrap();
    let (address, closer) = (listening.address().unwrap(), listening.closer());
    let serving = tokio::spawn(listening.serve());
    for (path, status, said) in [
        ("/.well-known/oauth-protected-resource/mcp", 200, "https://tools.example/mcp"),
        ("/mcp", 401, "A bearer token is needed"),
        ("/nothing", 404, "There is nothing at this path"),
    ] {
        let mut socket = TcpStream::connect(address).await.unwrap();
        let head = format!("GET {path} HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n\r\n");
        socket.write_all(head.as_bytes()).await.unwrap();
        let mut answer = String::new();
        socket.read_to_string(&mut answer).await.unwrap();
        assert!(answer.starts_with(&format!("HTTP/1.1 {status} ")), "{answer}");
        assert!(answer.contains("application/json") && answer.contains(said), "{answer}");
    }
    closer.close();
    serving.await.unwrap().unwrap();
}

//! Methods, hosts, origins.

use agent_mcp::{
    Server,
    transport::http::{Unauthenticated, bearer},
};
use http::Method;
use serde_json::json;

use crate::{
    client::{Client, modern, modern_only, request, serve, serve_with},
    identity::{Office, User},
};

#[tokio::test]
async fn http_dd4_methods_the_endpoint_does_not_offer() {
    let client = serve_with(modern_only, |http| http).client;
    for method in [Method::GET, Method::DELETE, Method::PUT, Method::PATCH, Method::OPTIONS] {
        let answer = client.send(request(method.clone(), &[], "")).await;
        assert_eq!(answer.error(405), -32600, "{method}");
        assert_eq!(answer.header("allow"), Some("POST"), "{method}");
    }
}

async fn with(client: &Client, headers: &[(&'static str, &'static str)]) -> crate::client::Answer {
    let mut request = modern("tools/list", json!({}));
    for (name, value) in headers {
        request.headers_mut().insert(*name, http::HeaderValue::from_static(value));
    }
    client.send(request).await
}

#[tokio::test]
async fn http_1d7_host_check() {
    let client = serve().client;
    for host in ["localhost:4100", "127.0.0.1:4100", "[::1]:4100", "LOCALHOST"] {
        assert_eq!(with(&client, &[("host", host)]).await.status, 200, "{host}");
    }
    let refused = with(&client, &[("host", "evil.example")]).await;
    assert_eq!(refused.error(403), -32600);
    assert!(refused.json()["error"]["message"].as_str().unwrap().contains("`allowed_hosts`"));

    let public = serve_with(|server| server, |http| http.allowed_hosts(["tools.example"])).client;
    for host in ["tools.example", "tools.example:8443", "localhost"] {
        assert_eq!(with(&public, &[("host", host)]).await.status, 200, "{host}");
    }
    assert_eq!(with(&public, &[("host", "evil.example")]).await.error(403), -32600);

    // HTTP/2 has the name in the target only; what has it nowhere, twice or differently is refused.
    let target = |uri: &'static str, hosts: &[&'static str]| {
        let mut request = modern("tools/list", json!({}));
        *request.uri_mut() = uri.parse().unwrap();
        request.headers_mut().remove("host");
        for host in hosts {
            request.headers_mut().append("host", http::HeaderValue::from_static(host));
        }
        let client = client.clone();
        async move { client.send(request).await.status.as_u16() }
    };
    assert_eq!(target("http://localhost:4100/mcp", &[]).await, 200);
    assert_eq!(target("http://evil.example/mcp", &[]).await, 403);
    assert_eq!(target("http://evil.example/mcp", &["localhost"]).await, 403);
    assert_eq!(target("http://localhost/mcp", &["evil.example"]).await, 403);
    assert_eq!(target("/mcp", &["localhost", "evil.example"]).await, 403);
    assert_eq!(target("/mcp", &[]).await, 403);
}

#[tokio::test]
async fn b145_origins() {
    let client = serve().client;
    assert_eq!(
        with(&client, &[("host", "localhost:1"), ("origin", "http://localhost:1")]).await.status,
        200
    );
    for origin in ["http://localhost:2", "https://evil.example", "null"] {
        let answer = with(&client, &[("host", "localhost:1"), ("origin", origin)]).await;
        assert_eq!(answer.error(403), -32600, "{origin}");
        assert_eq!(answer.header("access-control-allow-origin"), None);
    }
}

#[tokio::test]
async fn http_353_browser_client() {
    const APP: &str = "https://app.example";
    let client = serve_with(|server| server, |http| http.allowed_origins([APP])).client;
    let preflight = |origin: &'static str| {
        let asked = "mcp-protocol-version, mcp-session-id, Last-Event-Id, authorization, mcp-param-region, content-type, x-evil";
        let headers = [
            ("origin", origin),
            ("access-control-request-method", "POST"),
            ("access-control-request-headers", asked),
            ("content-type", ""),
            ("accept", ""),
        ];
        client.send(request(Method::OPTIONS, &headers, ""))
    };
    let answer = preflight(APP).await;
    assert_eq!((answer.status.as_u16(), answer.body.len()), (204, 0));
    assert_eq!(answer.header("access-control-allow-origin"), Some(APP));
    assert_eq!(answer.header("access-control-allow-credentials"), None);
    assert_eq!(answer.header("access-control-allow-methods"), Some("GET, POST, DELETE"));
    assert_eq!(
        answer.header("access-control-allow-headers"),
        Some(
            "mcp-protocol-version, mcp-session-id, last-event-id, authorization, mcp-param-region, content-type"
        )
    );
    assert_eq!(answer.header("vary"), Some("Origin"));

    // Whatever the answer is, the page may read it and the headers that it needs.
    let check = bearer(|token| async move { User::of(&token) });
    let office = Server::new(Office).http().authenticate(check).allowed_origins([APP]);
    let office = Client::of(office);
    let good = ("authorization", "Bearer token-of-ada");
    for (answer, status) in [
        (with(&client, &[("origin", APP)]).await, 200),
        (with(&office, &[("origin", APP), good]).await, 200),
        (with(&office, &[("origin", APP)]).await, 401),
        (with(&office, &[("origin", APP), ("authorization", "Bearer x")]).await, 401),
        (with(&office, &[("origin", APP), good, ("accept", "text/html")]).await, 406),
    ] {
        assert_eq!(answer.status, status);
        assert_eq!(answer.header("access-control-allow-origin"), Some(APP));
        assert_eq!(answer.header("vary"), Some("Origin"));
        let exposed = answer.header("access-control-expose-headers").unwrap();
        assert!(exposed.contains("mcp-session-id") && exposed.contains("www-authenticate"));
    }
    // Without credentials: a preflight has none.
    let asked = [("origin", APP), ("access-control-request-method", "POST")];
    assert_eq!(office.send(request(Method::OPTIONS, &asked, "")).await.status, 204);

    let foreign = preflight("https://evil.example").await;
    assert_eq!(foreign.error(403), -32600);
    assert_eq!(foreign.header("access-control-allow-origin"), None);
    assert_eq!(with(&client, &[("origin", "https://evil.example")]).await.error(403), -32600);
}

#[tokio::test]
async fn http_192_error_bodies() {
    const GOOD: (&str, &str) = ("authorization", "Bearer token-of-ada");
    let client = Client::of(
        Server::new(Office)
            .limits(|limits| {
                limits.http_body = 2_000;
                limits.sessions_per_principal = 0;
            })
            .http()
            .authenticate(|head| async move {
                if head.headers.contains_key("x-broken") {
                    "no number".parse::<u8>()?;
                }
                let token = head.headers.get("authorization").and_then(|it| it.to_str().ok());
                let user = token.and_then(|it| User::of(it.strip_prefix("Bearer ")?));
                user.ok_or_else(|| Unauthenticated::because("Sign in first"))
            }),
    );
    let list = r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#;
    let long = format!("\"{}\"", "x".repeat(4_000));
    let hello = crate::sessions::initialize("2025-11-25");
    for (status, method, headers, body) in [
        (400, Method::POST, vec![GOOD], "{"),
        (400, Method::POST, vec![GOOD], "7"),
        (400, Method::POST, vec![GOOD], list),
        (400, Method::DELETE, vec![GOOD], ""),
        (401, Method::POST, vec![], list),
        (401, Method::GET, vec![], ""),
        (403, Method::POST, vec![GOOD, ("host", "evil.example")], list),
        (403, Method::POST, vec![GOOD, ("origin", "https://evil.example")], list),
        (404, Method::POST, vec![GOOD, ("mcp-session-id", "unknown")], list),
        (404, Method::DELETE, vec![GOOD, ("mcp-session-id", "unknown")], ""),
        (405, Method::PUT, vec![GOOD], list),
        (406, Method::POST, vec![GOOD, ("accept", "text/html")], list),
        (413, Method::POST, vec![GOOD], &long),
        (415, Method::POST, vec![GOOD, ("content-type", "text/plain")], list),
        (429, Method::POST, vec![GOOD], &hello),
        (500, Method::POST, vec![GOOD, ("x-broken", "1")], list),
    ] {
        let answer = client.send(request(method, &headers, body.to_owned())).await;
        assert_eq!(answer.header("content-type"), Some("application/json"), "{status}");
        let code = answer.error(status);
        assert_eq!(code == -32603, status == 500, "{code}");
        let error = answer.json();
        assert!(error["id"].is_null() || error["id"] == 1 || error["id"] == 0, "{error}");
        let text = error["error"]["message"].as_str().unwrap();
        assert!(!text.contains("digit") && !text.contains('<'), "{text}");
    }
}

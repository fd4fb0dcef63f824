//! The server as a part of other servers.

use std::{collections::HashMap, sync::Arc};

use agent_mcp::{
    Server,
    transport::http::{Endpoint, Unauthenticated},
};
use axum::{
    Router,
    extract::{Request, State},
    middleware::{Next, from_fn_with_state, map_response},
    response::Response,
    routing,
};
use bytes::Bytes;
use http_body_util::{BodyExt, Full};
use hyper::body::Incoming;
use hyper_util::{
    rt::{TokioExecutor, TokioIo},
    service::TowerToHyperService,
};
use serde_json::json;
use tokio::io::{DuplexStream, duplex};
use tower::ServiceBuilder;

use crate::{
    client::{Answer, Client, modern, post, request, serve},
    desk::{Desk, shop},
    identity::{Office, User},
    sessions::{LIST, call, open, text, with},
};

async fn answer(response: http::Response<Incoming>) -> Answer {
    let (parts, body) = response.into_parts();
    let body = body.collect().await.unwrap().to_bytes();
    Answer { status: parts.status, headers: parts.headers, body }
}

fn pipe() -> (TokioIo<DuplexStream>, TokioIo<DuplexStream>) {
    let (here, there) = duplex(1 << 16);
    (TokioIo::new(here), TokioIo::new(there))
}

/// A client of a server that has nothing of axum.
async fn carried(endpoint: Endpoint<()>) -> hyper::client::conn::http1::SendRequest<Full<Bytes>> {
    let (here, there) = pipe();
    let service = TowerToHyperService::new(endpoint);
    let server = hyper::server::conn::http1::Builder::new();
    tokio::spawn(async move { server.serve_connection(there, service).await });
    let (client, connection) = hyper::client::conn::http1::handshake(here).await.unwrap();
    tokio::spawn(connection);
    client
}

#[tokio::test]
async fn b159_hyper_carries_the_service_without_axum() {
    let mut client = carried(serve().endpoint).await;
    let mut send = async |request| {
        client.ready().await.unwrap();
        answer(client.send_request(request).await.unwrap()).await
    };
    let count = send(modern("tools/call", json!({"name": "count"}))).await;
    assert_eq!(count.result()["content"][0]["text"], "42");
    let steps = json!({"name": "steps", "_meta": {"progressToken": "t"}});
    let events = send(modern("tools/call", steps)).await.events();
    assert_eq!(events.len(), 4);
    assert_eq!(events[3]["result"]["content"][0]["text"], "done");
    assert_eq!(send(post(&[("mcp-session-id", "unknown")], LIST)).await.error(404), -32600);
    // Whatever the path: it looks at none.
    let mut elsewhere = modern("tools/list", json!({}));
    *elsewhere.uri_mut() = "/anywhere".parse().unwrap();
    send(elsewhere).await.result();
}

#[tokio::test]
async fn http_1d7_http_2_has_the_host_in_its_authority_only() {
    let (here, there) = pipe();
    let service = TowerToHyperService::new(serve().endpoint);
    let server = hyper::server::conn::http2::Builder::new(TokioExecutor::new());
    tokio::spawn(async move { server.serve_connection(there, service).await });
    let handshake = hyper::client::conn::http2::handshake(TokioExecutor::new(), here).await;
    let (client, connection) = handshake.unwrap();
    tokio::spawn(connection);
    let list = |authority: &str| {
        let mut request = modern("tools/list", json!({}));
        request.headers_mut().remove("host");
        *request.uri_mut() = format!("http://{authority}/mcp").parse().unwrap();
        let mut client = client.clone();
        async move { answer(client.send_request(request).await.unwrap()).await }
    };
    assert!(list("localhost:4100").await.result()["tools"].is_array());
    assert_eq!(list("evil.example").await.error(403), -32600);
    // Streams are streams there too.
    let steps = json!({"name": "steps", "_meta": {"progressToken": "t"}});
    let mut request = modern("tools/call", steps);
    *request.uri_mut() = "http://localhost/mcp".parse().unwrap();
    let streamed = client.clone().send_request(request).await.unwrap();
    assert_eq!(answer(streamed).await.events().len(), 4);
}

/// The state of an application: its users by their keys.
#[derive(Clone)]
struct Users(Arc<HashMap<&'static str, &'static str>>);

/// The application's own way to sign in.
async fn sign_in(State(users): State<Users>, mut request: Request, next: Next) -> Response {
    let key = request.headers().get("x-key").and_then(|key| key.to_str().ok());
    if let Some(token) = key.and_then(|key| users.0.get(key)) {
        request.extensions_mut().insert(User::of(token).unwrap());
    }
    next.run(request).await
}

async fn sign(mut response: Response) -> Response {
    response.headers_mut().insert("x-app", "shop".parse().unwrap());
    response
}

#[tokio::test]
async fn b159_two_agents_in_an_application_of_ones_own() {
    let users = Users(Arc::new([("a", "token-of-ada"), ("b", "token-of-bob")].into()));
    // The one takes its callers from a layer of the application, the other knows none.
    let office = Server::new(Office).http().authenticate(|head| async move {
        let user = head.extensions.get::<User>().cloned();
        user.ok_or_else(|| Unauthenticated::because("Sign in first"))
    });
    let office = office.path("/").into_router().unwrap();
    let desk = Server::bind(Desk::default(), shop()).http().path("/desk").into_router().unwrap();
    let app: Router = Router::new()
        .route(
            "/health",
            routing::get(|State(users): State<Users>| async move { users.0.len().to_string() }),
        )
        .nest_service("/agents/office", office)
        .nest("/agents", desk.with_state(()))
        .layer(from_fn_with_state(users.clone(), sign_in))
        .layer(map_response(sign))
        .with_state(users);
    let at = |path: &'static str| {
        let moved = ServiceBuilder::new().map_request(move |mut request: Request| {
            *request.uri_mut() = path.parse().unwrap();
            request
        });
        Client(Router::new().fallback_service(moved.service(app.clone())))
    };
    assert_eq!(at("/health").send(request(http::Method::GET, &[], "")).await.body, "2");

    let office = at("/agents/office");
    let session = open(&office, &[("x-key", "a")]).await;
    let who = office.post(&with(&session, &[("x-key", "a")]), call(1, "who")).await;
    assert_eq!(text(&who), "ada");
    assert_eq!(who.header("x-app"), Some("shop"), "layers see the answers");
    assert_eq!(office.post(&with(&session, &[("x-key", "b")]), LIST).await.error(404), -32600);
    assert_eq!(office.post(&with(&session, &[]), LIST).await.error(401), -32600);

    // What one of them knows is nothing to the other.
    let desk = at("/agents/desk");
    assert_eq!(desk.post(&with(&session, &[("x-key", "a")]), LIST).await.error(404), -32600);
    let session = open(&desk, &[]).await;
    assert_eq!(text(&desk.post(&with(&session, &[]), call(1, "count")).await), "42");
    let foreign = office.post(&[("x-key", "a"), ("mcp-session-id", &session)], LIST).await;
    assert_eq!(foreign.error(404), -32600);
    assert_eq!(at("/agents/desk/").post(&with(&session, &[]), LIST).await.status, 200);
    assert_eq!(at("/agents/elsewhere").post(&[], LIST).await.status, 404);
}

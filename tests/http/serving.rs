//! A server that listens itself, and its end.

use agent_mcp::{Server, agent, transport::http::Unauthenticated};
use agent_mcp_tests::tasks::Shelf;
use serde_json::json;
use tokio::{net::TcpStream, time::timeout};

use crate::{
    client::{enveloped, message},
    desk::{Desk, Gate, shop},
    identity::Office,
    sessions::initialize,
    socket::{Listening, Raw, SOON, Socket, exchange, listen},
};

async fn desk() -> (Desk, Listening) {
    let desk = Desk::default();
    let listening = listen(Server::bind(desk.clone(), shop()).http()).await;
    (desk, listening)
}

/// Opens a session.
async fn session(server: &Listening) -> String {
    let opened = exchange(server.address, &Raw::post(initialize("2025-11-25")).bytes()).await;
    let head = opened.unwrap().head;
    head.lines().find_map(|line| line.strip_prefix("mcp-session-id: ")).unwrap().to_owned()
}

/// Opens a stream of a session, and waits until it is open.
async fn stream(server: &Listening, session: &str) -> Socket {
    let mut socket = Socket::connect(server.address).await;
    let get = Raw::new("GET /mcp HTTP/1.1")
        .add("Accept", "text/event-stream")
        .add("Mcp-Session-Id", session);
    socket.send(&get.bytes()).await.unwrap();
    assert_eq!(socket.reply().await.unwrap().status, 200);
    socket
}

/// Begins a call that waits.
async fn call(server: &Listening, desk: &Desk, session: &str) -> Socket {
    let mut socket = Socket::connect(server.address).await;
    let wait = message(1, "tools/call", json!({"name": "wait"})).to_string();
    socket.send(&Raw::post(wait).add("Mcp-Session-Id", session).bytes()).await.unwrap();
    Gate::pass(&desk.gate.begun).await;
    socket
}

// B158
#[tokio::test]
async fn runtime_d83_stopping_the_http_server() {
    let (desk, server) = desk().await;
    let id = session(&server).await;
    let mut streams = [stream(&server, &id).await, stream(&server, &id).await];
    let mut call = call(&server, &desk, &id).await;
    let mut idle = Socket::connect(server.address).await;
    server.closer.close();
    for stream in &mut streams {
        timeout(SOON, stream.rest()).await.expect("streams end at once");
    }
    timeout(SOON, idle.rest()).await.expect("who waits for nothing is let go at once");
    assert!(TcpStream::connect(server.address).await.is_err(), "nobody listens any more");
    assert!(!server.serving.is_finished(), "a call is waited for");
    desk.gate.open.add_permits(1);
    assert!(call.rest().await.contains("done"), "its answer is delivered");
    timeout(SOON, server.serving).await.expect("then serving ends").unwrap().unwrap();
}

#[tokio::test]
async fn runtime_d83_a_server_ends_when_what_it_waits_for_comes() {
    let (signal, stop) = tokio::sync::oneshot::channel::<()>();
    let listening =
        Server::new(Office).http().authenticate(|_| async { Err(Unauthenticated::because("no")) });
    let listening = listening.listen("127.0.0.1:0").await.unwrap();
    let stop = async { drop(stop.await) };
    let serving = tokio::spawn(listening.until(stop).serve());
    signal.send(()).unwrap();
    timeout(SOON, serving).await.expect("serving ends").unwrap().unwrap();
}

#[tokio::test]
async fn an_address_that_is_taken_is_named() {
    let (_, server) = desk().await;
    let again = Server::bind(Desk::default(), shop()).http().listen(server.address).await;
    let error = again.err().unwrap().to_string();
    assert!(error.contains(&format!("cannot listen on {}: ", server.address)), "{error}");
}

#[tokio::test]
async fn runtime_d83_a_second_signal_ends_at_once() {
    let (desk, server) = desk().await;
    let id = session(&server).await;
    let mut call = call(&server, &desk, &id).await;
    server.closer.close();
    server.closer.close();
    assert!(!server.serving.is_finished(), "closing twice is closing once");
    server.closer.abort();
    timeout(SOON, server.serving).await.expect("now it ends at once").unwrap().unwrap();
    assert!(!timeout(SOON, call.rest()).await.unwrap().contains("done"));
    timeout(SOON, Gate::pass(&desk.gate.cancelled)).await.expect("the call is cancelled");
}

#[tokio::test]
async fn runtime_d83_a_call_that_does_not_end_is_left_behind() {
    let desk = Desk::default();
    let short = |limits: &mut agent_mcp::Limits| limits.drain = std::time::Duration::ZERO;
    let server = listen(Server::bind(desk.clone(), shop()).limits(short).http()).await;
    let id = session(&server).await;
    let mut call = call(&server, &desk, &id).await;
    server.closer.close();
    timeout(SOON, server.serving).await.expect("within the limit").unwrap().unwrap();
    timeout(SOON, call.rest()).await.expect("the connection is cut");
    timeout(SOON, Gate::pass(&desk.gate.cancelled)).await.expect("the call is cancelled");
}

struct Yard;

#[agent(name = "yard")]
impl Yard {
    /// Works without an end.
    #[capability(task = "required")]
    async fn work(&self) {
        std::future::pending::<()>().await;
    }
}

/// A server with one task that does not end.
async fn working(drain: std::time::Duration) -> (Shelf, Listening) {
    let shelf = Shelf::default();
    let server = Server::new(Yard).task_store(shelf.clone()).limits(|limits| limits.drain = drain);
    let listening = listen(server.http()).await;
    let mut body = enveloped("tools/call", json!({"name": "work"}));
    body["params"]["_meta"]["io.modelcontextprotocol/clientCapabilities"] =
        json!({"extensions": {"io.modelcontextprotocol/tasks": {}}});
    let work = Raw::modern("tools/call", json!({"name": "work"})).body(body.to_string());
    let begun = exchange(listening.address, &work.bytes()).await.unwrap();
    assert!(begun.body.contains("working"), "{begun:?}");
    assert_eq!(shelf.endings().await, [json!(null)]);
    (shelf, listening)
}

#[tokio::test]
async fn a_task_that_does_not_end_is_cancelled_with_the_drain_limit() {
    let (shelf, server) = working(std::time::Duration::from_millis(200)).await;
    server.closer.close();
    timeout(SOON, server.serving).await.expect("within the limit").unwrap().unwrap();
    assert_eq!(shelf.endings().await, ["cancelled"]);
}

#[tokio::test]
async fn a_second_signal_cancels_tasks_at_once() {
    let (shelf, server) = working(std::time::Duration::from_secs(3_600)).await;
    server.closer.close();
    server.closer.abort();
    timeout(SOON, server.serving).await.expect("it ends at once").unwrap().unwrap();
    let cancelled = async {
        while shelf.endings().await != ["cancelled"] {
            tokio::task::yield_now().await;
        }
    };
    timeout(SOON, cancelled).await.expect("the task is cancelled");
}

// B147
#[tokio::test]
async fn a_panic_of_the_application_is_an_error_of_the_server() {
    let http = Server::new(Office).http().authenticate(|head| async move {
        if head.headers.contains_key("authorization") {
            panic!("/home/secret/path");
        }
        Err(Unauthenticated::because("Sign in"))
    });
    let server = listen(http).await;
    let list = Raw::modern("tools/list", json!({}));
    let mut socket = Socket::connect(server.address).await;
    for (request, status) in [(list.clone().add("Authorization", "x"), 500), (list, 401)] {
        // The connection goes on.
        socket.send(&request.bytes()).await.unwrap();
        let reply = socket.reply().await.unwrap();
        assert_eq!(reply.status, status);
        assert!(reply.body.contains("jsonrpc") && !reply.body.contains("secret"), "{}", reply.body);
    }
}

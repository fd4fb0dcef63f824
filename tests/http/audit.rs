//! The audit of requests that reach nothing.

use std::{sync::Arc, time::Duration};

use agent_mcp::{
    Audit, AuditEntry, AuditLog, AuditSink, BoxError, Server,
    runtime::{Action, Delivery, Status},
    transport::http::bearer,
};
use http::Method;
use serde_json::json;
use tokio::sync::Semaphore;

use crate::{
    client::{Client, modern, post, request},
    identity::{Office, User},
    sessions::{open, with},
};

const ADA: [(&str, &str); 1] = [("authorization", "Bearer token-of-ada")];
const BOB: [(&str, &str); 1] = [("authorization", "Bearer token-of-bob")];
const LIST: &str = r#"{"jsonrpc":"2.0","id":7,"method":"tools/list"}"#;

fn office(audit: impl Into<Audit>) -> Client {
    let check = bearer(|token| async move { User::of(&token) });
    Client::of(Server::new(Office).audit(audit).http().authenticate(check))
}

/// The entries, when there are as many.
async fn entries(log: &AuditLog, count: usize) -> Vec<AuditEntry> {
    while log.entries().len() < count {
        tokio::task::yield_now().await;
    }
    log.entries()
}

#[tokio::test]
async fn session_3ac_the_audit_names_who_reached_for_it() {
    let log = AuditLog::new(500);
    let client = office(log.clone());
    let id = open(&client, &ADA).await;
    client.post(&with("unknown", &BOB), LIST).await.error(404);
    client.post(&with(&id, &BOB), LIST).await.error(404);
    client.send(request(Method::GET, &with(&id, &BOB), "")).await.error(404);
    client.send(request(Method::DELETE, &with(&id, &BOB), "")).await.error(404);
    client.post(&with(&id, &ADA), LIST).await.result();
    let entries = entries(&log, 3).await;
    let seen: Vec<_> = entries.iter().map(|entry| (entry.action, &*entry.target)).collect();
    let refused = |target| (Action::Request, target);
    assert_eq!(seen, ["POST /mcp", "GET /mcp", "DELETE /mcp"].map(refused));
    for entry in &entries {
        assert_eq!(entry.principal.as_str(), "here bob");
        assert_eq!(entry.session.as_deref(), Some(&*id));
        assert_eq!((entry.status, entry.dispatched), (Status::ForeignSession, Delivery::No));
        assert_eq!((&*entry.transport, entry.arguments.is_none()), ("http", true));
    }
}

#[tokio::test]
async fn audit_of_requests_without_a_caller_and_from_foreign_places() {
    let log = AuditLog::new(500);
    let client = office(log.clone());
    let list = |headers: &[(&str, &str)]| {
        let mut request = modern("tools/list", json!({}));
        for (name, value) in headers {
            let name = http::HeaderName::try_from(*name).unwrap();
            request.headers_mut().insert(name, value.parse().unwrap());
        }
        *request.uri_mut() = "/mcp?secret=hunter2".parse().unwrap();
        client.send(request)
    };
    list(&[]).await.error(401);
    list(&[("authorization", "Bearer hunter2")]).await.error(401);
    list(&[("host", "evil.example")]).await.error(403);
    list(&[("origin", &format!("https://{}.example", "x".repeat(400)))]).await.error(403);
    // What is let in and fails for another reason is none of these.
    client.post(&ADA, "{").await.error(400);
    let entries = entries(&log, 4).await;
    let seen: Vec<_> = entries.iter().map(|entry| entry.status.as_str()).collect();
    assert_eq!(seen, ["unauthenticated", "unauthenticated", "forbidden", "forbidden"]);
    assert_eq!(entries[2].note.as_deref(), Some("host evil.example, origin -"));
    assert!(entries[3].note.as_ref().unwrap().len() < 300);
    let text = serde_json::to_string(&entries).unwrap();
    assert!(!text.contains("hunter2"), "{text}");
    assert!(entries.iter().all(|entry| entry.principal.as_str() == "anonymous"));
    assert_eq!(serde_json::to_value(&entries[0]).unwrap()["action"], "request");
}

/// A sink that takes an entry when it is let.
#[derive(Clone)]
struct Slow {
    gate: Arc<Semaphore>,
    log: AuditLog,
}

impl AuditSink for Slow {
    async fn record(&self, entry: &AuditEntry) -> Result<(), BoxError> {
        self.gate.acquire().await?.forget();
        self.log.record(entry).await
    }
}

#[tokio::test]
async fn a_flood_of_strangers_takes_no_place_from_a_call() {
    let sink = Slow { gate: Arc::new(Semaphore::new(0)), log: AuditLog::new(500) };
    let client = office(Audit::to(sink.clone()).queue(8).closed());
    for _ in 0..100 {
        client.send(post(&[], LIST)).await.error(401);
        tokio::task::yield_now().await;
    }
    let mut call = modern("tools/call", json!({"name": "who"}));
    call.headers_mut().insert("authorization", ADA[0].1.parse().unwrap());
    let answer = tokio::time::timeout(Duration::from_secs(60), client.send(call)).await.unwrap();
    assert_eq!(answer.result()["content"][0]["text"], "ada", "the call has found a place");
    sink.gate.add_permits(1_000);
    while sink.log.entries().iter().all(|entry| entry.action != Action::Call) {
        tokio::task::yield_now().await;
    }
    let strangers = sink.log.entries().len() - 1;
    assert!((1..=5).contains(&strangers), "{strangers}");

    let log = AuditLog::new(500);
    let client = office(Audit::to(log.clone()).without_refused_requests());
    client.send(post(&[], LIST)).await.error(401);
    let mut call = modern("tools/call", json!({"name": "who"}));
    call.headers_mut().insert("authorization", ADA[0].1.parse().unwrap());
    client.send(call).await.result();
    assert_eq!(entries(&log, 1).await[0].action, Action::Call);
}

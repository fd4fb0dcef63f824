//! What a caller may, from request to request.

use std::time::{Duration, SystemTime};

use agent_mcp::{Principal, PrincipalId, Server, agent, transport::http::bearer};
use http::Method;
use serde_json::json;
use tokio::time::Instant;

use crate::{
    client::{Client, modern, request},
    desk::{Message, Shop, shop},
    sessions::{LIST, call, open, with},
};

/// Always the same caller, with the rights that the token says.
struct Clerk {
    may_sign: bool,
    for_a_minute: bool,
}

impl Principal for Clerk {
    fn id(&self) -> PrincipalId {
        PrincipalId::local("clerk")
    }

    fn expires_at(&self) -> Option<SystemTime> {
        self.for_a_minute.then(|| SystemTime::now() + Duration::from_secs(60))
    }
}

struct Bureau;

/// A bureau.
#[agent(name = "bureau", model = Shop, message = Message, principal = Clerk)]
impl Bureau {
    /// Signs.
    #[capability(available = |_, clerk| clerk.may_sign)]
    async fn sign(&self) {}

    /// Waits.
    #[capability]
    async fn idle(&self) {}
}

fn bureau() -> Client {
    let check = bearer(|token| async move {
        let (may_sign, for_a_minute) = (!token.contains("reduced"), token.contains("minute"));
        Some(Clerk { may_sign, for_a_minute })
    });
    Client::of(Server::bind(Bureau, shop()).http().authenticate(check))
}

const FULL: [(&str, &str); 1] = [("authorization", "Bearer full")];
const REDUCED: [(&str, &str); 1] = [("authorization", "Bearer reduced")];
const MINUTE: [(&str, &str); 1] = [("authorization", "Bearer minute")];

#[tokio::test]
async fn o21_rights_that_are_taken_away_count_at_once() {
    let client = bureau();
    let id = open(&client, &FULL).await;
    let tools = |headers| {
        let client = &client;
        let id = &id;
        async move {
            client.post(&with(id, headers), LIST).await.result()["tools"].as_array().unwrap().len()
        }
    };
    assert_eq!(tools(&FULL).await, 2);
    let accept = [FULL[0], ("accept", "text/event-stream")];
    let mut stream = client.stream(request(Method::GET, &with(&id, &accept), "")).await;
    let answer = client.post(&with(&id, &REDUCED), call(1, "sign")).await.result();
    assert_eq!(answer["isError"], true);
    // What is told is told to the caller as it is now.
    assert_eq!(stream.messages().await[0]["method"], "notifications/tools/list_changed");
    assert_eq!(tools(&REDUCED).await, 1);
    let answer = client.post(&with(&id, &FULL), call(1, "sign")).await.result();
    assert_eq!(answer.get("isError"), None);
}

#[tokio::test(start_paused = true)]
async fn auth_14_a_stream_ends_with_the_credentials_of_its_caller() {
    let client = bureau();
    let id = open(&client, &FULL).await;
    let accept = [MINUTE[0], ("accept", "text/event-stream")];
    let get = request(Method::GET, &with(&id, &accept), "");
    let filter = json!({"notifications": {"toolsListChanged": true}});
    let mut listen = modern("subscriptions/listen", filter);
    listen.headers_mut().insert("authorization", "Bearer minute".parse().unwrap());
    for (request, is_modern) in [(get, false), (listen, true)] {
        let start = Instant::now();
        let rest = client.stream(request).await.rest().await;
        assert!((59..=61).contains(&start.elapsed().as_secs()), "{:?}", start.elapsed());
        let last = rest.last().unwrap();
        if is_modern {
            let closing = last.data.as_ref().unwrap().as_ref().unwrap();
            assert_eq!(closing["result"]["resultType"], "complete");
        } else {
            assert_eq!(last.retry, Some(1000));
        }
    }
    // The session goes on.
    client.post(&with(&id, &FULL), LIST).await.result();
}

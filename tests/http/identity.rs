//! Who calls.

use agent_mcp::{
    Context, Limits, Principal, PrincipalId, Server, agent,
    transport::http::{Unauthenticated, bearer},
};
use serde_json::{Value, json};

use crate::client::{Answer, Client, modern, request};

#[derive(Clone)]
pub(crate) struct User {
    issuer: String,
    name: String,
}

impl User {
    /// The caller of a token: `token-of-NAME`, renewed with `-2`, from elsewhere with `@ISSUER`.
    pub(crate) fn of(token: &str) -> Option<Self> {
        let token = token.strip_prefix("token-of-")?;
        let (name, issuer) = token.split_once('@').unwrap_or((token, "here"));
        let name = name.trim_end_matches("-2").to_owned();
        Some(Self { issuer: issuer.to_owned(), name })
    }
}

impl Principal for User {
    fn id(&self) -> PrincipalId {
        PrincipalId::new(&self.issuer, &self.name)
    }
}

pub(crate) struct Office;

/// An office.
#[agent(name = "office", principal = User)]
impl Office {
    /// Who calls.
    #[capability]
    async fn who(&self, cx: &Context<Self>) -> String {
        cx.principal().name.clone()
    }

    /// All that a method learns of its call.
    #[capability]
    async fn everything(&self, cx: &Context<Self>) -> String {
        let (call, client) = (cx.invocation(), cx.client());
        format!("{call:?} {:?} {client:?} {:?}", call.trace(), cx.meta("authorization"))
    }
}

async fn who(client: &Client, token: Option<&str>) -> Answer {
    let mut request = modern("tools/call", json!({"name": "who"}));
    if let Some(token) = token {
        request.headers_mut().insert("authorization", token.parse().unwrap());
    }
    client.send(request).await
}

/// The office, whose callers show a token.
pub(crate) fn office(change: impl FnOnce(&mut Limits)) -> Client {
    let check = bearer(|token| async move { User::of(&token) });
    Client::of(Server::new(Office).limits(change).http().authenticate(check))
}

fn by_token() -> Client {
    office(|_| {})
}

#[tokio::test]
async fn b147_each_request_has_its_own_caller() {
    let client = by_token();
    for name in ["ada", "bob"] {
        let answer = who(&client, Some(&format!("Bearer token-of-{name}"))).await.result();
        assert_eq!(answer["content"][0]["text"], name);
    }
}

#[tokio::test]
async fn b147_who_shows_nothing_or_the_wrong_thing_is_refused() {
    let client = by_token();
    let answer = who(&client, None).await;
    assert_eq!(answer.error(401), -32600);
    assert_eq!(answer.header("www-authenticate"), Some("Bearer"));
    for (token, challenge) in [
        ("Bearer nonsense", "Bearer error=\"invalid_token\""),
        ("bearer  ", "Bearer error=\"invalid_token\""),
        // What is no token is no invalid one.
        ("Basic token-of-ada", "Bearer"),
        ("token-of-ada", "Bearer"),
    ] {
        let answer = who(&client, Some(token)).await;
        assert_eq!(answer.error(401), -32600, "{token}");
        assert_eq!(answer.header("www-authenticate"), Some(challenge), "{token}");
    }
    // B144: before the media types and the method.
    let bad = [("accept", "text/html"), ("content-type", "")];
    for method in [http::Method::POST, http::Method::GET, http::Method::PUT] {
        assert_eq!(client.send(request(method, &bad, "{")).await.error(401), -32600);
    }
}

#[tokio::test]
async fn b147_a_reason_is_told_and_a_defect_is_not() {
    let client = Client::of(Server::new(Office).http().authenticate(|head| async move {
        if head.headers.contains_key("authorization") {
            "no number".parse::<u8>()?;
        }
        Err(Unauthenticated::because("Sign in at the desk"))
    }));
    let refused = who(&client, None).await;
    assert_eq!(refused.error(401), -32600);
    assert_eq!(refused.json()["error"]["message"], json!("Sign in at the desk"));
    let broken = who(&client, Some("Bearer x")).await;
    assert_eq!(broken.error(500), -32603);
    let text: Value = broken.json()["error"]["message"].clone();
    assert!(!text.as_str().unwrap().contains("digit"), "{text}");
}

#[tokio::test]
async fn a_layer_in_front_may_say_who_calls() {
    let client = Client::of(Server::new(Office).http().authenticate(|head| async move {
        let user = head.extensions.get::<User>().cloned();
        user.ok_or_else(|| Unauthenticated::because("Sign in first"))
    }));
    let layered = Client(client.0.layer(axum::Extension(User::of("token-of-eve").unwrap())));
    assert_eq!(who(&layered, None).await.result()["content"][0]["text"], "eve");
}

#[tokio::test]
async fn auth_7_a_token_goes_no_further_than_its_check() {
    let client = by_token();
    let mut request = modern("tools/call", json!({"name": "everything"}));
    request.headers_mut().insert("authorization", "Bearer token-of-ada".parse().unwrap());
    let answer = client.send(request).await.result();
    let said = answer["content"][0]["text"].as_str().unwrap();
    assert!(!said.contains("token-of") && !said.contains("Bearer"), "{said}");
}

//! OAuth: scopes, challenges, and the metadata of a protected resource.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use agent_mcp::{
    Context, Principal, PrincipalId, Server, agent,
    transport::http::{Authenticated, Http, bearer},
};
use serde_json::{Value, json};

use crate::{
    client::{Answer, Client, message, modern},
    sessions::{open, with},
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
    let client = Client::of(todos(&agent));
    for token in ["todo:read", "other", ""] {
        let answer = ask(&client, token, "tools/call", clear()).await;
        assert_eq!(answer.error(403), -32600, "{token}");
        let challenge = answer.header("www-authenticate").unwrap();
        assert_eq!(challenge, r#"Bearer error="insufficient_scope", scope="todo:write todo:read""#);
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

#[tokio::test]
async fn auth_10_a_stream_that_has_begun_says_it_in_the_result() {
    let client = Client::of(todos(&Todos::default()).always_stream());
    let answer = ask(&client, "other", "tools/call", clear()).await;
    assert_eq!(answer.header("www-authenticate"), None);
    let result = answer.result();
    assert_eq!(result["isError"], true);
    assert_eq!(
        result["content"][0]["text"],
        "`clear` needs the scopes `todo:write todo:read`, which your credentials do not carry."
    );
    assert_eq!(result["_meta"]["agent-mcp/outcome"]["status"], "insufficient_scope");
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

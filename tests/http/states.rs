//! Whose a state is that a modern client carries, and how often it is used, over HTTP (MR-4 to MR-8).

use std::time::Duration;

use agent_mcp::{
    Context, Form, Principal, PrincipalId, Server, Unanswered, agent,
    runtime::Limits,
    transport::http::{MemoryStore, bearer},
};
use serde_json::{Value, json};

use crate::client::{Answer, Client, MODERN, enveloped};

struct User(String);

impl Principal for User {
    fn id(&self) -> PrincipalId {
        PrincipalId::local(&self.0)
    }
}

#[derive(Form)]
struct Sure {
    sure: bool,
}

#[derive(Clone)]
struct Till;

#[agent(name = "till", principal = User)]
impl Till {
    /// Asks before it pays.
    #[capability]
    async fn pay(&self, cx: &Context<Self>, amount: u128) -> Result<String, Unanswered> {
        let answer: Sure = cx.ask("sure", "Pay?").await?;
        Ok(format!("{} pays {amount}: {}", cx.principal().0, answer.sure))
    }

    /// Asks the same before it lends.
    #[capability]
    async fn lend(&self, cx: &Context<Self>, amount: u128) -> Result<String, Unanswered> {
        let answer: Sure = cx.ask("sure", "Pay?").await?;
        Ok(format!("{} lends {amount}: {}", cx.principal().0, answer.sure))
    }
}

fn serve(store: &MemoryStore) -> Client {
    serve_with(store, |_| {})
}

fn serve_with(store: &MemoryStore, limits: impl FnOnce(&mut Limits)) -> Client {
    let check = bearer(|token| async move { Some(User(token)) });
    let server = Server::new(Till).state_keys([[1; 32]]).limits(limits);
    Client::of(server.http().authenticate(check).sessions(store.clone()))
}

async fn call(client: &Client, user: &str, params: &Value) -> Answer {
    let mut body = enveloped("tools/call", params.clone());
    body["params"]["_meta"]["io.modelcontextprotocol/clientCapabilities"] =
        json!({"elicitation": {}});
    let (name, token) = (params["name"].as_str().unwrap(), format!("Bearer {user}"));
    let headers = [
        ("mcp-protocol-version", MODERN),
        ("mcp-method", "tools/call"),
        ("mcp-name", name),
        ("authorization", &token),
    ];
    client.post(&headers, body.to_string()).await
}

fn pay(amount: u128) -> Value {
    let amount: Value = serde_json::from_str(&amount.to_string()).unwrap();
    json!({"name": "pay", "arguments": {"amount": amount}})
}

/// The params, with an answer to what was asked.
fn answered(mut params: Value, asks: &Answer, sure: Value) -> Value {
    let asks = asks.result();
    assert_eq!(asks["resultType"], "input_required");
    params["requestState"] = asks["requestState"].clone();
    params["inputResponses"] = json!({"sure": {"action": "accept", "content": {"sure": sure}}});
    params
}

fn refused(answer: &Answer) -> String {
    assert_eq!(answer.error(200), -32602);
    answer.json()["error"]["message"].as_str().unwrap().to_owned()
}

fn text(answer: &Answer) -> String {
    answer.result()["content"][0]["text"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn mr_5_a_state_is_of_no_use_to_anybody_else_nor_for_anything_else() {
    let client = serve(&MemoryStore::new());
    let asks = call(&client, "ada", &pay(7)).await;
    let right = answered(pay(7), &asks, json!(true));
    let mut lend = right.clone();
    lend["name"] = json!("lend");
    let other = answered(pay(8), &asks, json!(true));
    for (user, params) in [("bob", &right), ("", &right), ("ada", &lend), ("ada", &other)] {
        let message = refused(&call(&client, user, params).await);
        assert!(message.contains("not what this server gave"), "{message}");
    }
    // It is hers all the same.
    assert_eq!(text(&call(&client, "ada", &right).await), "ada pays 7: true");
}

#[tokio::test]
async fn mr_5_two_large_numbers_are_two_arguments() {
    let client = serve(&MemoryStore::new());
    let written = |amount: &str, state: Option<&Value>| {
        let mut params = json!({"name": "pay", "arguments": {"amount": "AMOUNT"}});
        if let Some(state) = state {
            params["requestState"] = state.clone();
            params["inputResponses"] =
                json!({"sure": {"action": "accept", "content": {"sure": true}}});
        }
        let mut body = enveloped("tools/call", params);
        body["params"]["_meta"]["io.modelcontextprotocol/clientCapabilities"] =
            json!({"elicitation": {}});
        body.to_string().replace("\"AMOUNT\"", amount)
    };
    let headers = [
        ("mcp-protocol-version", MODERN),
        ("mcp-method", "tools/call"),
        ("mcp-name", "pay"),
        ("authorization", "Bearer ada"),
    ];
    let (one, other) = ("36893488147419103232", "36893488147419103233");
    let asks = client.post(&headers, written(one, None)).await.result();
    let state = &asks["requestState"];
    refused(&client.post(&headers, written(other, Some(state))).await);
    let done = client.post(&headers, written(one, Some(state))).await;
    assert_eq!(text(&done), format!("ada pays {one}: true"));
}

#[tokio::test(start_paused = true)]
async fn mr_5_a_state_that_is_too_old_is_none() {
    let client = serve(&MemoryStore::new());
    let asks = call(&client, "ada", &pay(7)).await;
    let right = answered(pay(7), &asks, json!(true));
    tokio::time::advance(Duration::from_secs(602)).await;
    let message = refused(&call(&client, "ada", &right).await);
    assert!(message.contains("too old"), "{message}");
}

#[tokio::test]
async fn mr_6_an_answer_is_corrected_at_another_server() {
    let store = MemoryStore::new();
    let (one, other) = (serve(&store), serve(&store));
    let asks = call(&one, "ada", &pay(7)).await;
    let wrong = answered(pay(7), &asks, json!("perhaps"));
    let message = refused(&call(&one, "ada", &wrong).await);
    assert!(message.contains("`sure`"), "{message}");
    let right = answered(pay(7), &asks, json!(true));
    assert_eq!(text(&call(&other, "ada", &right).await), "ada pays 7: true");
    for server in [&one, &other] {
        assert!(refused(&call(server, "ada", &right).await).contains("used before"));
    }
}

#[tokio::test]
async fn mr_6_of_many_repeats_at_the_same_time_one_goes_on() {
    let store = MemoryStore::new();
    let (one, other) = (serve(&store), serve(&store));
    let asks = call(&one, "ada", &pay(7)).await;
    let right = answered(pay(7), &asks, json!(true));
    let mut repeats = tokio::task::JoinSet::new();
    for number in 0..16 {
        let (server, right) = (if number % 2 == 0 { &one } else { &other }.clone(), right.clone());
        repeats.spawn(async move { call(&server, "ada", &right).await.json() });
    }
    let answers = repeats.join_all().await;
    let gone_on = answers.iter().filter(|answer| answer.get("result").is_some()).count();
    assert_eq!(gone_on, 1, "{answers:?}");
}

#[tokio::test]
async fn one_caller_uses_up_no_room_of_others() {
    let client = serve_with(&MemoryStore::new(), |limits| limits.used_states_per_principal = 1);
    for (user, expected) in
        [("ada", None), ("ada", Some("used_states_per_principal")), ("bob", None)]
    {
        let asks = call(&client, user, &pay(7)).await;
        let answer = call(&client, user, &answered(pay(7), &asks, json!(true))).await;
        match expected {
            None => assert_eq!(text(&answer), format!("{user} pays 7: true")),
            Some(setting) => {
                assert_eq!(answer.error(200), -32600);
                let message = answer.json()["error"]["message"].to_string();
                assert!(message.contains(setting), "{message}");
            }
        }
    }
}

//! Agents that are made for each caller: what holds for every adapter, and what serving over a pair of
//! streams does with them (B154, O21, O29; design 2).

use std::{
    future::pending,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use agent_mcp::{
    Context, Effects, Failure, Host, Principal, PrincipalId, Server, Store, agent,
    host::BoxError,
    mcp::{Handler, Outbox, Received},
    runtime::{BuildError, Status},
};
use serde_json::{Value, json};

use crate::desk::status;

struct User {
    name: &'static str,
    may_write: bool,
}

impl Principal for User {
    fn id(&self) -> PrincipalId {
        PrincipalId::local(self.name)
    }
}

fn user(name: &'static str) -> Arc<User> {
    Arc::new(User { name, may_write: true })
}

/// It is its own Model.
struct Badge {
    owner: &'static str,
}

#[agent(principal = User)]
impl Badge {
    /// Whose it is.
    #[capability]
    async fn owner(&self) -> String {
        self.owner.to_owned()
    }
}

struct Diary;

#[derive(Clone)]
struct Wrote;

#[agent(model = usize, message = Wrote, principal = User)]
impl Diary {
    /// Writes a page.
    #[capability(
        authorize = |call| call.principal.may_write,
        completion = when(|_, pages| *pages > 0),
    )]
    fn write(_cx: &Context<Self>) -> Wrote {
        Wrote
    }

    /// Tears the last page out.
    #[capability(available = |pages| *pages > 0)]
    async fn tear(&self) {}

    /// How many pages there are.
    #[resource]
    fn pages(cx: &Context<Self>) -> usize {
        *cx.model()
    }
}

fn diary() -> Store<usize, Wrote> {
    Store::new(0, |pages: &usize, _: Wrote| (pages + 1, Effects::none()))
}

/// A diary for each caller, and how many there have been.
fn diaries() -> (Server<User, agent_mcp::Unidentified, agent_mcp::PerCaller<User>>, Arc<AtomicUsize>)
{
    let made = Arc::new(AtomicUsize::new(0));
    let count = made.clone();
    let server = Server::per_caller(move |_: Arc<User>| {
        count.fetch_add(1, Ordering::Relaxed);
        async { Ok((Diary, diary())) }
    });
    (server, made)
}

#[tokio::test]
async fn b154_an_agent_is_made_for_its_caller() {
    let server =
        Server::per_caller(|user: Arc<User>| async move { Ok(Badge { owner: user.name }) });
    let runtime = server.runtime_for(user("ada")).await.unwrap();
    let owner = runtime.acting_as(user("ada")).call("owner", &json!({})).await;
    assert_eq!(owner.json::<String>().unwrap(), "ada");
}

#[tokio::test]
async fn o21_what_a_caller_may_do_is_read_from_the_principal_of_the_call() {
    let (server, made) = diaries();
    let runtime = server.runtime_for(user("ada")).await.unwrap();
    let write = async |user| status(&runtime.acting_as(user).call("write", &json!({})).await);
    assert_eq!(write(user("ada")).await, Status::Completed);
    let reduced = Arc::new(User { name: "ada", may_write: false });
    assert_eq!(write(reduced).await, Status::Unauthorized);
    assert_eq!(made.load(Ordering::Relaxed), 1);
}

#[tokio::test]
async fn shared_agents_and_those_of_a_caller_make_one_contract() {
    let shared = diary();
    let server = Server::bind(Diary, shared.clone())
        .with_per_caller(|user: Arc<User>| async move { Ok(Badge { owner: user.name }) })
        .name("both");
    let runtime = server.runtime_for(user("bob")).await.unwrap();
    let names: Vec<_> = runtime.contract().capabilities.iter().map(|it| it.name.as_str()).collect();
    assert_eq!(
        (runtime.contract().name.as_str(), &names[..]),
        ("both", &["write", "tear", "owner"][..])
    );
    let door = runtime.acting_as(user("bob"));
    assert_eq!(door.call("owner", &json!({})).await.json::<String>().unwrap(), "bob");
    assert!(door.call("write", &json!({})).await.is_ok());
    assert_eq!(*shared.model(), 1, "the one that all callers share");
    assert_eq!(runtime.available(&User { name: "bob", may_write: true }), [true, true, true]);
}

#[tokio::test]
async fn a_server_is_checked_before_any_caller_comes() {
    let (server, made) = diaries();
    let twice = server.with_per_caller(|_: Arc<User>| async { Ok((Diary, diary())) });
    let refused = twice.runtime_for(user("ada")).await.err().unwrap();
    assert!(matches!(refused, agent_mcp::Error::Build(BuildError::Contract(_))), "{refused}");
    assert_eq!(made.load(Ordering::Relaxed), 0);
}

#[tokio::test]
async fn a_server_without_agents_per_caller_is_the_same_for_any_caller() {
    let runtime = Server::new(Badge { owner: "all" }).runtime_for(user("ada")).await.unwrap();
    let owner = runtime.acting_as(user("ada")).call("owner", &json!({})).await;
    assert_eq!(owner.json::<String>().unwrap(), "all");
}

/// A host that tells of nothing.
struct Mute;

impl Host for Mute {
    type Model = usize;
    type Message = Wrote;

    fn model(&self) -> Arc<usize> {
        Arc::new(0)
    }

    async fn dispatch(&self, _: Wrote) -> Result<(), BoxError> {
        Ok(())
    }
}

async fn failed<B>(make: impl AsyncFnOnce() -> Result<B, Failure>) -> String
where
    B: agent_mcp::runtime::Bindable<Agent: agent_mcp::Agent<Principal = User>>,
{
    let made = std::sync::Mutex::new(Some(make().await));
    let server = Server::per_caller(move |_: Arc<User>| {
        let made = made.lock().unwrap().take().unwrap();
        async { made }
    });
    server.runtime_for(user("ada")).await.err().unwrap().to_string()
}

#[tokio::test]
async fn o29_whoever_runs_the_server_reads_why_an_agent_cannot_be_made() {
    let io =
        failed(async || Err::<Badge, _>(std::io::Error::other("the disk is full").into())).await;
    assert!(io.contains("the disk is full"), "{io}");
    let said = failed(async || Err::<Badge, _>(Failure::say("not before nine"))).await;
    assert!(said.contains("not before nine"), "{said}");
    // B69: what a completion needs of its host is known when the host is.
    let mute = failed(async || Ok((Diary, Mute))).await;
    assert!(mute.contains("`write`") && mute.contains("observe_model"), "{mute}");
}

#[tokio::test]
async fn a_panic_where_an_agent_is_made_is_a_failure() {
    let at_once = Server::per_caller(|user: Arc<User>| {
        assert_ne!(user.name, "ada", "no ada");
        async { Ok(Badge { owner: "" }) }
    });
    let later = Server::per_caller(|user: Arc<User>| async move {
        tokio::task::yield_now().await;
        assert_ne!(user.name, "ada", "no ada");
        Ok(Badge { owner: "" })
    });
    for server in [at_once.runtime_for(user("ada")).await, later.runtime_for(user("ada")).await] {
        let error = server.err().unwrap().to_string();
        assert!(error.contains("no ada"), "{error}");
    }
}

#[tokio::test(start_paused = true)]
async fn an_agent_that_takes_too_long_to_be_made_is_a_failure() {
    let server = Server::per_caller(|_: Arc<User>| pending::<Result<Badge, Failure>>())
        .limits(|limits| limits.binding = Duration::from_secs(7));
    let error = server.runtime_for(user("ada")).await.err().unwrap().to_string();
    assert!(error.contains("7s") && error.contains("`binding`"), "{error}");
}

struct Nowhere;

impl Outbox for Nowhere {
    fn send(&self, _: bytes::Bytes) {}
}

async fn ask(handler: &Handler<User>, method: &str) -> Value {
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    let params = json!({ "_meta": meta });
    let request = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params});
    let connection = handler.connect(user("ada"), Arc::new(Nowhere));
    let reply = match connection.receive(request.to_string().into()) {
        Received::Reply(reply) => reply,
        Received::Call(exchange) => exchange.await.unwrap(),
        Received::Nothing => panic!("a request is answered"),
    };
    serde_json::from_slice::<Value>(&reply).unwrap()["result"].take()
}

#[tokio::test]
async fn cac_4_a_list_that_hangs_on_the_state_of_one_caller_is_private() {
    let handler = diaries().0.handler_for(user("ada")).await.unwrap();
    let list = ask(&handler, "tools/list").await;
    assert_eq!(
        (list["cacheScope"].as_str(), list["tools"].as_array().unwrap().len()),
        (Some("private"), 1)
    );
    // The host was not known when this was said first.
    let offered = ask(&handler, "server/discover").await;
    assert_eq!(offered["capabilities"]["tools"]["listChanged"], true);
}

const CALL: &[u8] =
    br#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}
{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"app://pages"}}
{"jsonrpc":"2.0","id":2,"method":"resources/read","params":{"uri":"app://pages"}}
"#;

#[tokio::test]
async fn b154_over_a_pair_of_streams_an_agent_is_made_once() {
    let (server, made) = diaries();
    let mut output = Vec::new();
    server.principal(user("ada")).serve_on(CALL, &mut output).await.unwrap();
    assert_eq!(String::from_utf8(output).unwrap().lines().count(), 3);
    assert_eq!(made.load(Ordering::Relaxed), 1);
}

#[tokio::test]
async fn o29_nothing_is_served_where_no_agent_can_be_made() {
    let server = Server::per_caller(|_: Arc<User>| async { Err::<Badge, _>(Failure::say("no")) });
    let mut output = Vec::new();
    let error = server.principal(user("ada")).serve_on(CALL, &mut output).await.unwrap_err();
    assert!(matches!(error, agent_mcp::Error::Caller(_)) && output.is_empty(), "{error}");
}

#[tokio::test]
async fn serving_can_be_stopped_before_an_agent_is_made() {
    let server = Server::per_caller(|_: Arc<User>| pending::<Result<Badge, Failure>>());
    let mut output = Vec::new();
    let stdio = server.principal(user("ada")).stdio().until(async {});
    stdio.serve_on(CALL, &mut output).await.unwrap();
    assert!(output.is_empty());
}

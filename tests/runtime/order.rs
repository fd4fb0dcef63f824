//! B25, B32 to B52: what is decided, in which order, on which snapshot.

use agent_mcp::{
    Context, Invocation, Principal, PrincipalId, Server, agent,
    runtime::{Outcome, Output, Refusal, Status},
};
use serde_json::{Value, json};

use crate::desk::*;

#[tokio::test]
async fn b32_the_order_is_fixed() {
    let host = DeskHost::open();
    let user = User { trace: host.trace(), ..User::ada() };
    let outcome = desk_as(&host, user).call("add", &titled("milk")).await;
    assert_eq!(outcome, Outcome::Completed(Some(Output::Json(r#"{"id":7}"#.into()))));
    assert_eq!(
        host.trace().notes(),
        ["available", "authorize", "authorized", "method", "dispatch"]
    );
}

#[tokio::test]
async fn b34_an_unknown_name_reads_no_model_and_is_named() {
    let host = DeskHost::open();
    let outcome = desk(&host).call("no_such", &json!({})).await;
    assert_eq!(
        outcome,
        Outcome::Refused(Refusal::UnknownCapability { capability: "no_such".into() })
    );
    assert_eq!(host.reads(), 0);
}

#[tokio::test]
async fn b35_an_unknown_name_is_unknown_even_when_cancelled() {
    let host = DeskHost::open();
    let cancelled = Invocation::new();
    cancelled.cancellation().cancel();
    let outcome = desk(&host).call_as("no_such", &json!({}), cancelled).await;
    assert_eq!(status(&outcome), Status::UnknownCapability);
}

#[tokio::test]
async fn b36_dynamic_93b_unavailable_wins_over_bad_arguments_and_reveals_nothing() {
    let host = DeskHost::default();
    let desk = desk(&host);
    for arguments in [json!({}), json!({"title": 1, "extra": []}), json!([1])] {
        let outcome = desk.call("add", &arguments).await;
        assert_eq!(status(&outcome), Status::Unavailable);
        let text = outcome.summary("add").text.into_owned();
        assert!(text.contains("add") && text.contains("List the tools again"), "{text}");
        assert!(!text.contains("title"), "{text}");
    }
    assert_eq!(host.sent(), []);
}

#[tokio::test]
async fn b37_unavailable_wins_over_unauthorized_and_the_hook_is_not_run() {
    let host = DeskHost::default();
    let user = User { may_add: false, ..User::ada() };
    let trace = user.trace.clone();
    let outcome = desk_as(&host, user).call("add", &titled("milk")).await;
    assert_eq!(status(&outcome), Status::Unavailable);
    assert!(trace.notes().is_empty());
}

#[tokio::test]
async fn b38_dynamic_113_availability_is_judged_at_the_call() {
    let host = DeskHost::open();
    let runtime = runtime(&host);
    let position = runtime.contract().capabilities.iter().position(|it| it.name == "add").unwrap();
    assert!(runtime.available(&User::ada())[position]);
    host.change(|model| model.open = false);
    assert!(!runtime.available(&User::ada())[position]);
    let outcome = runtime.acting_as(User::ada()).call("add", &titled("milk")).await;
    assert_eq!(status(&outcome), Status::Unavailable);
    assert_eq!(runtime.contract().capabilities.len(), runtime.available(&User::ada()).len());
}

#[tokio::test]
async fn b25_invalid_arguments_reach_neither_policy_nor_method() {
    let host = DeskHost::open();
    let user = User::ada();
    let trace = user.trace.clone();
    let outcome = desk_as(&host, user).call("add", &json!({"title": 5})).await;
    assert_eq!(status(&outcome), Status::InvalidInput);
    let text = outcome.summary("add").text.into_owned();
    assert!(text.contains("title") && text.contains("string"), "{text}");
    assert!(trace.notes().is_empty());
    assert_eq!(host.trace().notes(), ["available"]);
    assert_eq!(host.sent(), []);
}

#[tokio::test]
async fn b39_authorize_may_give_a_reason_that_the_agent_reads() {
    let host = DeskHost::open();
    let desk = desk(&host);
    let outcome = desk.call("add_reasoned", &titled("")).await;
    assert_eq!(
        outcome.summary("add_reasoned").text,
        "You are not allowed to use `add_reasoned`: a title is needed"
    );
    assert_eq!(status(&outcome), Status::Unauthorized);
    assert_eq!(desk.call("add_reasoned", &titled("x")).await, Outcome::Dispatched);
}

#[tokio::test]
async fn b39_an_async_authorize_that_says_no_sends_nothing() {
    let host = DeskHost::open();
    let user = User { may_add: false, ..User::ada() };
    let outcome = desk_as(&host, user).call("add", &titled("milk")).await;
    assert_eq!(outcome.summary("add").text, "You are not allowed to use `add`.");
    assert_eq!(host.sent(), []); // B33
    assert_eq!(host.subscribed(), 0); // B59
}

#[tokio::test]
async fn b41_b172_one_snapshot_serves_availability_and_method() {
    let host = DeskHost::open();
    host.change(|model| model.selected = Some(1));
    let desk = desk(&host);
    let first = desk.call("delete_selected", &json!({}));
    // The call has not begun; what it sees is the Model at its start.
    host.change(|model| model.selected = Some(2));
    assert_eq!(first.await, Outcome::Dispatched);
    assert_eq!(host.sent(), [Message::Delete { id: 2 }]);
    assert_eq!(host.reads(), 1);
    // B42: the next call sees the next Model.
    host.change(|model| model.selected = Some(3));
    desk.call("delete_selected", &json!({})).await;
    assert_eq!(host.sent()[1], Message::Delete { id: 3 });
}

#[tokio::test]
async fn b45_each_run_has_an_id_of_its_own_and_a_given_one_is_kept() {
    let host = DeskHost::open();
    let desk = desk(&host);
    desk.call("add", &titled("a")).await;
    desk.call("add", &titled("b")).await;
    desk.call_as("add", &titled("c"), Invocation::new().with_id("mine")).await;
    let ids: Vec<_> = host
        .sent()
        .into_iter()
        .map(|message| match message {
            Message::Add { request, .. } => request.to_string(),
            other => panic!("{other:?}"),
        })
        .collect();
    assert_ne!(ids[0], ids[1]);
    assert_eq!(ids[2], "mine");
}

#[tokio::test]
async fn b49_lists_are_in_the_order_of_declaration() {
    let host = DeskHost::default();
    let runtime = runtime(&host);
    let names: Vec<_> = runtime.contract().capabilities.iter().map(|it| it.name.as_str()).collect();
    assert_eq!(names[..4], ["add", "add_reasoned", "delete_selected", "count_to"]);
    let resources: Vec<_> =
        runtime.contract().resources.iter().map(|it| it.name.as_str()).collect();
    assert_eq!(resources, ["count", "private", "broken"]);
}

#[tokio::test]
async fn b50_two_bindings_of_one_contract_share_nothing() {
    let (one, two) = (DeskHost::open(), DeskHost::default());
    let (desk_one, desk_two) = (desk(&one), desk(&two));
    assert!(desk_one.call("add", &titled("milk")).await.is_ok());
    assert_eq!(status(&desk_two.call("add", &titled("milk")).await), Status::Unavailable);
    assert_eq!((one.sent().len(), two.sent().len()), (1, 0));
}

#[tokio::test]
async fn b51_changes_are_passed_on_until_the_subscription_ends() {
    use std::sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    };
    let host = DeskHost::default();
    let runtime = runtime(&host);
    assert!(runtime.tells_of_changes());
    let seen = Arc::new(AtomicUsize::new(0));
    let counter = seen.clone();
    let subscriptions = runtime.observe_availability(Arc::new(move || {
        counter.fetch_add(1, Ordering::Relaxed);
    }));
    host.change(|model| model.open = true);
    drop(subscriptions);
    host.change(|model| model.open = false);
    assert_eq!(seen.load(Ordering::Relaxed), 1);
    assert_eq!(host.observers(), 0);
}

/// A caller with scopes.
struct Scoped(&'static str, Trace);

impl Principal for Scoped {
    fn id(&self) -> PrincipalId {
        PrincipalId::local("scoped")
    }

    fn scopes(&self) -> Vec<String> {
        assert!(self.0 != "broken", "a bad principal");
        self.0.split_whitespace().map(str::to_owned).collect()
    }
}

struct Vault {
    open: bool,
}

/// A vault.
#[agent(principal = Scoped)]
impl Vault {
    /// Takes things out.
    #[capability(
        scopes = ["vault:open", "vault:take"],
        available = |vault| vault.open,
        authorize = |call| { call.principal.1.note("authorize"); true },
    )]
    async fn take(&self, cx: &Context<Self>, things: u8) -> u8 {
        cx.principal().1.note("method");
        things
    }

    /// What is in it.
    #[resource(scopes = ["vault:open"])]
    fn content(&self) -> String {
        "gold".to_owned()
    }

    /// What one sees.
    #[context(scopes = ["vault:see"])]
    fn front(&self) -> String {
        "a door".to_owned()
    }
}

#[tokio::test]
async fn auth_10_scopes_are_checked_between_the_arguments_and_authorize() {
    async fn take(open: bool, scopes: &'static str, arguments: Value) -> (Outcome, Trace) {
        let trace = Trace::default();
        let runtime = Server::new(Vault { open }).runtime().unwrap();
        let vault = runtime.acting_as(Scoped(scopes, trace.clone()));
        (vault.call("take", &arguments).await, trace)
    }
    let good = json!({"things": 3});
    for lacking in ["", "vault:open", "vault:take", "vault:openvault:take", "VAULT:OPEN vault:take"]
    {
        let (outcome, trace) = take(true, lacking, good.clone()).await;
        assert_eq!(
            outcome,
            Outcome::Refused(Refusal::InsufficientScope {
                capability: "take".into(),
                scopes: vec!["vault:open".to_owned(), "vault:take".to_owned()],
            }),
            "{lacking}"
        );
        assert_eq!(outcome.code().status.as_str(), "insufficient_scope");
        assert_eq!(outcome.code().dispatched.as_str(), "no");
        assert!(trace.notes().is_empty(), "neither the hook nor the method is reached");
    }
    assert_eq!(status(&take(false, "", good.clone()).await.0), Status::Unavailable);
    assert_eq!(status(&take(true, "", json!({"things": "x"})).await.0), Status::InvalidInput);
    let (outcome, trace) = take(true, "more vault:take vault:open", good.clone()).await;
    assert_eq!((outcome.is_ok(), trace.notes()), (true, vec!["authorize", "method"]));
    // A principal that breaks is no reason to go on.
    assert_eq!(status(&take(true, "broken", good).await.0), Status::Defect);
}

#[tokio::test]
async fn auth_10_what_is_read_may_need_scopes_too() {
    let runtime = Server::new(Vault { open: true }).runtime().unwrap();
    let read = async |scopes, uri| {
        let vault = runtime.acting_as(Scoped(scopes, Trace::default()));
        status(&vault.read(uri).await)
    };
    assert_eq!(read("vault:open", "app://content").await, Status::Ok);
    assert_eq!(read("vault:see", "app://content").await, Status::InsufficientScope);
    assert_eq!(read("vault:open", "app://context").await, Status::InsufficientScope);
    assert_eq!(read("vault:see", "app://context").await, Status::Ok);
    let manifest = runtime.contract().manifest();
    let scopes = |of: &str| serde_json::from_str::<Value>(&manifest).unwrap().pointer(of).cloned();
    assert_eq!(scopes("/capabilities/0/scopes"), Some(json!(["vault:open", "vault:take"])));
    assert_eq!(scopes("/resources/0/scopes"), Some(json!(["vault:open"])));
    assert_eq!(scopes("/context/scopes"), Some(json!(["vault:see"])));
    let page = runtime.contract().markdown();
    for said in [
        "It needs the scopes `vault:open`, `vault:take`.",
        "It needs the scope `vault:open`.",
        "It is read at `app://context`. It needs the scope `vault:see`.",
    ] {
        assert!(page.contains(said), "{page}");
    }
}

//! B60 to B78: when a dispatched Message has become a fact.

use std::time::Duration;

use agent_mcp::{
    BoxError, Completion, Context, Invocation, Server, agent,
    host::Host,
    runtime::{BuildError, Delivery, Kind, Outcome, Output, Refusal, Status},
};
use serde_json::json;

use crate::desk::*;

#[tokio::test]
async fn b60_without_a_completion_the_dispatch_is_the_end() {
    let host = DeskHost::open();
    let outcome = desk(&host).call("count_off", &json!({"to": 3})).await;
    assert_eq!(outcome, Outcome::Dispatched);
    assert_eq!(host.subscribed(), 0);
    let summary = outcome.summary("count_off");
    assert_eq!(summary.text, r#"{"capability":"count_off","status":"dispatched"}"#); // B78
    assert_eq!(summary.structured.as_deref(), Some(&*summary.text));
}

#[tokio::test]
async fn b61_a_declared_failure_is_a_failed_result_and_no_defect() {
    let host = DeskHost::open();
    host.behave(Behaviour::Decline);
    let outcome = desk(&host).call("add", &titled("milk")).await;
    assert_eq!(
        outcome,
        Outcome::Failed { text: "the desk is full".into(), delivery: Delivery::Yes }
    );
    assert!(!outcome.summary("add").ok);
}

#[tokio::test]
async fn b62_a_fact_told_while_sending_is_not_missed() {
    let host = DeskHost::open();
    assert_eq!(
        desk(&host).call("add", &titled("milk")).await,
        Outcome::Completed(Some(Output::Json(r#"{"id":7}"#.into())))
    );
    assert_eq!(host.observers(), 0); // B58
}

#[tokio::test(start_paused = true)]
async fn b63_parallel_calls_are_matched_to_their_own_facts() {
    let host = DeskHost::open();
    host.behave(Behaviour::Accept);
    let desk = desk(&host);
    let ids = ["zero", "one", "two"];
    let call = |id| desk.call_as("add", &titled("same"), Invocation::new().with_id(id));
    let calls = ids.map(|id| tokio::spawn(call(id)));
    pass(Duration::from_millis(1)).await;
    for (number, id) in ids.into_iter().enumerate().rev() {
        host.tell(&Message::Added { id: u32::try_from(number).unwrap(), request: id.into() });
    }
    for (number, call) in calls.into_iter().enumerate() {
        let item: serde_json::Value = call.await.unwrap().json().unwrap();
        assert_eq!(item, json!({"id": number}));
    }
}

#[tokio::test(start_paused = true)]
async fn b64_the_first_fact_decides() {
    let host = DeskHost::open();
    host.behave(Behaviour::Accept);
    let call = tokio::spawn(desk(&host).call("add", &titled("milk")));
    pass(Duration::from_millis(1)).await;
    let Message::Add { request, .. } = host.sent().remove(0) else { panic!() };
    host.tell(&Message::Added { id: 1, request: request.clone() });
    host.tell(&Message::AddFailed { why: "late".into(), request: request.clone() });
    assert_eq!(call.await.unwrap(), Outcome::Completed(Some(Output::Json(r#"{"id":1}"#.into()))));
    host.tell(&Message::Added { id: 2, request });
}

#[tokio::test(start_paused = true)]
async fn b65_b66_the_default_deadline_is_thirty_seconds_and_claims_nothing() {
    for (behaviour, delivery) in
        [(Behaviour::Accept, Delivery::Yes), (Behaviour::Hang, Delivery::Unknown)]
    {
        let host = DeskHost::open();
        host.behave(behaviour);
        let started = tokio::time::Instant::now();
        let outcome = desk(&host).call("add", &titled("milk")).await;
        assert_eq!(started.elapsed().as_secs(), 30);
        let Outcome::Refused(Refusal::TimedOut { delivery: known, .. }) = outcome else {
            panic!("{outcome:?}")
        };
        assert_eq!(known, delivery);
        assert_eq!(host.observers(), 0);
    }
}

#[tokio::test(start_paused = true)]
async fn b67_without_a_completion_no_deadline_bounds_the_host() {
    let host = DeskHost::open();
    host.behave(Behaviour::Hang);
    let call = tokio::spawn(desk(&host).call("count_off", &json!({"to": 1})));
    pass(Duration::from_secs(3_600)).await;
    assert!(!call.is_finished());
    call.abort();
}

struct Silent(DeskHost);

impl Host for Silent {
    type Model = Model;
    type Message = Message;

    fn model(&self) -> std::sync::Arc<Model> {
        self.0.model()
    }

    async fn dispatch(&self, message: Message) -> Result<(), BoxError> {
        self.0.dispatch(message).await
    }
}

#[tokio::test]
async fn b69_a_host_that_does_not_tell_is_refused_by_name() {
    let refused = Server::bind(Desk, Silent(DeskHost::open())).runtime().err().unwrap();
    assert!(
        matches!(&refused, BuildError::HostTellsNoMessages { capabilities } if *capabilities == ["add"]),
        "{refused}"
    );
    assert!(refused.to_string().contains("`Host::observe_messages`"), "{refused}");

    let refused = Server::bind(Counter, Silent(DeskHost::open())).runtime().err().unwrap();
    assert!(
        matches!(&refused, BuildError::HostTellsNoModels { capabilities } if *capabilities == ["up"]),
        "{refused}"
    );
}

struct Counter;

#[agent(model = Model, message = Message)]
impl Counter {
    /// Counts up.
    #[capability(completion = when(|_, model| match model.count {
        0 => Completion::Pending,
        13 => Completion::failed("never thirteen"),
        count => Completion::Done(Reached { count }),
    }))]
    fn up(_cx: &Context<Self>, to: u32) -> Message {
        Message::Count { to }
    }
}

#[agent_mcp::data]
struct Reached {
    count: u32,
}

#[tokio::test]
async fn o36_a_state_may_also_say_that_it_will_not_come() {
    let host = DeskHost::open();
    let counter = Server::bind(Counter, host).runtime().unwrap().in_process();
    let outcome = counter.call("up", &json!({"to": 13})).await;
    assert_eq!(outcome, Outcome::Failed { text: "never thirteen".into(), delivery: Delivery::Yes });
    let outcome = counter.call("up", &json!({"to": 4})).await;
    assert_eq!(outcome.summary("up").text, r#"{"count":4}"#);
}

#[tokio::test]
async fn b70_a_state_completes_whoever_made_it_true() {
    let host = DeskHost::open();
    let outcome = desk(&host).call("count_to", &json!({"to": 3})).await;
    assert_eq!(outcome, Outcome::Completed(None));
    assert_eq!(
        outcome.summary("count_to").text,
        r#"{"capability":"count_to","status":"completed"}"#
    );
    assert_eq!(outcome.code().kind, Kind::Completed);
    assert_eq!(host.observers(), 0);
}

#[tokio::test(start_paused = true)]
async fn b71_a_state_is_looked_at_once_more_when_waiting_starts() {
    // Already true: the Message is still sent, once.
    let host = DeskHost::open();
    host.behave(Behaviour::Accept);
    host.change_silently(|model| model.count = 9);
    assert_eq!(desk(&host).call("count_to", &json!({"to": 3})).await, Outcome::Completed(None));
    assert_eq!(host.sent().len(), 1);
    // Made true by somebody else, later.
    let host = DeskHost::open();
    host.behave(Behaviour::Accept);
    let call = tokio::spawn(desk(&host).call("count_to", &json!({"to": 3})));
    pass(Duration::from_secs(1)).await;
    host.change(|model| model.count = 3);
    assert_eq!(call.await.unwrap(), Outcome::Completed(None));
}

#[tokio::test]
async fn b72_a_truth_for_a_moment_counts() {
    let host = DeskHost::open();
    host.behave(Behaviour::Flash);
    assert_eq!(desk(&host).call("count_to", &json!({"to": 3})).await, Outcome::Completed(None));
}

#[tokio::test]
async fn b74_a_predicate_that_panics_fails_its_own_call_only() {
    let host = DeskHost::open();
    let outcome = desk(&host).call("count_badly", &json!({"to": 3})).await;
    assert_eq!(status(&outcome), Status::Defect);
    assert_eq!(host.sent(), [Message::Count { to: 3 }]);
    assert!(!outcome.summary("count_badly").text.contains("bad predicate"));
}

#[tokio::test(start_paused = true)]
async fn b75_an_unchanged_model_is_not_judged_again() {
    use std::sync::atomic::{AtomicUsize, Ordering};
    static JUDGED: AtomicUsize = AtomicUsize::new(0);

    struct Once;

    #[agent(model = Model, message = Message)]
    impl Once {
        /// Waits.
        #[capability(completion = when(|_, model| {
            JUDGED.fetch_add(1, Ordering::Relaxed);
            model.count > 5
        }))]
        fn go(_cx: &Context<Self>) -> Message {
            Message::Count { to: 1 }
        }
    }

    let host = DeskHost::open();
    let call = tokio::spawn(
        Server::bind(Once, host.clone()).runtime().unwrap().in_process().call("go", &json!({})),
    );
    pass(Duration::from_millis(1)).await;
    // Once while the Message was applied; the same Model is not judged again when waiting starts.
    assert_eq!(JUDGED.load(Ordering::Relaxed), 1);
    host.change(|model| model.count = 6);
    assert!(call.await.unwrap().is_ok());
    assert_eq!(JUDGED.load(Ordering::Relaxed), 2);
}

#[tokio::test(start_paused = true)]
async fn b77_waits_settle_independently() {
    let host = DeskHost::open();
    host.behave(Behaviour::Accept);
    let desk = desk(&host);
    let low = tokio::spawn(desk.call("count_to", &json!({"to": 1})));
    let high = tokio::spawn(desk.call("count_to", &json!({"to": 2})));
    pass(Duration::from_millis(1)).await;
    host.change(|model| model.count = 1);
    assert_eq!(low.await.unwrap(), Outcome::Completed(None));
    assert!(!high.is_finished());
    assert_eq!(status(&high.await.unwrap()), Status::Timeout);
}

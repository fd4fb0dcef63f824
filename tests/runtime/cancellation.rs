//! B44, B53 to B59 and the time limits: who stops a call, when, and what is then known.

use std::{
    sync::{
        Mutex,
        atomic::{AtomicU32, Ordering::SeqCst},
        mpsc::{Receiver, channel},
    },
    time::Duration,
};

use agent_mcp::{
    Invocation, Server, agent,
    runtime::{Delivery, Outcome, Refusal, Status},
};
use serde_json::json;
use tokio_util::sync::CancellationToken;

use crate::desk::*;

fn cancelled(capability: &'static str, delivery: Delivery) -> Outcome {
    Outcome::Refused(Refusal::Cancelled { capability: capability.into(), delivery })
}

/// Starts a call, lets it come to rest, cancels it and gives its outcome.
async fn cancel_at_rest(
    host: &DeskHost,
    capability: &'static str,
    arguments: serde_json::Value,
) -> Outcome {
    let token = CancellationToken::new();
    let invocation = Invocation::new().with_cancellation(&token);
    let call = tokio::spawn(desk(host).call_as(capability, &arguments, invocation));
    pass(Duration::from_millis(1)).await;
    assert!(!call.is_finished());
    token.cancel();
    call.await.unwrap()
}

#[tokio::test]
async fn b44_b53_a_call_that_is_cancelled_already_reads_no_model() {
    let host = DeskHost::open();
    let invocation = Invocation::new();
    invocation.cancellation().cancel();
    let outcome = desk(&host).call_as("add", &titled("milk"), invocation).await;
    assert_eq!(outcome, cancelled("add", Delivery::No));
    assert_eq!(host.reads(), 0);
    assert!(host.trace().notes().is_empty());
}

#[tokio::test]
async fn b54_cancelled_while_authorizing_sends_nothing() {
    let host = DeskHost::open();
    let token = CancellationToken::new();
    let user = User::ada();
    let trace = user.trace.clone();
    let invocation = Invocation::new().with_cancellation(&token);
    let mut call = Box::pin(desk_as(&host, user).call_as("add", &titled("milk"), invocation));
    assert_eq!(poll_once(&mut call).await, None);
    assert_eq!(trace.notes(), ["authorize"]);
    token.cancel();
    let outcome = call.await;
    assert_eq!(outcome, cancelled("add", Delivery::No));
    assert!(outcome.summary("add").text.contains("Nothing was done"));
    assert_eq!(host.sent(), []);
}

#[tokio::test(start_paused = true)]
async fn b55_cancelled_while_the_host_accepts_is_delivery_unknown() {
    for (capability, arguments) in [("add", titled("milk")), ("count_off", json!({"to": 1}))] {
        let host = DeskHost::open();
        host.behave(Behaviour::Hang);
        let outcome = cancel_at_rest(&host, capability, arguments).await;
        assert_eq!(outcome, cancelled(capability, Delivery::Unknown));
        assert!(outcome.summary(capability).text.contains("unknown"));
        assert_eq!(host.observers(), 0); // B58
    }
}

#[tokio::test(start_paused = true)]
async fn b56_cancelled_while_waiting_says_that_nothing_is_undone() {
    let host = DeskHost::open();
    host.behave(Behaviour::Accept);
    let outcome = cancel_at_rest(&host, "add", titled("milk")).await;
    assert_eq!(outcome, cancelled("add", Delivery::Yes));
    assert!(outcome.summary("add").text.contains("nothing is undone"));
    assert_eq!(host.observers(), 0);
}

#[tokio::test(start_paused = true)]
async fn b57_a_fact_that_has_come_wins_over_a_later_cancel() {
    let host = DeskHost::open();
    host.behave(Behaviour::CompleteAndHang);
    let outcome = cancel_at_rest(&host, "add", titled("milk")).await;
    assert_eq!(status(&outcome), Status::Completed);
}

#[tokio::test(start_paused = true)]
async fn cancel_c25_the_signal_fires_and_the_method_may_clean_up() {
    let host = DeskHost::open();
    let outcome = cancel_at_rest(&host, "work", json!({"steps": 2_000})).await;
    assert_eq!(outcome, cancelled("work", Delivery::Unknown));
    pass(Duration::from_millis(60)).await;
    assert_eq!(host.trace().notes(), ["cleaned up"]);
    assert_eq!(tokio::runtime::Handle::current().metrics().num_alive_tasks(), 0);
}

#[tokio::test(start_paused = true)]
async fn runtime_8d7_a_time_limit_says_so_and_frees_the_slot() {
    let host = DeskHost::open();
    let desk = desk(&host);
    for _ in 0..2 {
        let outcome = desk.call("wait", &json!({})).await;
        let Outcome::Refused(Refusal::TimedOut { limit, delivery, .. }) = &outcome else {
            panic!("{outcome:?}")
        };
        assert_eq!((*limit, *delivery), (Duration::from_millis(200), Delivery::Unknown));
        let text = outcome.summary("wait").text.into_owned();
        assert!(text.contains("`wait` did not finish within 200ms"), "{text}");
    }
    assert_eq!(host.trace().notes(), ["waiting", "waiting"]);
}

#[tokio::test(start_paused = true)]
async fn cancel_b7f_a_waiting_call_that_is_cancelled_never_starts() {
    let host = DeskHost::open();
    let desk = desk(&host);
    let tokens: Vec<_> = (0..4).map(|_| CancellationToken::new()).collect();
    let calls: Vec<_> = tokens
        .iter()
        .map(|token| {
            let invocation = Invocation::new().with_cancellation(token);
            tokio::spawn(desk.call_as("wait", &json!({}), invocation))
        })
        .collect();
    pass(Duration::from_millis(1)).await;
    assert_eq!(host.trace().notes(), ["waiting"]);
    tokens[1].cancel();
    tokens[0].cancel();
    let mut outcomes = Vec::new();
    for call in calls {
        outcomes.push(call.await.unwrap());
    }
    assert_eq!(outcomes[0], cancelled("wait", Delivery::Unknown));
    assert_eq!(outcomes[1], cancelled("wait", Delivery::No));
    assert_eq!(status(&outcomes[2]), Status::Timeout);
    assert_eq!(status(&outcomes[3]), Status::Timeout);
    assert_eq!(host.trace().notes(), ["waiting", "waiting", "waiting"]);
}

#[tokio::test(start_paused = true)]
async fn one_call_that_ends_does_not_cancel_the_token_it_was_given() {
    let host = DeskHost::open();
    let token = CancellationToken::new();
    let desk = desk(&host);
    let invocation = || Invocation::new().with_cancellation(&token);
    assert_eq!(status(&desk.call_as("wait", &json!({}), invocation()).await), Status::Timeout);
    assert!(!token.is_cancelled());
    assert!(desk.call_as("work", &json!({"steps": 1}), invocation()).await.is_ok());
}

struct Mill {
    runs: AtomicU32,
    grain: Mutex<Receiver<()>>,
}

/// A mill with one wheel.
#[agent]
impl Mill {
    /// Grinds when there is grain.
    #[capability]
    fn grind(&self) -> u32 {
        let run = self.runs.fetch_add(1, SeqCst) + 1;
        self.grain.lock().unwrap().recv().unwrap();
        run
    }

    /// How often it has begun to grind.
    #[capability]
    async fn runs(&self) -> u32 {
        self.runs.load(SeqCst)
    }
}

// B54
#[test]
fn a_blocking_call_that_is_cancelled_before_a_thread_is_free_never_starts() {
    let one_thread = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .max_blocking_threads(1)
        .build()
        .unwrap();
    let (grain, given) = channel();
    let mill = Mill { runs: AtomicU32::new(0), grain: Mutex::new(given) };
    let runtime = Server::new(mill).runtime().unwrap();
    let door = runtime.in_process();
    one_thread.block_on(async {
        let first = tokio::spawn(door.call("grind", &json!({})));
        while door.call("runs", &json!({})).await.json::<u32>().unwrap() == 0 {
            tokio::task::yield_now().await;
        }
        let token = CancellationToken::new();
        let invocation = Invocation::new().with_cancellation(&token);
        let mut second = Box::pin(door.call_as("grind", &json!({}), invocation));
        assert_eq!(poll_once(&mut second).await, None);
        token.cancel();
        assert_eq!(status(&second.await), Status::Cancelled);
        grain.send(()).unwrap();
        assert_eq!(first.await.unwrap().json::<u32>().unwrap(), 1);
        grain.send(()).unwrap();
        let third = door.call("grind", &json!({})).await;
        assert_eq!(third.json::<u32>().unwrap(), 2);
    });
}

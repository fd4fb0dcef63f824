//! B58: whoever leaves, and wherever the call stands: no subscription, no task, exactly one audit entry.

use std::time::Duration;

use agent_mcp::{AuditLog, Invocation, Runtime, Server, runtime::Status};
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use crate::desk::*;

#[derive(Clone, Copy, Debug, PartialEq)]
enum Leave {
    Drop,
    Cancel,
    TimePasses,
}

/// Polls a call `polls` times, then leaves it. Gives the number of polls it would have taken, if it ended
/// before.
async fn leave_after(
    polls: usize,
    leave: Leave,
    behaviour: Behaviour,
    capability: &str,
    arguments: &Value,
) -> bool {
    let host = DeskHost::open();
    host.behave(behaviour);
    let log = AuditLog::new(10);
    let runtime: Runtime<User> =
        Server::bind(Desk, host.clone()).audit(log.clone()).runtime().unwrap();
    let desk = runtime.acting_as(User::ada());
    // The sink's task exists before the call does.
    desk.call("no_such", &json!({})).await;
    runtime.flush_audit().await;
    log.clear();
    let tasks = || tokio::runtime::Handle::current().metrics().num_alive_tasks();
    let before = tasks();

    let token = CancellationToken::new();
    let invocation = Invocation::new().with_cancellation(&token);
    let mut call = Box::pin(desk.call_as(capability, arguments, invocation));
    let mut ended = None;
    for _ in 0..polls {
        ended = poll_once(&mut call).await;
        if ended.is_some() {
            break;
        }
        tokio::task::yield_now().await;
    }
    let whole = ended.is_some();
    if ended.is_none() {
        match leave {
            Leave::Drop => drop(call),
            Leave::Cancel => {
                token.cancel();
                ended = Some(call.await);
            }
            Leave::TimePasses => ended = Some(call.await),
        }
    }
    pass(Duration::from_millis(60)).await;
    runtime.flush_audit().await;

    let at = format!("{leave:?} after {polls} polls of {capability} with {behaviour:?}");
    assert_eq!(host.observers(), 0, "{at}");
    assert_eq!(tasks(), before, "{at}");
    let entries = log.entries();
    let expected = usize::from(polls > 0 || leave != Leave::Drop);
    assert_eq!(entries.len(), expected, "{at}");
    if let Some(entry) = entries.first() {
        let status = ended.as_ref().map_or(Status::Interrupted, status);
        assert_eq!(entry.status, status, "{at}");
        if let Some(outcome) = &ended {
            assert_eq!(entry.dispatched, outcome.code().dispatched, "{at}");
        }
    }
    whole
}

#[tokio::test(start_paused = true)]
async fn b58_leaving_a_call_at_any_await_point_leaves_nothing_behind() {
    let calls = [
        ("add", titled("milk"), Behaviour::Slow),
        ("add", titled("milk"), Behaviour::Accept),
        ("add", titled("milk"), Behaviour::Hang),
        ("add", titled("milk"), Behaviour::CompleteAndHang),
        ("count_to", json!({"to": 3}), Behaviour::Slow),
        ("count_to", json!({"to": 3}), Behaviour::Accept),
        ("count_off", json!({"to": 3}), Behaviour::Slow),
        ("work", json!({"steps": 5}), Behaviour::Complete),
        ("work", json!({"steps": 1_001}), Behaviour::Complete),
        ("wait", json!({}), Behaviour::Complete),
        ("fail", json!({"how": "panic"}), Behaviour::Complete),
    ];
    for (capability, arguments, behaviour) in calls {
        for leave in [Leave::Drop, Leave::Cancel, Leave::TimePasses] {
            for polls in 0..12 {
                if leave_after(polls, leave, behaviour, capability, &arguments).await {
                    break;
                }
            }
        }
    }
}

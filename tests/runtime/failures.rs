//! B47, B79 to B82: refusals are a closed set, defects are contained and never described.

use std::fmt;

use agent_mcp::{
    Failure, Server, agent, data,
    runtime::{Delivery, Kind, Outcome, Refusal, Status},
};
use serde_json::json;

use crate::desk::*;

#[tokio::test]
async fn b47_a_host_that_fails_or_panics_is_a_defect_with_delivery_unknown() {
    for behaviour in [Behaviour::Fail, Behaviour::Panic] {
        for (capability, arguments) in [("add", titled("milk")), ("count_off", json!({"to": 1}))] {
            let host = DeskHost::open();
            host.behave(behaviour);
            let outcome = desk(&host).call(capability, &arguments).await;
            let Outcome::Defect(defect) = &outcome else { panic!("{outcome:?}") };
            assert_eq!(defect.delivery, Delivery::Unknown);
            assert_eq!(host.observers(), 0); // B58
            let text = outcome.summary(capability).text.into_owned();
            assert!(text.contains(capability), "{text}");
            assert!(text.contains(&defect.reference.to_string()), "{text}");
            assert!(!text.contains("hunter2"), "{text}"); // B82
        }
    }
}

#[tokio::test]
async fn errors_8ca_an_error_is_a_failed_result_with_its_text() {
    let outcome = desk(&DeskHost::open()).call("fail", &json!({"how": "say"})).await;
    assert_eq!(outcome, Outcome::Failed { text: "no stock".into(), delivery: Delivery::Yes });
}

#[tokio::test]
async fn an_internal_failure_gives_a_reference_and_no_cause() {
    let outcome = desk(&DeskHost::open()).call("fail", &json!({"how": "internal"})).await;
    assert_eq!(status(&outcome), Status::Defect);
    assert!(!outcome.summary("fail").text.contains("hunter2"));
}

#[tokio::test]
async fn a_protocol_failure_keeps_its_code() {
    let outcome = desk(&DeskHost::open()).call("fail", &json!({"how": "protocol"})).await;
    let Outcome::Protocol { code, message, .. } = outcome else { panic!("{outcome:?}") };
    assert_eq!((code, &*message), (-32000, "not here"));
}

#[tokio::test]
async fn runtime_c51_a_panic_is_a_defect_of_its_own_call_and_the_next_one_works() {
    let desk = desk(&DeskHost::open());
    let outcome = desk.call("fail", &json!({"how": "panic"})).await;
    assert_eq!(status(&outcome), Status::Defect);
    let text = outcome.summary("fail").text.into_owned();
    assert!(text.contains("`fail`") && !text.contains("secret"), "{text}");
    assert!(desk.call("fail", &json!({"how": "no"})).await.is_ok());
}

#[tokio::test]
async fn b81_refusals_are_errors_and_plain_json() {
    let refusal = Refusal::Unavailable { capability: "add".into(), reason: None };
    let said =
        Refusal::Unavailable { capability: "add".into(), reason: Some("it is closed".into()) };
    assert_eq!(said.to_string(), "`add` is not available now: it is closed");
    let error: &dyn std::error::Error = &refusal;
    assert!(error.to_string().contains("`add` is not available now"));
    assert_eq!(
        serde_json::to_value(&refusal).unwrap(),
        json!({"kind": "unavailable", "capability": "add"})
    );
}

#[tokio::test]
async fn o14_every_end_has_a_machine_code() {
    let host = DeskHost::open();
    let desk = desk(&host);
    let code = async |capability: &str, arguments: serde_json::Value| {
        serde_json::to_value(desk.call(capability, &arguments).await.code()).unwrap()
    };
    assert_eq!(
        code("fail", json!({"how": "no"})).await,
        json!({"kind": "value", "dispatched": "yes", "status": "ok"})
    );
    assert_eq!(
        code("fail", json!({})).await,
        json!({"kind": "refused", "dispatched": "no", "status": "invalid_input"})
    );
    assert_eq!(
        code("delete_selected", json!({})).await,
        json!({"kind": "refused", "dispatched": "no", "status": "unavailable"})
    );
    assert_eq!(
        code("count_off", json!({"to": 1})).await,
        json!({"kind": "dispatched", "dispatched": "yes", "status": "dispatched"})
    );
    assert_eq!(
        code("fail", json!({"how": "panic"})).await,
        json!({"kind": "defect", "dispatched": "unknown", "status": "defect"})
    );
    assert_eq!(Kind::Value, desk.call("fail", &json!({"how": "no"})).await.code().kind);
}

#[tokio::test]
async fn a_result_over_the_limit_names_size_and_setting() {
    let host = DeskHost::open();
    let desk = Server::bind(Desk, host)
        .limits(|limits| limits.result = 2)
        .runtime()
        .unwrap()
        .acting_as(User::ada());
    let outcome = desk.call("fail", &json!({"how": "no"})).await;
    assert_eq!(status(&outcome), Status::Failed);
    let text = outcome.summary("fail").text.into_owned();
    assert!(text.contains("4 bytes") && text.contains("`result` of 2"), "{text}");
}

/// Panics when it is dropped.
struct Sharp;

impl Drop for Sharp {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            panic!("dropped");
        }
    }
}

/// Panics when it is shown.
#[derive(Debug)]
struct Unspeakable;

impl fmt::Display for Unspeakable {
    fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
        panic!("shown")
    }
}

impl std::error::Error for Unspeakable {}

/// An argument that panics when it is dropped, if it is asked to.
#[data]
struct Edge {
    sharp: bool,
}

impl Drop for Edge {
    fn drop(&mut self) {
        if self.sharp {
            drop(Sharp);
        }
    }
}

struct Knives;

/// Panics where nobody looks for them.
#[agent]
impl Knives {
    /// Throws what panics again.
    #[capability]
    async fn throw(&self) -> String {
        std::panic::panic_any(Sharp)
    }

    /// Throws it from a thread of its own.
    #[capability]
    fn throw_far(&self) -> String {
        std::panic::panic_any(Sharp)
    }

    /// Fails with what cannot be shown.
    #[capability]
    async fn fail(&self) -> Result<String, Failure> {
        Err(Failure::internal(Unspeakable))
    }

    /// Nobody may.
    #[capability(authorize = |_| false)]
    async fn touch(&self, edge: Edge) -> bool {
        edge.sharp
    }

    /// Fails with what cannot be shown.
    #[resource]
    async fn broken(&self) -> Result<String, Failure> {
        Err(Failure::internal(Unspeakable))
    }
}

#[tokio::test]
async fn o57_a_panic_between_the_steps_of_a_call_ends_that_call_and_no_other() {
    let runtime = Server::new(Knives).runtime().unwrap();
    let calls = [
        ("throw", json!({})),
        ("throw_far", json!({})),
        ("fail", json!({})),
        ("touch", json!({"edge": {"sharp": true}})),
    ];
    for (capability, arguments) in calls {
        let outcome = runtime.in_process().call(capability, &arguments).await;
        assert_eq!(status(&outcome), Status::Defect, "{capability}");
    }
    let outcome = runtime.in_process().read("app://broken").await;
    assert_eq!(status(&outcome), Status::Defect);
    let outcome = runtime.in_process().call("touch", &json!({"edge": {"sharp": false}})).await;
    assert_eq!(status(&outcome), Status::Unauthorized);
}

//! B89 to B101 and the audit cases: every decision is recorded, once, and nothing private with it.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use agent_mcp::{
    Audit, AuditEntry, AuditLog, AuditSink, BoxError, InProcess, Invocation, Principal,
    PrincipalId, Runtime, Server, agent,
    runtime::{Delivery, Status},
};
use serde_json::json;
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

use crate::desk::*;

fn audited(host: &DeskHost, audit: impl Into<Audit>) -> (Runtime<User>, InProcess<User>) {
    let runtime = Server::bind(Desk, host.clone()).audit(audit).runtime().unwrap();
    let door = runtime.acting_as(User::ada());
    (runtime, door)
}

#[tokio::test(start_paused = true)]
async fn audit_29f_every_outcome_is_recorded_once_in_the_order_of_starts() {
    let host = DeskHost::open();
    let log = AuditLog::new(500);
    let (runtime, desk) = audited(&host, log.clone());

    let token = CancellationToken::new();
    let cancelled = Invocation::new().with_cancellation(&token);
    let slow = tokio::spawn(desk.call_as("work", &json!({"steps": 2_000}), cancelled));
    pass(Duration::from_millis(1)).await;
    desk.call("add", &titled("milk")).await;
    host.behave(Behaviour::Decline);
    desk.call("add", &titled("milk")).await;
    desk.call("add", &json!({"title": 1})).await;
    desk.call("add_reasoned", &titled("")).await;
    desk.call("no_such", &json!({})).await;
    desk.call("delete_selected", &json!({})).await;
    token.cancel();
    slow.await.unwrap();
    desk.call("wait", &json!({})).await;
    desk.call("fail", &json!({"how": "panic"})).await;
    desk.call("fail", &json!({"how": "say"})).await;
    host.behave(Behaviour::Accept);
    desk.call("add", &titled("late")).await;
    host.behave(Behaviour::Hang);
    desk.call("add", &titled("lost")).await;
    host.behave(Behaviour::Fail);
    desk.call("count_off", &json!({"to": 1})).await;
    desk.read("app://count").await;
    runtime.flush_audit().await;

    let entries = log.entries();
    let seen: Vec<_> = entries
        .iter()
        .map(|entry| (entry.target.as_str(), entry.dispatched, entry.status))
        .collect();
    // B90: the middle says what is known of delivery, and nothing else.
    use Delivery::{No, Unknown, Yes};
    assert_eq!(
        seen,
        [
            ("work", Unknown, Status::Cancelled),
            ("add", Yes, Status::Completed),
            ("add", Yes, Status::Failed),
            ("add", No, Status::InvalidInput),
            ("add_reasoned", No, Status::Unauthorized),
            ("no_such", No, Status::UnknownCapability), // B92
            ("delete_selected", No, Status::Unavailable),
            ("wait", Unknown, Status::Timeout),
            ("fail", Unknown, Status::Defect),
            ("fail", Yes, Status::Failed),
            ("add", Yes, Status::Timeout), // B91
            ("add", Unknown, Status::Timeout),
            ("count_off", Unknown, Status::Defect),
            ("app://count", Yes, Status::Ok),
        ]
    );
    assert!(entries.iter().all(|entry| entry.principal.to_string().ends_with("ada")));
    assert!(entries.iter().all(|entry| entry.transport == "in-app"));
    assert_eq!(entries[7].duration, Duration::from_millis(200));
    assert_eq!(entries[1].method.as_deref(), Some("add"));
    assert_eq!(entries[5].method, None);
}

#[tokio::test]
async fn audit_6ca_no_value_is_kept_unless_it_was_chosen() {
    let host = DeskHost::open();
    let log = AuditLog::new(500);
    let (runtime, desk) = audited(&host, log.clone());
    desk.call("add", &json!({"title": "hunter2", "password": {"deep": "hunter2"}})).await;
    desk.call("add", &json!({"title": "hunter2"})).await;
    runtime.flush_audit().await;
    let text = serde_json::to_string(&log.entries()).unwrap();
    assert!(!text.contains("hunter2"), "{text}");
    assert_eq!(log.entries()[0].arguments.as_ref().unwrap().names, ["password", "title"]);

    let log = AuditLog::new(500);
    let (runtime, desk) = audited(&host, Audit::to(log.clone()).keep(["title"]));
    desk.call("add", &json!({"title": "milk", "password": "hunter2"})).await;
    runtime.flush_audit().await;
    let kept = log.entries()[0].arguments.clone().unwrap();
    assert_eq!(kept.values, Some(json!({"title": "milk"})));
}

#[tokio::test]
async fn b97_the_log_is_bounded_and_a_copy_and_can_be_cleared() {
    let host = DeskHost::open();
    let log = AuditLog::new(2);
    let (runtime, desk) = audited(&host, log.clone());
    for to in 0..5 {
        desk.call("count_off", &json!({"to": to})).await;
    }
    runtime.flush_audit().await;
    let mut entries = log.entries();
    assert_eq!(entries.iter().map(|entry| entry.sequence).collect::<Vec<_>>(), [3, 4]);
    entries.clear();
    assert_eq!(log.entries().len(), 2);
    log.clear();
    assert!(log.entries().is_empty());
}

#[tokio::test]
async fn b97_time_comes_from_the_clock_that_was_given() {
    let host = DeskHost::open();
    let log = AuditLog::new(2);
    let epoch = || std::time::SystemTime::UNIX_EPOCH;
    let (runtime, desk) = audited(&host, Audit::to(log.clone()).clock(epoch));
    desk.call("count_off", &json!({"to": 1})).await;
    runtime.flush_audit().await;
    let entry = serde_json::to_value(&log.entries()[0]).unwrap();
    assert_eq!(entry["started"], "1970-01-01T00:00:00.000Z");
    assert_eq!(entry["status"], "dispatched");
}

#[tokio::test(start_paused = true)]
async fn b98_audit_72c_an_open_audit_counts_what_a_failing_sink_loses() {
    struct Broken;
    impl AuditSink for Broken {
        async fn record(&self, entry: &AuditEntry) -> Result<(), BoxError> {
            assert_ne!(entry.target, "count_off", "a sink that panics");
            Err("disk full".into())
        }
    }
    let host = DeskHost::open();
    let (runtime, desk) = audited(&host, Broken);
    assert!(desk.call("count_off", &json!({"to": 1})).await.is_ok());
    assert!(desk.call("add", &titled("milk")).await.is_ok());
    runtime.flush_audit().await;
    assert_eq!(runtime.audit_entries_lost(), 2);
}

/// A sink that keeps each entry when it is told to.
#[derive(Clone, Default)]
struct Gate {
    open: Arc<AtomicBool>,
    opened: Arc<Notify>,
    log: AuditLog,
}

impl Gate {
    fn open(&self) {
        self.open.store(true, Ordering::Relaxed);
        self.opened.notify_waiters();
    }
}

impl AuditSink for Gate {
    async fn record(&self, entry: &AuditEntry) -> Result<(), BoxError> {
        let opened = self.opened.notified();
        if !self.open.load(Ordering::Relaxed) {
            opened.await;
        }
        self.log.record(entry).await
    }
}

#[tokio::test(start_paused = true)]
async fn audit_72c_a_slow_sink_holds_up_no_call_and_the_queue_is_bounded() {
    let host = DeskHost::open();
    let gate = Gate::default();
    let (runtime, desk) = audited(&host, Audit::to(gate.clone()).queue(4));
    for to in 0..20 {
        assert!(desk.call("count_off", &json!({"to": to})).await.is_ok());
    }
    assert!(runtime.audit_entries_lost() >= 15);
    gate.open();
    runtime.flush_audit().await;
    let kept = gate.log.entries().len() as u64;
    assert_eq!(kept + runtime.audit_entries_lost(), 20);
}

#[tokio::test(start_paused = true)]
async fn audit_72c_a_closed_audit_refuses_before_the_method_when_there_is_no_place() {
    let host = DeskHost::open();
    let gate = Gate::default();
    let (runtime, desk) = audited(&host, Audit::to(gate.clone()).queue(2).closed());
    let mut refused = 0;
    for to in 0..10 {
        let outcome = desk.call("count_off", &json!({"to": to})).await;
        if status(&outcome) == Status::Busy {
            refused += 1;
            assert!(outcome.summary("count_off").text.contains("`audit`"));
        }
    }
    assert!(refused >= 7, "{refused}");
    assert_eq!(host.sent().len(), 10 - refused);
    gate.open();
    runtime.flush_audit().await;
    assert!(desk.call("count_off", &json!({"to": 1})).await.is_ok());
}

#[tokio::test(start_paused = true)]
async fn audit_72c_a_closed_audit_refuses_while_the_sink_fails_and_loses_nothing() {
    #[derive(Clone, Default)]
    struct Mending(Arc<AtomicBool>, AuditLog);
    impl AuditSink for Mending {
        async fn record(&self, entry: &AuditEntry) -> Result<(), BoxError> {
            if !self.0.load(Ordering::Relaxed) {
                return Err("disk full".into());
            }
            self.1.record(entry).await
        }
    }
    let host = DeskHost::open();
    let sink = Mending::default();
    let (runtime, desk) = audited(&host, Audit::to(sink.clone()).closed());
    assert!(desk.call("count_off", &json!({"to": 1})).await.is_ok());
    pass(Duration::from_secs(1)).await;
    assert_eq!(status(&desk.call("count_off", &json!({"to": 2})).await), Status::Busy);
    sink.0.store(true, Ordering::Relaxed);
    runtime.flush_audit().await;
    assert!(desk.call("count_off", &json!({"to": 3})).await.is_ok());
    runtime.flush_audit().await;
    assert_eq!(sink.1.entries().len(), 2);
    assert_eq!(host.sent().len(), 2);
}

#[tokio::test]
async fn a_pair_of_sinks_keeps_every_entry_in_both() {
    let (one, two) = (AuditLog::default(), AuditLog::default());
    let (runtime, desk) = audited(&DeskHost::open(), (one.clone(), two.clone()));
    desk.call("count_off", &json!({"to": 1})).await;
    runtime.flush_audit().await;
    assert_eq!((one.entries().len(), two.entries().len()), (1, 1));
}

#[tokio::test]
async fn b99_without_an_audit_nothing_differs() {
    let host = DeskHost::open();
    let outcome = desk(&host).call("add", &titled("milk")).await;
    let (_, audited) = audited(&DeskHost::open(), AuditLog::default());
    assert_eq!(outcome, audited.call("add", &titled("milk")).await);
}

/// A caller whose code says who it is, or breaks.
enum Guest {
    Known,
    Broken,
}

impl Principal for Guest {
    fn id(&self) -> PrincipalId {
        match self {
            Self::Known => PrincipalId::local("guest"),
            Self::Broken => panic!("secret"),
        }
    }
}

struct Bell;

#[agent(principal = Guest)]
impl Bell {
    /// Rings.
    #[capability]
    fn ring(&self) {}

    /// How often it rang.
    #[resource]
    fn rings(&self) -> u32 {
        0
    }
}

// B98: what the application says of a caller for the audit is its own code, which may break.
#[tokio::test]
async fn an_identity_that_panics_is_a_defect_of_its_call_and_of_no_other() {
    let log = AuditLog::new(500);
    let runtime = Server::new(Bell).audit(log.clone()).runtime().unwrap();
    let (known, broken) = (runtime.acting_as(Guest::Known), runtime.acting_as(Guest::Broken));
    for outcome in [
        broken.call("ring", &json!({})).await,
        broken.call("no_such", &json!({})).await,
        broken.read("app://rings").await,
    ] {
        assert_eq!(status(&outcome), Status::Defect);
        assert!(!outcome.summary("ring").text.contains("secret"));
    }
    assert!(known.call("ring", &json!({})).await.is_ok());
    runtime.flush_audit().await;
    assert_eq!((log.entries().len(), runtime.audit_entries_lost()), (1, 3));
}

static CLOCK_STOOD_STILL: AtomicBool = AtomicBool::new(true);

#[tokio::test]
async fn a_clock_that_panics_is_a_defect_of_its_call_and_of_no_other() {
    let log = AuditLog::new(500);
    let audit = Audit::to(log.clone()).clock(|| {
        assert!(!CLOCK_STOOD_STILL.load(Ordering::Relaxed), "secret");
        std::time::SystemTime::UNIX_EPOCH
    });
    let runtime = Server::new(Bell).audit(audit).runtime().unwrap();
    let known = runtime.acting_as(Guest::Known);
    assert_eq!(status(&known.call("ring", &json!({})).await), Status::Defect);
    CLOCK_STOOD_STILL.store(false, Ordering::Relaxed);
    assert!(known.call("ring", &json!({})).await.is_ok());
    runtime.flush_audit().await;
    assert_eq!(log.entries().len(), 1);
}

struct Shelves;

#[agent_mcp::data]
struct Place {
    shelf: String,
    number: u8,
}

#[agent(principal = User)]
impl Shelves {
    /// A book.
    #[resource(uri = "shelf://{shelf}/{number}")]
    fn book(&self, #[args] place: Place) -> String {
        format!("{} {}", place.shelf, place.number)
    }
}

#[tokio::test]
async fn b92_a_read_by_a_template_is_recorded_with_both() {
    let log = AuditLog::new(500);
    let runtime = Server::new(Shelves).audit(log.clone()).runtime().unwrap();
    let door = runtime.acting_as(User::ada());
    assert_eq!(door.read("shelf://poems/7").await.summary("").text, "poems 7");
    assert!(!door.read("shelf://poems/300").await.is_ok());
    runtime.flush_audit().await;
    for (entry, status) in log.entries().iter().zip([Status::Ok, Status::UnknownResource]) {
        assert!(entry.target.starts_with("shelf://poems/"), "{}", entry.target);
        assert_eq!(entry.template.as_deref(), Some("shelf://{shelf}/{number}"));
        assert_eq!(entry.status, status);
    }
}

struct Piled;

#[agent]
impl Piled {
    /// What stands for a list would be one text.
    #[resource(uri = "shelf://{numbers}")]
    fn books(&self, numbers: Vec<u32>) -> usize {
        numbers.len()
    }
}

#[test]
fn a_variable_of_an_address_is_one_text() {
    let error = Server::new(Piled).runtime().err().unwrap().to_string();
    assert!(error.contains("`numbers` is a list or an object"), "{error}");
}

struct Mislaid;

#[agent]
impl Mislaid {
    /// It lacks a place for the number.
    #[resource(uri = "shelf://{shelf}")]
    fn book(&self, #[args] place: Place) -> String {
        place.shelf + &place.number.to_string()
    }
}

#[test]
fn arguments_in_one_type_have_a_place_in_the_address_each() {
    let error = Server::new(Mislaid).runtime().err().unwrap().to_string();
    assert!(error.contains("the argument `number` has no place in its uri"), "{error}");
}

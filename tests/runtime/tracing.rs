//! B107: one span for each dispatch, also for what is refused, with names that others understand.

use std::{
    cell::RefCell,
    collections::BTreeMap,
    fmt::Debug,
    sync::{Arc, LazyLock, Mutex},
};

use agent_mcp::Invocation;
use serde_json::json;
use tracing::{
    Event, Metadata, Subscriber,
    field::{Field, Visit},
    span::{Attributes, Id, Record},
};

use crate::desk::*;

type Fields = BTreeMap<&'static str, String>;

/// Keeps the fields of every span and the text of every event.
#[derive(Clone, Default)]
struct Spans(
    Arc<Mutex<Vec<Fields>>>,
    Arc<Mutex<String>>,
    Arc<Mutex<Vec<&'static Metadata<'static>>>>,
);

thread_local! {
    static ENTERED: RefCell<Vec<Id>> = const { RefCell::new(Vec::new()) };
}

struct Into<'a>(&'a mut Fields);

impl Visit for Into<'_> {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        self.0.insert(field.name(), format!("{value:?}").trim_matches('"').to_owned());
    }
}

impl Subscriber for Spans {
    fn enabled(&self, _: &Metadata<'_>) -> bool {
        true
    }

    fn new_span(&self, attributes: &Attributes<'_>) -> Id {
        let mut fields = Fields::from([("span", attributes.metadata().name().to_owned())]);
        attributes.record(&mut Into(&mut fields));
        let mut spans = self.0.lock().unwrap();
        self.2.lock().unwrap().push(attributes.metadata());
        spans.push(fields);
        Id::from_u64(spans.len() as u64)
    }

    fn record(&self, id: &Id, values: &Record<'_>) {
        let mut spans = self.0.lock().unwrap();
        values.record(&mut Into(&mut spans[usize::try_from(id.into_u64()).unwrap() - 1]));
    }

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, event: &Event<'_>) {
        let mut fields = Fields::new();
        event.record(&mut Into(&mut fields));
        self.1.lock().unwrap().push_str(&format!("{fields:?}\n"));
    }

    fn enter(&self, id: &Id) {
        ENTERED.with_borrow_mut(|entered| entered.push(id.clone()));
    }

    fn exit(&self, _: &Id) {
        ENTERED.with_borrow_mut(Vec::pop);
    }

    fn current_span(&self) -> tracing_core::span::Current {
        let Some(id) = ENTERED.with_borrow(|entered| entered.last().cloned()) else {
            return tracing_core::span::Current::none();
        };
        let metadata = self.2.lock().unwrap()[usize::try_from(id.into_u64()).unwrap() - 1];
        tracing_core::span::Current::new(id, metadata)
    }
}

/// The spans of this process; the tests beside this one write into them too.
fn spans() -> Spans {
    static SPANS: LazyLock<Spans> = LazyLock::new(|| {
        let spans = Spans::default();
        tracing::subscriber::set_global_default(spans.clone()).unwrap();
        spans
    });
    SPANS.clone()
}

#[tokio::test]
async fn b107_one_span_per_dispatch_also_for_unknown_and_refused_ones() {
    let spans = spans();
    let desk = desk(&DeskHost::open());
    let call = |capability, arguments: serde_json::Value, id: &str| {
        desk.call_as(capability, &arguments, Invocation::new().with_id(id))
    };
    call("add", titled("milk"), "span-0").await;
    call("add", json!({"title": "swordfish", "password": "swordfish"}), "span-1").await;
    call("no_such", json!({}), "span-2").await;
    let seen = spans.0.lock().unwrap().clone();
    let dispatches: Vec<_> = (0..3)
        .map(|number| {
            let id = format!("span-{number}");
            let of_call = |it: &&Fields| it.get("agent.invocation") == Some(&id);
            let mut spans = seen.iter().filter(of_call);
            let span = spans.next().unwrap();
            assert_eq!((span["span"].as_str(), spans.next()), ("agent.dispatch", None));
            span
        })
        .collect();
    assert_eq!(dispatches[0]["gen_ai.tool.name"], "add");
    assert_eq!(dispatches[0]["gen_ai.operation.name"], "execute_tool");
    assert_eq!(dispatches[0]["otel.name"], "tools/call add");
    assert_eq!(dispatches[0]["agent.transport"], "in-app");
    assert_eq!(dispatches[0]["agent.status"], "completed");
    assert!(!dispatches[0].contains_key("error.type"));
    assert_eq!(dispatches[1]["error.type"], "invalid_input");
    assert_eq!(dispatches[2]["error.type"], "unknown_capability");
    // audit-6ca: no argument is in the log at any level.
    let logged = format!("{seen:?}{}", spans.1.lock().unwrap());
    assert!(!logged.contains("swordfish"));
}

#[tokio::test]
async fn meta_4_the_span_says_where_it_stands_in_the_callers_trace() {
    let spans = spans();
    let desk = desk(&DeskHost::open());
    let parent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
    let meta = json!({"traceparent": parent, "tracestate": "a=1", "baggage": "user=7", "x": "y"});
    let traced = Invocation::new().with_id("traced").with_meta(meta.as_object().unwrap().clone());
    desk.call_as("add", &titled("milk"), traced).await;
    let broken = json!({"traceparent": "swordfish"}).as_object().unwrap().clone();
    let broken = Invocation::new().with_id("broken").with_meta(broken);
    desk.call_as("add", &titled("milk"), broken).await;
    let seen = spans.0.lock().unwrap().clone();
    let span = |id: &str| {
        let mut spans =
            seen.iter().filter(|it| it.get("agent.invocation").is_some_and(|it| it == id));
        spans.next().unwrap().clone()
    };
    let said = ["traceparent", "tracestate", "baggage"].map(|key| span("traced")[key].clone());
    assert_eq!(said, [parent, "a=1", "user=7"]);
    assert!(
        !span("broken").contains_key("traceparent"),
        "what is not well formed is not passed on"
    );
}

// B132.
#[tokio::test]
async fn o18_a_panicking_predicate_is_logged_and_hides_its_own_capability_only() {
    use agent_mcp::{Context, Server, agent};

    struct Shaky;

    #[agent(model = Model, message = Message)]
    impl Shaky {
        /// Breaks when it is looked at.
        #[capability(available = |_model| panic!("bad predicate"))]
        fn shaky(_cx: &Context<Self>) -> Message {
            Message::Count { to: 1 }
        }

        /// Fine.
        #[capability]
        fn steady(_cx: &Context<Self>) -> Message {
            Message::Count { to: 2 }
        }
    }

    let spans = spans();
    let log = agent_mcp::AuditLog::new(5);
    let host = DeskHost::open();
    let runtime = Server::bind(Shaky, host.clone()).audit(log.clone()).runtime().unwrap();
    assert_eq!(runtime.available(&()), [false, true]);
    assert!(spans.1.lock().unwrap().contains("bad predicate"));
    let outcome = runtime.in_process().call("shaky", &json!({})).await;
    assert_eq!(status(&outcome), agent_mcp::runtime::Status::Unavailable);
    runtime.flush_audit().await;
    assert!(log.entries()[0].note.as_deref().unwrap().contains("panicked"));
    assert_eq!(host.sent(), []);
}

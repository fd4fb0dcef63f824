//! B1 to B31: what a declaration offers and accepts, seen through the runtime.

use std::sync::{Arc, Mutex};

use agent_mcp::{
    AuditLog, Completion, Context, Invocation, Server, agent,
    host::{Store, Subscription},
    runtime::{Outcome, Source, Status},
};
use serde_json::json;

use crate::desk::*;

struct Clerk {
    ledger: Arc<Ledger>,
}

/// What the clerk's host is told.
#[derive(Clone, Debug, PartialEq)]
enum Order {
    Place { item: String, by: String, call: String, at: u64 },
    Placed { item: String },
}

#[derive(Clone, Default)]
struct Book {
    at: u64,
    orders: Vec<Order>,
}

// A value that is changed each time it is read: reading it twice shows (B29).
#[agent_mcp::data]
#[serde(from = "String")]
#[schemars(with = "String")]
struct Shouted(String);

impl From<String> for Shouted {
    fn from(text: String) -> Self {
        Self(text + "!")
    }
}

/// Orders things.
#[agent(name = "clerk", model = Book, message = Order)]
impl Clerk {
    /// How many orders there are.
    #[context]
    fn context(cx: &Context<Self>) -> usize {
        cx.model().orders.len()
    }

    /// Orders an item.
    #[capability(completion = |call, message| match message {
        Order::Placed { item } if *item == call.input.item.0 => Completion::Done(()),
        _ => Completion::Pending,
    })]
    fn order(cx: &Context<Self>, item: Shouted) -> Order {
        Order::Place {
            item: item.0,
            by: cx.invocation().transport.to_string(),
            call: cx.invocation().id.to_string(),
            at: cx.model().at,
        }
    }

    /// Orders an item and waits until the ledger has it.
    #[capability(completion = when(
        |clerk| clerk.ledger.clone(),
        |call, ledger| ledger.contains(&call.input.item),
    ))]
    fn order_booked(&self, item: String) -> Order {
        Order::Place { item, by: String::new(), call: String::new(), at: 0 }
    }

    /// Is not exposed.
    #[allow(dead_code)]
    fn wipe(&self) -> Order {
        Order::Placed { item: String::new() }
    }
}

/// State outside the Model.
#[derive(Default)]
struct Ledger {
    lines: Mutex<Vec<String>>,
    observers: Mutex<Vec<Arc<dyn Fn() + Send + Sync>>>,
}

impl Ledger {
    fn write(&self, line: &str) {
        self.lines.lock().unwrap().push(line.to_owned());
        for observer in self.observers.lock().unwrap().clone() {
            observer();
        }
    }
}

impl Source for Ledger {
    type Value = Vec<String>;

    fn get(&self) -> impl std::ops::Deref<Target = Vec<String>> {
        self.lines.lock().unwrap()
    }

    fn observe(&self, notify: Arc<dyn Fn() + Send + Sync>) -> Subscription {
        self.observers.lock().unwrap().push(notify);
        Subscription::new(|| {})
    }
}

fn clerk() -> (agent_mcp::InProcess<()>, Store<Book, Order>, Arc<Ledger>) {
    let ledger = Arc::new(Ledger::default());
    let store = Store::new(Book { at: 42, ..Book::default() }, |book: &Book, order: Order| {
        let mut book = book.clone();
        book.orders.push(order.clone());
        let fact = match order {
            Order::Place { item, .. } => Some(Order::Placed { item }),
            Order::Placed { .. } => None,
        };
        (book, fact)
    });
    let clerk = Clerk { ledger: ledger.clone() };
    (Server::bind(clerk, store.clone()).runtime().unwrap().in_process(), store, ledger)
}

#[tokio::test]
async fn b1_b106_only_what_is_annotated_is_reachable() {
    let (clerk, ..) = clerk();
    let contract = clerk.runtime().contract();
    let names: Vec<_> = contract.capabilities.iter().map(|it| it.name.as_str()).collect();
    assert_eq!(names, ["order", "order_booked"]);
    assert_eq!(status(&clerk.call("wipe", &json!({})).await), Status::UnknownCapability);
    assert!(!contract.manifest().contains("wipe"));
}

#[tokio::test]
async fn b2_b8_a_capability_makes_one_message_of_input_snapshot_and_invocation() {
    let (clerk, store, _) = clerk();
    let invocation = Invocation::on("carrier-pigeon").with_id("c1"); // B46
    assert!(clerk.call_as("order", &json!({"item": "tea"}), invocation).await.is_ok());
    let placed = Order::Place {
        item: "tea!".into(), // B29: read once, not twice
        by: "carrier-pigeon".into(),
        call: "c1".into(),
        at: 42,
    };
    assert_eq!(store.model().orders, [placed, Order::Placed { item: "tea!".into() }]);
}

#[tokio::test]
async fn b5_b6_b7_only_the_parameters_are_advertised_and_accepted() {
    let (clerk, store, _) = clerk();
    let order = clerk.runtime().contract().capability("order").unwrap();
    assert_eq!(
        order.input,
        json!({
            "type": "object",
            "properties": {"item": {"type": "string"}},
            "required": ["item"],
            "additionalProperties": false,
        })
    );
    for injected in ["by", "at", "call", "type"] {
        let outcome = clerk.call("order", &json!({"item": "tea", injected: 1})).await;
        assert_eq!(status(&outcome), Status::InvalidInput, "{injected}");
    }
    assert!(store.model().orders.is_empty());
}

#[tokio::test]
async fn b15_b103_the_contract_does_not_move_with_the_state() {
    let host = DeskHost::default();
    let desk = desk(&host);
    let before = desk.runtime().contract().manifest();
    host.change(|model| model.open = true);
    desk.call("add", &titled("x")).await;
    assert_eq!(desk.runtime().contract().manifest(), before);
}

#[tokio::test]
async fn b16_one_contract_serves_every_adapter_and_names_none() {
    let (clerk, ..) = clerk();
    let manifest = clerk.runtime().contract().manifest();
    for word in ["mcp", "stdio", "http", "jsonrpc"] {
        assert!(!manifest.to_lowercase().contains(word), "{word}: {manifest}");
    }
}

#[tokio::test]
async fn b17_b18_a_context_is_a_projection_and_optional() {
    let (clerk, ..) = clerk();
    let context = clerk.runtime().contract().context.clone().unwrap();
    assert_eq!(context.schema.unwrap()["type"], "integer");
    assert_eq!(clerk.read("app://context").await.json::<usize>().unwrap(), 0);
    // B17: `Echo` has none, and it is absent, not empty.
    let none = Server::new(Bare).runtime().unwrap();
    assert_eq!(none.contract().context, None);
    assert!(!none.contract().manifest().contains("context"));
    assert_eq!(status(&none.in_process().read("app://context").await), Status::UnknownResource);
}

struct Bare;

#[agent]
impl Bare {
    /// Does nothing.
    #[capability]
    async fn nothing(&self) {}
}

#[tokio::test]
async fn b27_b28_no_arguments_means_the_empty_object_and_nothing_else() {
    let bare = Server::new(Bare).runtime().unwrap().in_process();
    assert_eq!(bare.call("nothing", &json!({})).await.summary("nothing").text, "ok");
    for other in [json!([]), json!(null), json!("{}"), json!(0), json!({"a": 1})] {
        let outcome = bare.call("nothing", &other).await;
        assert_eq!(status(&outcome), Status::InvalidInput, "{other}");
    }
}

#[tokio::test]
async fn b30_b31_faults_name_paths_and_types_of_the_schema_and_no_value() {
    let (clerk, ..) = clerk();
    let outcome = clerk.call("order", &json!({"item": 5, "itme": "hunter2"})).await;
    let text = outcome.summary("order").text.into_owned();
    assert!(text.contains("`order`"), "{text}"); // B80
    assert!(text.contains("item") && text.contains("string") && text.contains("itme"), "{text}");
    for private in ["hunter2", "Shouted", "serde", "Order"] {
        assert!(!text.contains(private), "{text}");
    }
}

#[tokio::test]
async fn b48_how_it_finished_is_said_only_with_a_completion() {
    let host = DeskHost::open();
    let desk = desk(&host);
    assert_eq!(desk.call("count_off", &json!({"to": 1})).await, Outcome::Dispatched);
    assert_eq!(desk.call("count_to", &json!({"to": 1})).await, Outcome::Completed(None));
}

#[tokio::test(start_paused = true)]
async fn b73_b76_a_completion_may_wait_for_state_outside_the_model() {
    let (clerk, _, ledger) = clerk();
    let call = tokio::spawn(clerk.call("order_booked", &json!({"item": "tea"})));
    pass(std::time::Duration::from_secs(1)).await;
    ledger.write("coffee");
    pass(std::time::Duration::from_secs(1)).await;
    assert!(!call.is_finished());
    ledger.write("tea");
    assert_eq!(call.await.unwrap(), Outcome::Completed(None));
    // True already: it is looked at once when waiting starts.
    let again = clerk.call("order_booked", &json!({"item": "tea"})).await;
    assert_eq!(again, Outcome::Completed(None));
}

#[tokio::test]
async fn b94_b95_b96_the_audit_holds_an_id_and_a_copy_and_never_the_model() {
    let host = DeskHost::open();
    host.change(|model| model.count = 987_654_321);
    let log = AuditLog::new(5);
    let audit = agent_mcp::Audit::to(log.clone()).keep(["**"]);
    let runtime = Server::bind(Desk, host).audit(audit).runtime().unwrap();
    let desk = runtime.acting_as(User::ada());
    let mut arguments = titled("milk");
    desk.call("add", &arguments).await;
    arguments["title"] = json!("rewritten");
    runtime.flush_audit().await;
    let entry = serde_json::to_string(&log.entries()).unwrap();
    assert!(entry.contains("milk") && !entry.contains("rewritten"), "{entry}");
    assert!(entry.contains(r#""principal":"local ada""#), "{entry}");
    assert!(!entry.contains("987654321") && !entry.contains("may_add"), "{entry}");
}

//! What the macros make of an impl block, seen in the contract and in calls (B1 to B24, macro-*, names-*).

use agent_mcp::{
    Completion, Context, Denied, Effects, InvocationId, Outcome, Principal, PrincipalId, Server,
    Store, agent,
};
use serde_json::json;

#[agent_mcp::data]
#[derive(Default)]
enum Units {
    #[default]
    Metric,
    Imperial,
}

#[agent_mcp::data]
struct Conditions {
    city: String,
    degrees: f64,
}

#[derive(Debug)]
struct WeatherError;

impl std::fmt::Display for WeatherError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("no such city")
    }
}

#[derive(Default)]
struct Weather;

/// Weather for any city.
#[agent]
impl Weather {
    /// Current conditions in a city.
    #[capability(read_only)]
    async fn current(
        &self,
        /// City name, in any language.
        city: String,
        #[serde(default)] units: Units,
    ) -> Result<Conditions, WeatherError> {
        match units {
            Units::Metric if city != "nowhere" => Ok(Conditions { city, degrees: 21.0 }),
            Units::Imperial => Ok(Conditions { city, degrees: 70.0 }),
            Units::Metric => Err(WeatherError),
        }
    }
}

#[tokio::test]
async fn a_service_is_called() {
    let runtime = Server::new(Weather).runtime().unwrap();
    let contract = runtime.contract().clone();
    assert_eq!(contract.name, "weather");
    assert_eq!(contract.instructions.as_deref(), Some("Weather for any city."));
    let outcome = runtime.in_process().call("current", &json!({"city": "Oslo"})).await;
    let conditions: Conditions = outcome.json().unwrap();
    assert_eq!(conditions.degrees, 21.0);
    let failed = runtime.in_process().call("current", &json!({"city": "nowhere"})).await;
    assert_eq!(failed.summary("current").text, "no such city");
}

#[derive(Default, Clone)]
struct Model {
    selected: Option<u32>,
    todos: Vec<String>,
}

#[derive(Clone)]
enum Message {
    DeleteRequested { request: InvocationId },
    Deleted { request: InvocationId },
    DeleteFailed { request: InvocationId, why: String },
}

struct User {
    may_delete: bool,
}

impl Principal for User {
    fn id(&self) -> PrincipalId {
        PrincipalId::local("user")
    }
}

#[agent_mcp::data]
struct Visible {
    selected: bool,
}

#[agent_mcp::data]
struct TodoView {
    text: String,
}

struct TodoAgent;

#[agent(name = "todo", model = Model, message = Message, principal = User)]
impl TodoAgent {
    /// What an agent may see.
    #[context]
    fn context(cx: &Context<Self>) -> Visible {
        Visible { selected: cx.model().selected.is_some() }
    }

    /// All todos, newest first.
    #[resource]
    fn todos(cx: &Context<Self>) -> Vec<TodoView> {
        cx.model().todos.iter().map(|text| TodoView { text: text.clone() }).collect()
    }

    /// Delete the selected todo.
    #[capability(
        available  = |model| model.selected.is_some(),
        authorize  = |call| call.principal.may_delete,
        completion = |call, message| match message {
            Message::Deleted { request, .. } if *request == call.invocation.id => Completion::Done(()),
            Message::DeleteFailed { request, why } if *request == call.invocation.id => Completion::failed(why),
            _ => Completion::Pending,
        },
        timeout = "10s",
        destructive,
    )]
    fn delete_selected(cx: &Context<Self>) -> Message {
        Message::DeleteRequested { request: cx.invocation().id.clone() }
    }

    /// Asked by a function.
    #[capability(available = has_todos, authorize = Self::may)]
    fn clear(cx: &Context<Self>) -> Message {
        Message::DeleteFailed { request: cx.invocation().id.clone(), why: String::new() }
    }
}

impl TodoAgent {
    async fn may(call: &agent_mcp::Caller<Self>) -> Result<(), Denied> {
        if call.principal.may_delete { Ok(()) } else { Err(Denied::because("no")) }
    }
}

fn has_todos(model: &Model, _: &User) -> bool {
    !model.todos.is_empty()
}

fn update(model: &Model, message: Message) -> (Model, Effects<Message>) {
    let mut model = model.clone();
    match message {
        Message::DeleteRequested { request } => {
            model.selected = None;
            return (model, Effects::send(Message::Deleted { request }));
        }
        Message::Deleted { .. } | Message::DeleteFailed { .. } => {}
    }
    (model, Effects::none())
}

#[tokio::test]
async fn an_application_is_driven() {
    let store = Store::new(Model { selected: Some(1), todos: vec![] }, update);
    let runtime = Server::bind(TodoAgent, store.clone())
        .principal(User { may_delete: true })
        .runtime()
        .unwrap();
    let door = runtime.acting_as(User { may_delete: true });
    assert_eq!(door.call("delete_selected", &json!({})).await, Outcome::Completed(None));
}

#[agent_mcp::data]
struct Row {
    #[id]
    id: u64,
    #[id]
    #[serde(default)]
    parent: Option<u64>,
}

struct Rows;

#[agent]
impl Rows {
    /// A row by its id.
    #[capability]
    async fn row(
        &self,
        /// The row's id.
        #[id]
        id: u64,
    ) -> Row {
        Row { id, parent: None }
    }
}

#[tokio::test]
async fn schema_42e_an_id_is_a_string_both_ways() {
    let runtime = Server::new(Rows).runtime().unwrap();
    let row = runtime.contract().capability("row").unwrap();
    assert_eq!(row.input["properties"]["id"]["type"], "string");
    assert_eq!(row.input["properties"]["id"]["description"], "The row's id.");
    assert_eq!(row.output.as_ref().unwrap()["properties"]["id"]["type"], "string");
    for id in [json!(9007199254740993_u64), json!("9007199254740993")] {
        let outcome = runtime.in_process().call("row", &json!({"id": id})).await;
        let json = outcome.summary("row").structured.unwrap().into_owned();
        assert_eq!(json, r#"{"id":"9007199254740993","parent":null}"#);
    }
}

struct Shelf;

#[agent(calls = ShelfCalls)]
impl Shelf {
    /// Books on a topic.
    #[capability(name = "search")]
    async fn find(
        &self,
        #[serde(rename = "subject")] topic: String,
        #[serde(default)] limit: u8,
        #[id] after: u64,
        cx: &Context<Self>,
    ) -> String {
        format!("{topic} {limit} {after} {}", cx.invocation().transport)
    }

    /// A book.
    #[capability]
    async fn borrow(&self, #[args] row: Row) -> Row {
        row
    }

    /// How many there are.
    #[capability(available = |_| false)]
    fn count(&self) -> u32 {
        0
    }
}

// B22, B23
#[tokio::test]
async fn calls_are_typed_and_go_through_the_pipeline() {
    let runtime = Server::new(Shelf).runtime().unwrap();
    let calls = ShelfCalls::new(runtime.in_process());
    let found = calls.find("birds".into(), 3, 9_007_199_254_740_993).await;
    assert_eq!(found.json::<String>().unwrap(), "birds 3 9007199254740993 in-app");
    let row = calls.borrow(Row { id: 7, parent: None }).await;
    assert_eq!(row.json::<Row>().unwrap().id, 7);
    assert_eq!(calls.count().await.code().status, agent_mcp::runtime::Status::Unavailable);
}

struct Pages;

/// Defaults in more than one place.
#[agent]
impl Pages {
    /// The first ones.
    #[capability]
    async fn first(&self, #[serde(default = "ten")] count: u8) -> u8 {
        count
    }

    /// The last ones.
    #[capability]
    async fn last(&self, #[serde(default)] count: u8, #[serde(default)] skip: u8) -> u8 {
        count + skip
    }
}

fn ten() -> u8 {
    10
}

// B21
#[tokio::test]
async fn more_than_one_capability_may_have_defaults() {
    let runtime = Server::new(Pages).runtime().unwrap();
    for (capability, expected) in [("first", 10), ("last", 0)] {
        let outcome = runtime.in_process().call(capability, &json!({})).await;
        assert_eq!(outcome.json::<u8>().unwrap(), expected);
    }
}

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

struct Shapes;

/// First paragraph.
///
/// - a list
///     indented
#[agent(title = "All shapes", coerce, dotted_names)]
impl Shapes {
    #[capability(
        name = "shapes.all",
        title = "All",
        read_only,
        idempotent = false,
        open_world,
        open,
        coerce = false,
        timeout = "1500ms",
        concurrency = 3
    )]
    /// The attribute stands above.
    ///
    /// A second paragraph.
    async fn all(&self) {}

    /// Not this.
    #[capability(description = "This.", inline)]
    fn described(&self, cx: &Context<Self>) -> bool {
        cx.is_cancelled()
    }
}

// B3, B12, B27, names-7b8: options end in the contract; attributes may stand in any order.
#[test]
fn options_end_in_the_contract() {
    let runtime = Server::new(Shapes).runtime().unwrap();
    let contract = runtime.contract();
    assert_eq!(contract.title.as_deref(), Some("All shapes"));
    assert_eq!(contract.version.as_deref(), Some(env!("CARGO_PKG_VERSION")));
    assert_eq!(
        contract.instructions.as_deref(),
        Some("First paragraph.\n\n- a list\n    indented")
    );
    let all = contract.capability("shapes.all").unwrap();
    assert_eq!(all.method, "all");
    assert_eq!(all.title.as_deref(), Some("All"));
    assert_eq!(all.description, "The attribute stands above.\n\nA second paragraph.");
    assert_eq!(all.annotations.read_only, Some(true));
    assert_eq!(all.annotations.idempotent, Some(false));
    assert_eq!(all.annotations.open_world, Some(true));
    assert_eq!(all.annotations.destructive, None);
    assert_eq!((all.open, all.coerce), (true, false));
    assert_eq!(all.timeout, Some(std::time::Duration::from_millis(1500)));
    assert_eq!(all.concurrency, Some(3));
    assert_eq!(all.output, None);
    let described = contract.capability("described").unwrap();
    assert_eq!(described.description, "This.");
    assert!(described.coerce);
}

// macro-016
mod returned {
    use super::*;
    use agent_mcp::Failure;

    #[derive(Debug)]
    pub(super) struct LoadError(std::num::ParseIntError);

    impl std::fmt::Display for LoadError {
        fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.write_str("the id is no number")
        }
    }

    impl std::error::Error for LoadError {
        fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
            Some(&self.0)
        }
    }

    impl From<std::num::ParseIntError> for LoadError {
        fn from(error: std::num::ParseIntError) -> Self {
            Self(error)
        }
    }

    type Loaded<T> = Result<T, LoadError>;

    pub(super) struct Returns;

    #[agent]
    impl Returns {
        /// Fails with an error of its own, behind an alias.
        #[capability]
        async fn load(&self, id: String) -> Loaded<Visible> {
            let id: u32 = id.parse()?;
            Ok(Visible { selected: id > 0 })
        }

        /// Fails with the chain of sources.
        #[capability]
        async fn chain(&self, id: String) -> Result<u32, Failure> {
            id.parse().map_err(|error| Failure::chain(LoadError(error)))
        }

        /// Fails with `anyhow`.
        #[capability]
        async fn anyhow(&self) -> anyhow::Result<u32> {
            anyhow::bail!("out of luck")
        }

        /// Keeps its cause to itself.
        #[capability]
        async fn internal(&self) -> Result<(), Failure> {
            Err(Failure::internal("a secret"))
        }

        /// Borrows from the agent.
        #[capability]
        async fn borrowed<'a>(&'a self, cx: &'a Context<Self>) -> Vec<&'a str> {
            vec![&cx.invocation().transport]
        }

        /// May say nothing.
        #[capability]
        fn maybe(&self) -> Option<u32> {
            None
        }

        /// A text.
        #[capability]
        fn text() -> &'static str {
            "text"
        }
    }
}

#[tokio::test]
async fn macro_016_the_return_type_decides() {
    let runtime = Server::new(returned::Returns).runtime().unwrap();
    let door = runtime.in_process();
    let text = async |name: &str, arguments: serde_json::Value| {
        door.call(name, &arguments).await.summary(name).text.into_owned()
    };
    assert_eq!(text("load", json!({"id": "x"})).await, "the id is no number");
    assert_eq!(text("load", json!({"id": "7"})).await, r#"{"selected":true}"#);
    let chain = text("chain", json!({"id": "x"})).await;
    assert_eq!(chain, "the id is no number: invalid digit found in string");
    assert_eq!(text("anyhow", json!({})).await, "out of luck");
    assert!(!text("internal", json!({})).await.contains("secret"));
    assert_eq!(text("borrowed", json!({})).await, r#"["in-app"]"#);
    assert_eq!(text("maybe", json!({})).await, "null");
    assert_eq!(text("text", json!({})).await, "text");
    let contract = runtime.contract();
    assert!(contract.capability("load").unwrap().output.is_some());
    assert!(contract.capability("text").unwrap().output.is_none());
}

#[agent_mcp::data]
#[serde(tag = "mode", rename_all = "snake_case")]
enum Find {
    ById { id: String },
    ByName { name: String },
}

struct Finder;

#[agent]
impl Finder {
    /// Finds by one of two ways.
    #[capability]
    async fn find(&self, #[args] find: Find) -> String {
        match find {
            Find::ById { id } => id,
            Find::ByName { name } => name,
        }
    }

    /// Takes defaults.
    #[capability]
    async fn page(
        &self,
        #[serde(default = "ten_rows", rename = "pageSize")] size: u32,
        #[serde(default)] page: u32,
        #[schemars(length(max = 3))] tag: Option<String>,
    ) -> String {
        format!("{size} {page} {tag:?}")
    }
}

fn ten_rows() -> u32 {
    10
}

#[tokio::test]
async fn schema_8a1_a_tagged_enum_can_be_all_the_arguments() {
    let runtime = Server::new(Finder).runtime().unwrap();
    let input = &runtime.contract().capability("find").unwrap().input;
    assert_eq!(input["type"], "object");
    for union in ["oneOf", "anyOf", "allOf"] {
        assert!(input.get(union).is_none(), "{input}");
    }
    let outcome =
        runtime.in_process().call("find", &json!({"mode": "by_name", "name": "Ada"})).await;
    assert_eq!(outcome.json::<String>().unwrap(), "Ada");
}

// schema-547
#[tokio::test]
async fn serde_and_schemars_attributes_pass_through() {
    let runtime = Server::new(Finder).runtime().unwrap();
    let input = &runtime.contract().capability("page").unwrap().input;
    assert_eq!(input["properties"]["pageSize"]["default"], 10);
    assert_eq!(input["properties"]["page"]["default"], 0);
    assert_eq!(input["properties"]["tag"]["maxLength"], 3);
    assert!(input.get("required").is_none());
    let outcome = runtime.in_process().call("page", &json!({})).await;
    assert_eq!(outcome.json::<String>().unwrap(), "10 0 None");
    let long = runtime.in_process().call("page", &json!({"tag": "long"})).await;
    assert_eq!(long.code().status, agent_mcp::runtime::Status::InvalidInput);
}

mod parts {
    use super::*;

    pub(super) struct Office;

    #[agent(parts(admin::Admin))]
    impl Office {
        /// In the main block.
        #[capability]
        async fn open(&self) {}
    }

    mod admin {
        use super::*;

        #[agent(part = Admin)]
        impl Office {
            /// In the part.
            #[capability(available = Self::is_staffed)]
            async fn close(&self, reason: String) -> String {
                reason
            }

            /// In the part.
            #[resource]
            fn staff(&self) -> u32 {
                1
            }
        }

        impl Office {
            fn is_staffed(&self) -> bool {
                true
            }
        }
    }
}

#[tokio::test]
async fn an_agent_can_be_written_in_parts() {
    let runtime = Server::new(parts::Office).runtime().unwrap();
    let contract = runtime.contract();
    let names: Vec<_> = contract.capabilities.iter().map(|capability| &capability.name).collect();
    assert_eq!(names, ["open", "close"]);
    assert!(contract.resource("staff").is_some());
    let outcome = runtime.in_process().call("close", &json!({"reason": "late"})).await;
    assert_eq!(outcome.json::<String>().unwrap(), "late");
}

mod twice {
    use super::*;

    pub(super) struct Twice;

    #[agent(parts(Again))]
    impl Twice {
        /// Here.
        #[context]
        fn here(&self) -> u8 {
            1
        }
    }

    #[agent(part = Again)]
    impl Twice {
        /// And here.
        #[context]
        fn there(&self) -> u8 {
            2
        }
    }
}

#[test]
fn a_second_context_in_a_part_is_found_when_the_server_is_built() {
    let error = Server::new(twice::Twice).runtime().err().unwrap();
    assert_eq!(error.to_string(), "`context`: an agent has one context; make this one a resource");
}

// B70, B76: completions by state, and every form of a hook.
mod hooks {
    use super::*;
    use agent_mcp::{Call, Caller, host::Subscription, runtime::Source};
    use std::{ops::Deref, sync::Arc};

    pub(super) struct Synced;

    impl Source for Synced {
        type Value = u32;

        fn get(&self) -> impl Deref<Target = u32> {
            Box::new(7)
        }

        fn observe(&self, _: Arc<dyn Fn() + Send + Sync>) -> Subscription {
            Subscription::new(|| {})
        }
    }

    pub(super) struct Hooks;

    #[agent(model = Model, message = Message, principal = User)]
    impl Hooks {
        /// By the Model.
        #[capability(
            available = |model, user| user.may_delete || model.selected.is_some(),
            authorize = async |call| {
                let word: Result<u32, std::num::ParseIntError> = call.input.word.parse();
                word?;
                Ok(())
            },
            completion = when(|_, model| model.selected.is_none()),
        )]
        async fn by_model(&self, word: String, cx: &Context<Self>) -> Result<Message, String> {
            let _ = word;
            Ok(Message::DeleteRequested { request: cx.invocation().id.clone() })
        }

        /// By a source.
        #[capability(
            available = super::has_todos,
            authorize = Self::any,
            completion = when(|_| Synced, Self::synced),
            timeout = "1s",
        )]
        fn by_source(cx: &Context<Self>, least: u32) -> Message {
            let _ = least;
            Message::DeleteRequested { request: cx.invocation().id.clone() }
        }
    }

    impl Hooks {
        fn any(_: &Caller<Self>) -> bool {
            true
        }

        fn synced<I>(_: &Call<Self, I>, value: &u32) -> Completion<u32> {
            Completion::Done(*value)
        }
    }
}

#[tokio::test]
async fn b39_b70_b76_hooks_take_every_form() {
    let model = Model { selected: Some(1), todos: vec!["a".into()] };
    let store = Store::new(model, update);
    let runtime = Server::bind(hooks::Hooks, store).runtime().unwrap();
    let door = runtime.acting_as(User { may_delete: true });
    let refused = door.call("by_model", &json!({"word": "x"})).await;
    assert_eq!(refused.code().status, agent_mcp::runtime::Status::Unauthorized);
    assert!(refused.summary("by_model").text.contains("invalid digit"));
    assert_eq!(door.call("by_model", &json!({"word": "1"})).await, Outcome::Completed(None));
    let synced = door.call("by_source", &json!({"least": 1})).await;
    assert_eq!(synced.json::<u32>().unwrap(), 7);
    let contract = runtime.contract();
    let by_source = contract.capability("by_source").unwrap();
    assert_eq!(by_source.completion.unwrap().kind.as_str(), "state");
    assert!(by_source.output.is_some());
}

//! The agent under test: a shop's desk, with a capability for everything that the protocol tells apart.

use std::sync::Arc;

use agent_mcp::{
    Context, Denied, Effects, Failure, LogLevel, Server, Store, agent,
    mcp::{Handler, HandlerOptions},
};
use tokio::sync::Semaphore;

#[derive(Clone, Default)]
pub(crate) struct Shop {
    pub(crate) open: bool,
    /// One for each lamp that is on sale; each can be sold on its own.
    pub(crate) lamps: u32,
}

#[derive(Clone)]
pub(crate) enum Message {
    Open(bool),
    Lamps(u32),
}

pub(crate) fn shop() -> Store<Shop, Message> {
    Store::new(Shop { open: true, lamps: 0 }, |shop: &Shop, message| {
        let mut shop = shop.clone();
        match message {
            Message::Open(open) => shop.open = open,
            Message::Lamps(lamps) => shop.lamps = lamps,
        }
        (shop, Effects::none())
    })
}

#[agent_mcp::data]
pub(crate) struct Card {
    name: String,
    points: u32,
}

#[agent_mcp::data]
pub(crate) struct Row {
    id: u64,
}

#[agent_mcp::data]
pub(crate) struct Node {
    label: String,
    children: Vec<Node>,
}

#[derive(Clone, Default)]
pub(crate) struct Desk {
    /// What `wait` waits for.
    pub(crate) gate: Arc<Gate>,
}

pub(crate) struct Gate {
    /// A permit lets one `wait` return.
    pub(crate) open: Semaphore,
    /// A permit for each `wait` that has begun.
    pub(crate) begun: Semaphore,
    /// A permit for each `wait` that has seen its signal.
    pub(crate) cancelled: Semaphore,
}

impl Default for Gate {
    fn default() -> Self {
        let empty = || Semaphore::new(0);
        Self { open: empty(), begun: empty(), cancelled: empty() }
    }
}

impl Gate {
    /// Waits for the next permit of `what`.
    pub(crate) async fn pass(what: &Semaphore) {
        what.acquire().await.unwrap().forget();
    }
}

/// The desk of a shop.
#[agent(name = "desk", model = Shop, message = Message, version = "1.2.3")]
impl Desk {
    /// What an agent may see.
    #[context]
    fn context(cx: &Context<Self>) -> Card {
        Card { name: "shop".to_owned(), points: cx.model().lamps }
    }

    /// The card of the house.
    #[resource(title = "House card")]
    fn house(_cx: &Context<Self>) -> Card {
        Card { name: "house".to_owned(), points: 7 }
    }

    /// A note for everybody.
    #[resource]
    fn note(_cx: &Context<Self>) -> String {
        "two\nlines".to_owned()
    }

    /// Nobody reads this.
    #[resource(authorize = |_| false)]
    fn secret(_cx: &Context<Self>) -> String {
        "hidden".to_owned()
    }

    /// Breaks.
    #[resource]
    fn broken(_cx: &Context<Self>) -> String {
        panic!("/home/secret/path")
    }

    /// Says the text back.
    #[capability(title = "Echo", read_only, idempotent)]
    async fn echo(&self, text: String) -> String {
        text
    }

    /// How many there are.
    #[capability]
    async fn count(&self) -> i64 {
        42
    }

    /// A card.
    #[capability]
    async fn card(&self) -> Card {
        Card { name: "Ada".to_owned(), points: 3 }
    }

    /// A card with what some take for the end of a line.
    #[capability]
    async fn lines(&self) -> Card {
        Card { name: "a\u{2028}b\nc".to_owned(), points: 0 }
    }

    /// A row with a long id.
    #[capability]
    async fn row(&self) -> Row {
        Row { id: 9_007_199_254_740_993 }
    }

    /// All names.
    #[capability]
    async fn names(&self) -> Vec<String> {
        vec!["a".to_owned(), "b".to_owned()]
    }

    /// A card that fails.
    #[capability]
    async fn lost_card(&self) -> Result<Card, String> {
        Err("no stock".to_owned())
    }

    /// A tree.
    #[capability]
    async fn tree(&self) -> Node {
        Node { label: "root".to_owned(), children: Vec::new() }
    }

    /// Does nothing.
    #[capability]
    async fn nothing(&self) {}

    /// Lists items.
    #[capability]
    async fn list_items(&self, limit: Option<u32>) -> String {
        format!("{limit:?}")
    }

    /// Finds something.
    #[capability]
    async fn find(&self, city: String, #[serde(default)] max_depth: u32) -> String {
        format!("{city} {max_depth}")
    }

    /// Waits until it is let go or cancelled.
    #[capability]
    async fn wait(&self, cx: &Context<Self>) -> String {
        self.gate.begun.add_permits(1);
        tokio::select! {
            () = Gate::pass(&self.gate.open) => "done".to_owned(),
            () = cx.cancelled() => {
                self.gate.cancelled.add_permits(1);
                "stopped".to_owned()
            }
        }
    }

    /// Reports progress.
    #[capability]
    async fn steps(&self, cx: &Context<Self>) -> String {
        for done in [1.0, 2.0, 2.0, 3.0] {
            cx.progress().say(done, Some(4.0), "working");
        }
        "done".to_owned()
    }

    /// Logs at three levels.
    #[capability]
    async fn chatty(&self, cx: &Context<Self>) {
        cx.log(LogLevel::Debug, "debug");
        cx.log(LogLevel::Info, "info");
        cx.log(LogLevel::Error, "error");
    }

    /// Who calls.
    #[capability]
    async fn who(&self, cx: &Context<Self>) -> String {
        let client = cx.client();
        format!("{:?} {:?} {}", client.name, client.revision, client.capabilities)
    }

    /// Panics.
    #[capability]
    async fn panics(&self) -> String {
        panic!("/home/secret/path")
    }

    /// Fails the request itself.
    #[capability]
    async fn strict(&self) -> Result<String, Failure> {
        Err(Failure::protocol(-31_000, "not like this"))
    }

    /// Nobody may.
    #[capability(authorize = |_| Err::<(), _>(Denied::because("not today")))]
    async fn forbidden(&self) -> String {
        "?".to_owned()
    }

    /// Sells something, while the shop is open.
    #[capability(available = |shop| shop.open)]
    async fn sell(&self, what: String) -> String {
        what
    }

    /// Closes the shop.
    #[capability(destructive)]
    fn close(_cx: &Context<Self>) -> Message {
        Message::Open(false)
    }

    /// Opens the shop and says when it is open.
    #[capability(completion = when(|_, shop| shop.open))]
    fn open(_cx: &Context<Self>) -> Message {
        Message::Open(true)
    }
}

/// A server with the desk, and what is behind it.
pub(crate) struct Served {
    pub(crate) handler: Handler<()>,
    pub(crate) desk: Desk,
    pub(crate) shop: Store<Shop, Message>,
}

pub(crate) fn serve() -> Served {
    serve_with(|_| {})
}

pub(crate) fn serve_with(change: impl FnOnce(&mut HandlerOptions)) -> Served {
    let (desk, shop) = (Desk::default(), shop());
    let server = Server::bind(desk.clone(), shop.clone()).protocol(change);
    Served { handler: server.handler().unwrap(), desk, shop }
}

/// A service: nothing in it comes or goes, and nothing can be read.
#[derive(Default)]
pub(crate) struct Plain;

#[agent(name = "plain")]
impl Plain {
    /// Adds.
    #[capability]
    async fn add(&self, a: i64, b: i64) -> i64 {
        a + b
    }
}

pub(crate) fn plain() -> Handler<()> {
    Server::new(Plain).handler().unwrap()
}

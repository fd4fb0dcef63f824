#![no_implicit_prelude]

struct Desk;

#[::agent_mcp::data]
#[derive(::std::default::Default)]
struct Item {
    #[header("X")]
    x: u8,
    #[serde(default)]
    size: ::std::option::Option<Size>,
    #[serde(default, skip)]
    #[allow(dead_code)]
    cache: ::std::vec::Vec<Item>,
}

#[derive(::agent_mcp::Form)]
struct Sheet {
    /// A name.
    #[form(default = "Ada", title = "Name", format = "email", min_length = 1)]
    name: ::std::string::String,
    #[form(min = -1, default = 7)]
    count: ::std::option::Option<i8>,
    #[serde(default)]
    sure: bool,
    #[form(default = [Size::Small], max_items = 2)]
    sizes: ::std::vec::Vec<Size>,
    #[form(enum_names)]
    size: Size,
}

#[::agent_mcp::data]
#[derive(::agent_mcp::Choice)]
#[serde(rename_all = "camelCase")]
enum Size {
    /// Small
    Small,
    #[form(title = "Large")]
    Large,
}

#[::agent_mcp::agent(calls = Calls)]
impl Desk {
    /// Takes and gives.
    #[capability(timeout = "1s", available = |_| true, authorize = |_| true)]
    async fn take(
        &self,
        /// An item.
        item: Item,
        #[serde(default)] more: Item,
        #[id] id: u64,
        #[header("Place")] place: ::std::option::Option<::std::string::String>,
        #[cfg_attr(all(), header("Row"))] row: u8,
    ) -> ::std::result::Result<Item, ::std::string::String> {
        let _ = (more, id, place, row);
        ::std::result::Result::Ok(item)
    }

    /// Nothing.
    #[capability]
    fn nothing(&self) {}

    /// Asks.
    #[capability]
    async fn ask(
        &self,
        cx: &::agent_mcp::Context<Self>,
        size: Size,
    ) -> ::std::result::Result<bool, ::agent_mcp::Unanswered> {
        let Sheet { name, count, sure, sizes, size: other } = cx.ask("sheet", "What?").await?;
        let _ = (name, count, sizes, size, other);
        ::std::result::Result::Ok(sure)
    }
}

#[::agent_mcp::data]
#[derive(::std::clone::Clone)]
enum Message {
    Put { place: ::std::string::String },
}

struct Clerk;

#[::agent_mcp::agent(model = ::std::vec::Vec<u8>, message = Message, parts(More))]
impl Clerk {
    /// Puts.
    #[capability(
        available = |rows| !rows.is_empty(),
        authorize = async |call| call.model.len() < 9,
        completion = |_, message| match message {
            Message::Put { place } => ::agent_mcp::Completion::Done(::std::clone::Clone::clone(place)),
        },
        timeout = "1s",
        meta("com.example/team" = 1),
        icons("data:,"),
    )]
    fn put(_: &::agent_mcp::Context<Self>, place: ::std::string::String) -> Message {
        Message::Put { place }
    }

    /// What is there.
    #[context]
    fn seen(cx: &::agent_mcp::Context<Self>) -> usize {
        cx.model().len()
    }

    /// A row.
    #[resource(uri = "clerk://{row}", cache(ttl = "1s"), audience(user), priority = 1.0)]
    fn row(
        cx: &::agent_mcp::Context<Self>,
        #[suggest(|_, _| ["1"])] row: usize,
    ) -> ::std::option::Option<::std::string::String> {
        cx.model().get(row).map(::std::string::ToString::to_string)
    }
}

#[::agent_mcp::agent(part = More)]
impl Clerk {
    /// Plans.
    #[prompt]
    fn plan(
        &self,
        #[serde(default)]
        #[suggest(days)]
        day: ::std::string::String,
    ) -> ::std::string::String {
        day
    }
}

fn days(_: &::agent_mcp::Context<Clerk>, _: &str) -> [&'static str; 1] {
    ["monday"]
}

pub(crate) fn main() {
    ::std::mem::drop(::agent_mcp::Server::new(Desk));
    let store = ::agent_mcp::Store::new(
        ::std::vec::Vec::new(),
        |rows: &::std::vec::Vec<u8>, _: Message| {
            (::std::clone::Clone::clone(rows), ::agent_mcp::Effects::none())
        },
    );
    ::std::mem::drop(::agent_mcp::Server::bind(Clerk, store).runtime());
}

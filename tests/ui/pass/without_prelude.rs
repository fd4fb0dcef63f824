#![no_implicit_prelude]

struct Desk;

#[::agent_mcp::data]
#[derive(::std::default::Default)]
struct Item {
    #[header("X")]
    x: u8,
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

pub(crate) fn main() {
    ::std::mem::drop(::agent_mcp::Server::new(Desk));
}

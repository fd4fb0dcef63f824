#![no_implicit_prelude]

struct Desk;

#[::agent_mcp::data]
#[derive(::std::default::Default)]
struct Item {
    #[header("X")]
    x: u8,
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
}

pub(crate) fn main() {
    ::std::mem::drop(::agent_mcp::Server::new(Desk));
}

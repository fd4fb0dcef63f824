use agent_mcp::agent;

struct Desk;

#[agent_mcp::data]
struct Page {
    page: u8,
}

#[agent]
impl Desk {
    /// Shows.
    #[resource(uri = "desk://whole")]
    fn whole(&self, #[args] page: Page) -> u8 {
        page.page
    }
}

fn main() {}

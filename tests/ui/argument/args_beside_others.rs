use agent_mcp::agent;

struct Desk;

#[agent_mcp::data]
struct Item {
    x: u8,
}

#[agent]
impl Desk {
    /// Takes.
    #[capability]
    async fn take(&self, #[args] item: Item, more: u8) {
        let _ = (item.x, more);
    }
}

fn main() {}

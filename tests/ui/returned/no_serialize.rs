use agent_mcp::agent;

struct Desk;

#[derive(schemars::JsonSchema)]
struct Item;

#[agent]
impl Desk {
    /// Gives.
    #[capability]
    async fn give(&self) -> Item {
        Item
    }
}

fn main() {}

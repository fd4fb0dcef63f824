use agent_mcp::agent;

struct Desk;

#[agent_mcp::data]
struct Item;

#[agent]
impl Desk {
    /// Takes.
    #[capability]
    async fn take(&self, #[serde(default)] item: Item) {
        let _ = item;
    }
}

fn main() {}

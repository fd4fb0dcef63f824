use agent_mcp::agent;

struct Desk;

struct Item;

#[agent]
impl Desk {
    /// Takes.
    #[capability]
    async fn take(&self, items: Vec<Option<Item>>) {
        let _ = items;
    }
}

fn main() {}

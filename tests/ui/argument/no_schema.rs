use agent_mcp::agent;

struct Desk;

#[derive(serde::Deserialize)]
struct Item;

#[agent]
impl Desk {
    /// Takes.
    #[capability]
    async fn take(&self, item: Item) {
        let _ = item;
    }
}

fn main() {}

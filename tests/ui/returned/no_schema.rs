use agent_mcp::agent;

struct Desk;

#[derive(serde::Serialize)]
struct Item;

#[agent]
impl Desk {
    /// Gives.
    #[capability]
    async fn give(&self) -> Item {
        Item
    }

    /// Gives many.
    #[capability]
    async fn many(&self) -> Result<Vec<Item>, String> {
        Ok(vec![Item])
    }

    /// Gives one with its name, or nothing.
    #[capability]
    async fn named(&self) -> Option<(String, Item)> {
        None
    }
}

fn main() {}

use std::collections::HashMap;

use agent_mcp::agent;

struct Desk;

#[derive(serde::Serialize)]
struct Item;

#[agent]
impl Desk {
    /// Gives.
    #[capability]
    async fn give(&self) -> Result<HashMap<String, Item>, String> {
        Ok(HashMap::new())
    }
}

fn main() {}

use std::collections::HashMap;

use agent_mcp::agent;

struct Desk;

struct Item;

#[derive(serde::Serialize)]
struct Bare;

#[agent]
impl Desk {
    /// Gives many.
    #[capability]
    async fn many(&self) -> Vec<Item> {
        Vec::new()
    }

    /// Gives many by name.
    #[capability]
    async fn named(&self) -> Result<HashMap<String, Bare>, String> {
        Ok(HashMap::new())
    }

    /// Fails in a way that has no text.
    #[capability]
    async fn fail(&self) -> Result<Vec<String>, Item> {
        Err(Item)
    }
}

fn main() {}

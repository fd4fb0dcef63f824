use std::collections::HashMap;

use agent_mcp::agent;

struct Desk;

#[derive(serde::Deserialize)]
struct Item;

#[agent]
impl Desk {
    /// Takes.
    #[capability]
    async fn take(&self, named: HashMap<String, Option<Item>>) {
        let _ = named;
    }
}

fn main() {}

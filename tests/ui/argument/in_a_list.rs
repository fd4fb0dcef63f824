use std::collections::HashMap;

use agent_mcp::agent;

struct Desk;

struct Item;

#[derive(serde::Deserialize)]
struct Bare;

#[agent]
impl Desk {
    /// Takes.
    #[capability]
    async fn take(
        &self,
        items: Vec<Option<Item>>,
        named: HashMap<String, Bare>,
        pair: Option<(String, Bare)>,
    ) {
        let _ = (items, named, pair);
    }
}

fn main() {}

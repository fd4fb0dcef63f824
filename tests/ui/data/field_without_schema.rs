#[agent_mcp::data]
struct Order {
    items: Vec<Item>,
}

#[derive(serde::Deserialize, serde::Serialize)]
struct Item;

fn main() {}

#[agent_mcp::data]
struct Order {
    item: Item,
}

#[derive(schemars::JsonSchema, serde::Deserialize)]
struct Item;

fn main() {}

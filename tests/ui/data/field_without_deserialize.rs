#[agent_mcp::data]
struct Order {
    item: Option<Item>,
}

#[derive(schemars::JsonSchema, serde::Serialize)]
struct Item;

fn main() {}

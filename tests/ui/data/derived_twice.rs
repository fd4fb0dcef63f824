#[agent_mcp::data]
#[derive(Clone, serde::Serialize)]
struct Item;

fn main() {}

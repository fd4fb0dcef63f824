#[agent_mcp::data(name = "x")]
struct Item;

fn main() {}

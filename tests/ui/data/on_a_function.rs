#[agent_mcp::data]
fn item() {}

#[agent_mcp::data(name = "x")]
struct Item;

fn main() {}

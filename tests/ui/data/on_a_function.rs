/// An item.
#[agent_mcp::data]
pub fn item() {}

fn main() {}

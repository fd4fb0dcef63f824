#[agent_mcp::data]
struct Order {
    name: &str,
}

fn main() {}

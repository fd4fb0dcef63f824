#[agent_mcp::data]
enum Order {
    None,
    One(Item),
}

struct Item;

fn main() {}

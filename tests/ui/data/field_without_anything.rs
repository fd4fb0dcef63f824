#[agent_mcp::data]
struct Order {
    number: u32,
    item: Item,
}

struct Item;

fn main() {}

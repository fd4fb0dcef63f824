use agent_mcp::agent;

struct Desk;

struct Item;

#[agent]
impl Desk {
    /// Shows.
    #[resource]
    fn show(&self) -> Item {
        Item
    }
}

fn main() {}

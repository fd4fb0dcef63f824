use agent_mcp::agent;

struct Desk;

#[agent]
impl Desk {
    /// All.
    #[resource]
    fn todos(&self) -> u8 {
        1
    }

    /// All again.
    #[resource(name = "todos")]
    fn all(&self) -> u8 {
        1
    }
}

fn main() {}

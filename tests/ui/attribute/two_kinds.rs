use agent_mcp::agent;

struct Desk;

#[agent]
impl Desk {
    /// Lists.
    #[capability]
    #[resource]
    fn list(&self) {}
}

fn main() {}

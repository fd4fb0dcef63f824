use agent_mcp::agent;

struct Desk;

#[agent]
impl Desk {
    /// Lists.
    #[resource(available = |_| true)]
    fn list(&self) {}
}

fn main() {}

use agent_mcp::capability;

struct Desk;

impl Desk {
    /// Lists.
    #[capability]
    fn list(&self) {}
}

fn main() {}

use agent_mcp::context;

struct Desk;

impl Desk {
    /// Lists.
    #[context]
    fn list(&self) {}
}

fn main() {}

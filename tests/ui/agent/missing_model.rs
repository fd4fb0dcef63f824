use agent_mcp::agent;

struct Desk;

#[agent(model = Missing)]
impl Desk {
    /// Lists.
    #[capability]
    fn list(&self) {}
}

fn main() {}

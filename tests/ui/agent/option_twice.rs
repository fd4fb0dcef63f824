use agent_mcp::agent;

struct Desk;

#[agent(name = "desk", name = "table")]
impl Desk {
    /// Lists.
    #[capability]
    fn list(&self) {}
}

fn main() {}

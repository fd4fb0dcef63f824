use agent_mcp::agent;

struct Desk;

#[agent(nmae = "desk")]
impl Desk {
    /// Lists.
    #[capability]
    fn list(&self) {}
}

fn main() {}

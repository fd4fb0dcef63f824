use agent_mcp::agent;

struct Desk;

#[agent]
impl Desk {
    /// Lists.
    #[capability(frobnicate)]
    fn list(&self) {}
}

fn main() {}

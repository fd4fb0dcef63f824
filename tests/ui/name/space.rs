use agent_mcp::agent;

struct Desk;

#[agent]
impl Desk {
    /// Lists.
    #[capability(name = "with space")]
    fn list(&self) {}
}

fn main() {}

use agent_mcp::agent;

struct Desk;

#[agent]
impl Desk {
    /// Lists.
    #[capability(name = "")]
    fn list(&self) {}
}

fn main() {}

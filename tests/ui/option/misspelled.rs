use agent_mcp::agent;

struct Desk;

#[agent]
impl Desk {
    /// Lists.
    #[capability(availble = |_| true)]
    fn list(&self) {}
}

fn main() {}

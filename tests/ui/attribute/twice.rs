use agent_mcp::agent;

struct Desk;

#[agent]
impl Desk {
    /// Lists.
    #[capability]
    #[capability(read_only)]
    fn list(&self) {}
}

fn main() {}

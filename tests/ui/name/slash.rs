use agent_mcp::agent;

struct Desk;

#[agent]
impl Desk {
    /// Lists.
    #[capability(name = "a/b")]
    fn list(&self) {}
}

fn main() {}

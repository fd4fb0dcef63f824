use agent_mcp::agent;

struct Desk;

#[agent]
impl Desk {
    /// Lists.
    #[capability(read_only, name = "a", read_only = false)]
    fn list(&self) {}
}

fn main() {}

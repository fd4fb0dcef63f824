use agent_mcp::agent;

struct Desk;

#[agent]
impl Desk {
    /// Lists.
    #[capability(availble = |_| true, frobnicate, read_only)]
    fn list(&self) {}
}

fn main() {}

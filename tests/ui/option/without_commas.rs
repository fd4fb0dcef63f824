use agent_mcp::agent;

struct Desk;

#[agent]
impl Desk {
    /// Lists.
    #[capability(read_only idempotent)]
    fn list(&self) {}
}

fn main() {}

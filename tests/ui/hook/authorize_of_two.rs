use agent_mcp::agent;

struct Desk;

#[agent]
impl Desk {
    /// Too many.
    #[capability(authorize = |call, more| true)]
    fn many(&self) {}
}

fn main() {}

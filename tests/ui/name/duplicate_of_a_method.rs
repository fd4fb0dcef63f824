use agent_mcp::agent;

struct Desk;

#[agent]
impl Desk {
    /// Finds.
    #[capability(name = "find")]
    fn by_name(&self) {}

    /// Derived against written.
    #[capability]
    fn find(&self) {}
}

fn main() {}

use agent_mcp::agent;

struct Desk;

#[agent]
impl Desk {
    /// Finds.
    #[capability(name = "find")]
    fn by_name(&self) {}

    /// Finds too.
    #[capability(name = "find")]
    fn by_id(&self) {}
}

fn main() {}

// Case macro-76e.

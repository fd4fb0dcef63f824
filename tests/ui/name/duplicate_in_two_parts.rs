use agent_mcp::agent;

struct Desk;

#[agent(parts(First, Second))]
impl Desk {
    /// Lists.
    #[capability]
    fn list(&self) {}
}

fn main() {}

#[agent(part = First)]
impl Desk {
    /// Finds.
    #[capability]
    fn find(&self) {}
}

#[agent(part = Second)]
impl Desk {
    /// Finds too.
    #[capability(name = "find")]
    fn find_more(&self) {}
}

use agent_mcp::agent;

struct Desk;

#[agent(parts(Extra))]
impl Desk {
    /// Finds.
    #[capability]
    fn find(&self) {}
}

fn main() {}

#[agent(part = Extra)]
impl Desk {
    /// Finds too.
    #[capability(name = "find")]
    fn find_more(&self) {}
}

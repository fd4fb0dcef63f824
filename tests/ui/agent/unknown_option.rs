use agent_mcp::agent;

struct Desk;

#[agent(description = "A desk.")]
impl Desk {
    /// Lists.
    #[capability]
    fn list(&self) {}
}

fn main() {}

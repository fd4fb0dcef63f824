use agent_mcp::agent;

struct Desk;

#[agent]
impl Desk {
    /// Consumes.
    #[capability]
    fn consume(self) {}
}

fn main() {}

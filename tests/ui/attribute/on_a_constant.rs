use agent_mcp::agent;

struct Desk;

#[agent]
impl Desk {
    /// Lists.
    #[capability]
    fn list(&self) {}

    /// A limit.
    #[capability]
    const LIMIT: u8 = 1;
}

fn main() {}

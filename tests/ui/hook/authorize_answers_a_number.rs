use agent_mcp::agent;

struct Desk;

#[agent]
impl Desk {
    /// No verdict.
    #[capability(authorize = |call| 1u8)]
    fn number(&self) {}
}

fn main() {}

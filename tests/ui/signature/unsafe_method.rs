use agent_mcp::agent;

struct Desk;

#[agent]
impl Desk {
    /// Risks.
    #[capability]
    unsafe fn risk(&self) {}
}

fn main() {}

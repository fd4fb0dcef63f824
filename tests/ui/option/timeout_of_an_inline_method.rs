use agent_mcp::agent;

struct Desk;

#[agent]
impl Desk {
    /// Cannot be stopped.
    #[capability(inline, timeout = "1s")]
    fn limited(&self) {}
}

fn main() {}

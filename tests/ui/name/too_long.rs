use agent_mcp::agent;

struct Desk;

#[agent]
impl Desk {
    /// Long.
    #[capability(name = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa")]
    fn long(&self) {}
}

fn main() {}

use agent_mcp::agent;

struct Desk(u8);

#[agent]
impl Desk {
    /// No bool.
    #[capability(available = |desk| desk.0)]
    fn number(&self) {}
}

fn main() {}

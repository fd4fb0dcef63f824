use agent_mcp::agent;

struct Desk(u8);

#[agent]
impl Desk {
    /// No bool.
    #[capability(available = |desk, user| Some(desk.0))]
    fn option(&self) {}
}

fn main() {}

use agent_mcp::agent;

struct Desk(u8);

#[agent]
impl Desk {
    /// Too many.
    #[capability(available = |desk, user, more| true)]
    fn many(&self) {}
}

fn main() {}

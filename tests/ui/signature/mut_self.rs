use agent_mcp::agent;

struct Desk;

#[agent]
impl Desk {
    /// Changes.
    #[capability]
    fn change(&mut self) {}
}

fn main() {}

use agent_mcp::agent;

struct Desk;

#[agent]
impl Desk {
    #[capability]
    fn list(&self) {}
}

fn main() {}

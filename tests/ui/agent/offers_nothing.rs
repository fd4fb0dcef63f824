use agent_mcp::agent;

struct Desk;

#[agent]
impl Desk {
    fn list(&self) {}
}

fn main() {}

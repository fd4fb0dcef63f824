use agent_mcp::agent;

#[agent]
pub enum Desk {
    Open,
}

fn main() {}

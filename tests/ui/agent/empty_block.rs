use agent_mcp::agent;

struct Desk;

#[agent]
impl Desk {}

fn main() {}

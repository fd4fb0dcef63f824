use agent_mcp::agent;

#[agent]
mod desk {}

fn main() {}

use agent_mcp::agent;

/// A desk.
#[agent]
struct Desk;

fn main() {}

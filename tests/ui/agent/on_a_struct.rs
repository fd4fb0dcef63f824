use agent_mcp::agent;

struct Desk;

#[agent]
struct Other;

fn main() {}

use agent_mcp::capability;

/// Lists.
#[capability(read_only)]
fn list() {}

fn main() {}

//! `#[prompt]` belongs into an agent.

/// Say something.
#[agent_mcp::prompt]
fn say() -> String {
    String::new()
}

fn main() {}

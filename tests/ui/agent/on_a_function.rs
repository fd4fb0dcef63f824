use agent_mcp::agent;

#[agent]
fn desk() -> impl Clone {
    1
}

fn main() {}

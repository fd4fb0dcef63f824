use agent_mcp::agent;

struct Desk;

#[agent]
impl Desk {
    /// Waits.
    #[capability(timeout = "10")]
    async fn wait(&self) {}
}

fn main() {}

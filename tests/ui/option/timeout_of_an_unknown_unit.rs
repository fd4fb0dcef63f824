use agent_mcp::agent;

struct Desk;

#[agent]
impl Desk {
    /// Waits.
    #[capability(timeout = "3 days")]
    async fn wait(&self) {}
}

fn main() {}

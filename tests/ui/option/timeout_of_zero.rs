use agent_mcp::agent;

struct Desk;

#[agent]
impl Desk {
    /// Waits.
    #[capability(timeout = "0s")]
    async fn wait(&self) {}
}

fn main() {}

use agent_mcp::agent;

struct Desk;

#[agent]
impl Desk {
    /// Waits.
    #[capability(timeout = "1.5s")]
    async fn wait(&self) {}
}

fn main() {}

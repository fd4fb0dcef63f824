use agent_mcp::agent;

struct Desk;

#[agent]
impl Desk {
    /// Waits.
    #[capability(timeout = "99999999999999999h")]
    async fn wait(&self) {}
}

fn main() {}

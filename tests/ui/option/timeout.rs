use agent_mcp::agent;

struct Desk;

#[agent]
impl Desk {
    /// Waits.
    #[capability(timeout = "10")]
    async fn no_unit(&self) {}

    /// Waits.
    #[capability(timeout = "0s")]
    async fn zero(&self) {}

    /// Waits.
    #[capability(timeout = 10)]
    async fn number(&self) {}
}

fn main() {}

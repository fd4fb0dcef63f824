use agent_mcp::agent;

struct Desk;

#[agent]
impl Desk {
    /// Wrong.
    #[capability(concurrency = 0, name = 1, read_only = "yes", title)]
    async fn wrong(&self) {}

    /// Wrong.
    #[capability(available = true, authorize = "admin")]
    async fn hooks(&self) {}
}

fn main() {}

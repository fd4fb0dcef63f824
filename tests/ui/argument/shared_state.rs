use agent_mcp::agent;

struct Desk;

struct Pool;

#[agent]
impl Desk {
    /// Takes.
    #[capability]
    async fn query(&self, pool: Pool) {
        let _ = pool;
    }
}

fn main() {}

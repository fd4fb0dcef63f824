use agent_mcp::agent;

struct Desk;

struct Pool;

#[agent]
impl Desk {
    /// Shows.
    #[resource(uri = "desk://pools/{pool}")]
    fn pool(&self, pool: Pool) -> String {
        let _ = pool;
        String::new()
    }
}

fn main() {}

use agent_mcp::agent;

struct Desk;

#[agent]
impl Desk {
    /// Gives.
    #[capability]
    fn give(&self) -> Result<impl Clone, String> {
        Ok(1)
    }
}

fn main() {}

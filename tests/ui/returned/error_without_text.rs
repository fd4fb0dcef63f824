use agent_mcp::agent;

struct Desk;

struct Broken;

#[agent]
impl Desk {
    /// Fails.
    #[capability]
    async fn fail(&self) -> Result<u8, Broken> {
        Err(Broken)
    }
}

fn main() {}

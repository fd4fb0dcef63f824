use agent_mcp::agent;

struct Desk;

struct Broken;

#[agent]
impl Desk {
    /// Fails.
    #[capability]
    async fn fail(&self) -> Result<Vec<String>, Broken> {
        Err(Broken)
    }
}

fn main() {}

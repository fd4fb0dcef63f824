use agent_mcp::agent;

struct Desk;

#[agent]
impl Desk {
    /// Lists.
    #[capability]
    fn list(&self) {}
}

async fn desk() -> std::io::Result<Desk> {
    Ok(Desk)
}

fn main() {
    let _ = agent_mcp::Server::per_caller(|_: std::sync::Arc<()>| desk());
}

use agent_mcp::agent;

struct Desk;

#[agent]
impl Desk {
    /// Lists.
    #[capability]
    fn list(&self) {}
}

fn main() {
    let server = agent_mcp::Server::per_caller(|_: std::sync::Arc<()>| async { Ok(Desk) });
    let _ = server.runtime();
}

use agent_mcp::agent;

struct Desk;

#[agent(model = ())]
impl Desk {
    /// Lists.
    #[capability]
    fn list(&self) {}
}

fn main() {
    let _ = agent_mcp::Server::per_caller(|_: std::sync::Arc<()>| async { Ok(Desk) });
}

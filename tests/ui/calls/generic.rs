use agent_mcp::agent;

struct Generic<T>(T);

#[agent(calls = Calls)]
impl<T: Send + Sync + 'static> Generic<T> {
    /// Lists.
    #[capability]
    async fn list(&self) {}
}

fn main() {}

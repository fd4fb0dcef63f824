use agent_mcp::agent;

struct Generic<T>(T);

#[agent]
impl<T: Send + Sync + 'static> Generic<T> {
    /// Takes.
    #[capability]
    async fn take(&self, #[serde(with = "codec")] item: Option<T>, #[id] ids: Vec<T>) {
        let _ = (item, ids);
    }
}

fn main() {}

use agent_mcp::agent;

struct Desk;

#[agent]
impl Desk {
    /// Searches.
    #[capability]
    fn search<T: Clone>(&self, query: T) {
        let _ = query;
    }
}

fn main() {}

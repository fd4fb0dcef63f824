use agent_mcp::agent;

struct Desk;

#[agent]
impl Desk {
    /// Searches.
    #[capability]
    fn search<T: Clone, const N: usize>(&self, query: T) {
        let _ = (query, N);
    }
}

fn main() {}

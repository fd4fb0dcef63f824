use agent_mcp::agent;

struct Desk;

#[agent]
impl Desk {
    /// Searches.
    #[capability]
    fn search<const N: usize>(&self) {}
}

fn main() {}

use agent_mcp::agent;

struct Desk;

#[agent]
impl Desk {
    /// Gives.
    #[capability]
    fn give(&self) -> impl Clone {
        1
    }
}

fn main() {}

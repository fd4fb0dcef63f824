use agent_mcp::agent;

struct Desk;

#[agent]
impl Desk {
    /// Takes.
    #[capability]
    fn take(&self, item: impl Clone) {
        let _ = item;
    }
}

fn main() {}

use agent_mcp::agent;

struct Desk;

#[agent]
impl Desk {
    /// Takes.
    #[capability]
    fn take(&self, item: impl Clone) {
        let _ = item;
    }

    /// Gives.
    #[capability]
    fn give(&self) -> impl Clone {
        1
    }

    /// Risks.
    #[capability]
    unsafe fn risk(&self) {}
}

fn main() {}

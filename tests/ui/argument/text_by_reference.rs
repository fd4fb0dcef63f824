use agent_mcp::agent;

struct Desk;

#[agent]
impl Desk {
    /// Takes.
    #[capability]
    async fn take(&self, text: &str) {
        let _ = text;
    }
}

fn main() {}

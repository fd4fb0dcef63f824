use agent_mcp::agent;

struct Desk;

#[agent]
impl Desk {
    /// Takes.
    #[capability]
    async fn take(&self, text: &str) {
        let _ = text;
    }

    /// Takes.
    #[capability]
    async fn exclusive(&self, cx: &mut agent_mcp::Context<Self>) {
        let _ = cx;
    }
}

fn main() {}

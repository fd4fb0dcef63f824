use agent_mcp::agent;

struct Desk;

#[agent]
impl Desk {
    /// Takes.
    #[capability]
    async fn take(&self, cx: &mut agent_mcp::Context<Self>) {
        let _ = cx;
    }
}

fn main() {}

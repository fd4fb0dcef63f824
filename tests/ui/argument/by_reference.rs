use agent_mcp::agent;

struct Desk;

#[agent]
impl Desk {
    /// Takes.
    #[capability]
    async fn take(&self, text: &str, #[serde(default)] cx: &agent_mcp::Context<Self>) {
        let _ = (text, cx);
    }
}

fn main() {}

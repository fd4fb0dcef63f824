use agent_mcp::{Context, agent};

struct Desk {
    open: bool,
}

#[agent]
impl Desk {
    /// Takes.
    #[capability]
    async fn take(&self, cx: Context<Self>) -> bool {
        cx.model().open
    }
}

fn main() {}

use agent_mcp::{Context, agent};

struct Desk;

struct Other;

#[agent]
impl Other {
    /// Does nothing.
    #[capability]
    fn nothing(&self) {}
}

#[agent]
impl Desk {
    /// Takes.
    #[capability]
    async fn take(&self, cx: &Context<Other>) {
        let _ = cx;
    }
}

fn main() {}

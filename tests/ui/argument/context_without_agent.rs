use agent_mcp::{Context, agent};

struct Desk {
    open: bool,
}

// A name alone may be an alias of the user's, so rustc says what is missing.
#[agent]
impl Desk {
    /// Takes.
    #[capability]
    async fn take(&self, cx: &Context) -> bool {
        cx.model().open
    }
}

fn main() {}

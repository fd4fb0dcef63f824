use agent_mcp::agent;

struct Desk;

#[agent]
impl Desk {
    /// Reads and destroys.
    #[capability(read_only, destructive)]
    fn both(&self) {}

    /// Is inline already.
    #[capability(inline)]
    async fn inline(&self) {}

    /// Cannot be stopped.
    #[capability(inline, timeout = "1s")]
    fn limited(&self) {}
}

fn main() {}

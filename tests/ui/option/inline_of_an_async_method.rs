use agent_mcp::agent;

struct Desk;

#[agent]
impl Desk {
    /// Is never moved to a thread.
    #[capability(inline)]
    async fn inline(&self) {}
}

fn main() {}

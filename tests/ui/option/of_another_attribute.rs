use agent_mcp::agent;

struct Desk;

#[agent]
impl Desk {
    /// Lists.
    #[resource(timeout = "1s")]
    fn list(&self) {}
}

fn main() {}

use agent_mcp::prompt;

struct Desk;

impl Desk {
    /// Lists.
    #[prompt]
    fn list(&self) {}
}

fn main() {}

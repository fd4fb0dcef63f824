use agent_mcp::resource;

struct Desk;

impl Desk {
    /// Lists.
    #[resource]
    fn list(&self) {}
}

fn main() {}

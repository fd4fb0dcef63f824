use agent_mcp::agent;

struct Desk;

#[agent]
impl Desk {
    macro_rules! tool {
        () => {};
    }

    /// Lists.
    #[capability]
    fn list(&self) {}
}

fn main() {}

use agent_mcp::agent;

struct Desk;

trait Lists {
    fn list(&self) -> u8;
}

#[agent]
impl Lists for Desk {
    /// Lists.
    #[capability]
    fn list(&self) -> u8 {
        1
    }
}

fn main() {}

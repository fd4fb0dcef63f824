use agent_mcp::agent;

struct Desk;

#[agent]
impl Desk {
    /// What is seen.
    #[context]
    fn seen(&self) -> u8 {
        1
    }

    /// What is seen too.
    #[context]
    fn also_seen(&self) -> u8 {
        2
    }
}

fn main() {}

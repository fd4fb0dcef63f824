use agent_mcp::{Completion, agent};

struct Desk;

#[agent]
impl Desk {
    /// Adds.
    #[capability(completion = |call, message| Completion::Done(()))]
    async fn add(&self) -> u8 {
        1
    }
}

fn main() {}

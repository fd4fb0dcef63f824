use agent_mcp::{Completion, agent};

struct Desk;

#[derive(Clone)]
struct Message;

#[agent(model = (), message = Message)]
impl Desk {
    /// Adds.
    #[capability(completion = |call, message| Completion::Done(()))]
    async fn add(&self) -> u8 {
        1
    }
}

fn main() {}

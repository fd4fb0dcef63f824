use agent_mcp::{Completion, agent};

struct Desk;

#[derive(Clone)]
struct Message;

#[agent(model = (), message = Message)]
impl Desk {
    /// Adds.
    #[capability(completion = |message| Completion::Done(()))]
    async fn add(&self) -> Message {
        Message
    }
}

fn main() {}

use agent_mcp::{Completion, agent};

struct Desk;

#[derive(Clone)]
struct Message;

struct Output;

#[agent(model = (), message = Message)]
impl Desk {
    /// Adds.
    #[capability(completion = |call, message| Completion::Done(Output))]
    async fn add(&self) -> Message {
        Message
    }
}

fn main() {}

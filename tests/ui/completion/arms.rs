use agent_mcp::{Completion, agent};

struct Desk;

#[derive(Clone)]
struct Message;

#[agent(model = (), message = Message)]
impl Desk {
    /// Adds.
    #[capability(completion = |call, message| match message {
        Message => true,
    })]
    async fn add(&self) -> Message {
        Message
    }

    /// Adds.
    #[capability(completion = when(|call, model| 1u8))]
    async fn state(&self) -> Message {
        Message
    }
}

fn main() {}

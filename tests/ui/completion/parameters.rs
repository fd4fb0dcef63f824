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

    /// Adds.
    #[capability(completion = when())]
    async fn empty(&self) -> Message {
        Message
    }

    /// Adds.
    #[capability(completion = when(|a, b| a, |call, value| true))]
    async fn source(&self) -> Message {
        Message
    }
}

fn main() {}

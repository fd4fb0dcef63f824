use agent_mcp::{Completion, agent};

struct Desk;

#[derive(Clone)]
struct Message;

fn keep(_: &'static Message) -> Completion<()> {
    Completion::Done(())
}

#[agent(model = (), message = Message)]
impl Desk {
    /// Keeps what it is lent.
    #[capability(completion = |call, message| keep(message))]
    fn wait(&self) -> Message {
        Message
    }
}

fn main() {}

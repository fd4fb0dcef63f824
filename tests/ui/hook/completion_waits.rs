use agent_mcp::agent;

struct Desk;

#[derive(Clone)]
struct Message;

#[agent(model = (), message = Message)]
impl Desk {
    /// Waits for an answer.
    #[capability(completion = when(async |call, model| true))]
    fn wait(&self) -> Message {
        Message
    }
}

fn main() {}

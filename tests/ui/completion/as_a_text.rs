use agent_mcp::agent;

struct Desk;

#[derive(Clone)]
struct Message;

#[agent(model = (), message = Message)]
impl Desk {
    /// Adds.
    #[capability(completion = "done")]
    async fn add(&self) -> Message {
        Message
    }
}

fn main() {}

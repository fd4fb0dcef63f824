use agent_mcp::agent;

struct Desk;

struct Message;

#[agent(message = Message)]
impl Desk {
    /// Adds.
    #[capability]
    fn add(&self) -> Message {
        Message
    }
}

fn main() {}

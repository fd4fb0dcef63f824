use agent_mcp::{Context, agent};

#[agent_mcp::data]
enum Message {
    Ring,
}

struct Desk;

#[agent(model = (), message = Message)]
impl Desk {
    /// Rings, perhaps.
    #[capability]
    fn ring(_cx: &Context<Self>) -> Option<Message> {
        Some(Message::Ring)
    }

    /// Rings twice.
    #[capability]
    fn ring_twice(_cx: &Context<Self>) -> Result<Vec<Message>, String> {
        Ok(vec![Message::Ring, Message::Ring])
    }
}

fn main() {}

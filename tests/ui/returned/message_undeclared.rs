use agent_mcp::{Context, agent};

struct Desk;

enum Message {
    Add,
}

#[agent(model = ())]
impl Desk {
    /// Adds.
    #[capability]
    fn add(_cx: &Context<Self>) -> Message {
        Message::Add
    }
}

fn main() {}

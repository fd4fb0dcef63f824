use agent_mcp::agent;

struct Desk;

#[agent]
impl Desk {
    /// Waits for an answer.
    #[capability(available = async |desk| true)]
    fn wait(&self) {}
}

fn main() {}

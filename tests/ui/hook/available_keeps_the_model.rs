use agent_mcp::agent;

struct Desk;

fn keep(_: &'static Desk) -> bool {
    true
}

#[agent]
impl Desk {
    /// Keeps what it is lent.
    #[capability(available = |desk| keep(desk))]
    fn wait(&self) {}
}

fn main() {}

use agent_mcp::agent;

struct Desk;

#[agent]
impl Desk {
    ///
    #[capability]
    fn blank(&self) {}
}

fn main() {}

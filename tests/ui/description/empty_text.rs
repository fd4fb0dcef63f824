use agent_mcp::agent;

struct Desk;

#[agent]
impl Desk {
    #[capability(description = " ")]
    fn empty(&self) {}
}

fn main() {}

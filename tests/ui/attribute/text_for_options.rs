use agent_mcp::agent;

struct Desk;

#[agent]
impl Desk {
    #[capability = "Lists."]
    #[doc = "Lists."]
    fn list(&self) {}
}

fn main() {}

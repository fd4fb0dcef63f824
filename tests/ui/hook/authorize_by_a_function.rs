use agent_mcp::agent;

struct Desk;

impl Desk {
    async fn later(_: &agent_mcp::Caller<Self>) -> u8 {
        1
    }
}

#[agent]
impl Desk {
    /// No verdict from a function.
    #[capability(authorize = Self::later)]
    fn path(&self) {}
}

fn main() {}

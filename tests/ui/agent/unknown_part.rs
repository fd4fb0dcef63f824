use agent_mcp::agent;

struct Desk;

struct Extra;

#[agent(parts(Extra))]
impl Desk {
    /// Lists.
    #[capability]
    fn list(&self) {}
}

fn main() {}

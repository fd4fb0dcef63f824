use agent_mcp::agent;

struct Desk;

#[agent(parts(Extra))]
impl Desk {
    /// Lists.
    #[capability]
    fn list(&self) {}
}

#[agent(part = Extra, name = "desk")]
impl Desk {
    /// Adds.
    #[capability]
    fn add(&self) {}
}

fn main() {}

use agent_mcp::agent;

struct Desk;

#[agent]
impl Desk {
    /// Lists.
    #[capability(name = "admin.list")]
    fn list(&self) {}
}

fn main() {}

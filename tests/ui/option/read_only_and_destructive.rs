use agent_mcp::agent;

struct Desk;

#[agent]
impl Desk {
    /// Reads and destroys.
    #[capability(read_only, destructive)]
    fn both(&self) {}
}

fn main() {}

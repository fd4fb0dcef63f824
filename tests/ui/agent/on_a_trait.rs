use agent_mcp::agent;

#[agent]
trait Desk {
    /// Lists.
    #[capability]
    fn list(&self);
}

fn main() {}

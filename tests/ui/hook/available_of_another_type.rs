use agent_mcp::agent;

struct Desk;

fn of_text(_: &str) -> bool {
    true
}

#[agent]
impl Desk {
    /// No function of the Model.
    #[capability(available = of_text)]
    fn path(&self) {}
}

fn main() {}

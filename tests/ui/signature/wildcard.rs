use agent_mcp::agent;

struct Desk;

#[agent]
impl Desk {
    /// Takes nothing by name.
    #[capability]
    fn nothing(&self, _: u8) {}
}

fn main() {}

use agent_mcp::agent;

struct Desk;

#[agent]
impl Desk {
    /// Shows.
    #[resource(uri = "desk://pages/{pgae}")]
    fn shown(&self, page: u8) -> u8 {
        page
    }
}

fn main() {}

use agent_mcp::agent;

struct Desk;

#[agent]
impl Desk {
    /// Shows.
    #[resource(uri = "desk://pages/{page}")]
    fn line(&self, page: u8, line: u8) -> u8 {
        page + line
    }
}

fn main() {}

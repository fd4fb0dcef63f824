use agent_mcp::agent;

struct Desk;

#[agent]
impl Desk {
    /// Shows.
    #[resource(uri = "desk://{shelf}/{+rest}")]
    fn shelf(&self, shelf: String) -> String {
        shelf
    }
}

fn main() {}

use agent_mcp::agent;

struct Desk;

#[agent]
impl Desk {
    /// Takes a text.
    #[capability]
    fn text(&self, text: Option<&str>) {
        let _ = text;
    }
}

fn main() {}

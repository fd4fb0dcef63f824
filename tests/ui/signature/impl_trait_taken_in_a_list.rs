use agent_mcp::agent;

struct Desk;

#[agent]
impl Desk {
    /// Takes.
    #[capability]
    fn take(&self, items: Vec<impl Clone>) {
        let _ = items;
    }
}

fn main() {}

use agent_mcp::agent;

struct Desk;

#[agent]
impl Desk {
    /// Takes a pair.
    #[capability]
    fn pair(&self, (a, b): (u8, u8)) {
        let _ = (a, b);
    }
}

fn main() {}

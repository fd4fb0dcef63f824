use agent_mcp::agent;

struct Desk;

#[agent]
impl Desk {
    /// Takes a pair.
    #[capability]
    fn pair(&self, (a, b): (u8, u8)) {
        let _ = (a, b);
    }

    /// Takes nothing by name.
    #[capability]
    fn nothing(&self, _: u8) {}
}

fn main() {}

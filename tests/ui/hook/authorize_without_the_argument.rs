use agent_mcp::agent;

struct Desk;

#[agent]
impl Desk {
    /// No such argument.
    #[capability(authorize = |call| call.input.nope > 1)]
    fn argument(&self, a: u8) {
        let _ = a;
    }
}

fn main() {}

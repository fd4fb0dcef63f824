use agent_mcp::agent;

struct Desk(u8);

#[agent]
impl Desk {
    /// No such field.
    #[capability(available = |desk| desk.nope)]
    fn field(&self) {}
}

fn main() {}

use agent_mcp::agent;

struct Desk;

#[agent]
impl Desk {
    /// No verdict, but a text.
    #[capability(authorize = |call| Err::<(), _>("you may not"))]
    fn text(&self) {}
}

fn main() {}

use agent_mcp::agent;

struct Desk;

impl Desk {
    async fn later(_: &agent_mcp::Caller<Self>) -> u8 {
        1
    }
}

#[agent]
impl Desk {
    /// No verdict.
    #[capability(authorize = |call| 1u8)]
    fn number(&self) {}

    /// No verdict, but a text.
    #[capability(authorize = |call| Err::<(), _>("you may not"))]
    fn text(&self) {}

    /// No such argument.
    #[capability(authorize = |call| call.input.nope > 1)]
    fn argument(&self, a: u8) {
        let _ = a;
    }

    /// Too many.
    #[capability(authorize = |call, more| true)]
    fn many(&self) {}

    /// No verdict from a function.
    #[capability(authorize = Self::later)]
    fn path(&self) {}
}

fn main() {}

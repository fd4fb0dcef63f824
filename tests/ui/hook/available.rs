use agent_mcp::agent;

struct Desk(u8);

fn of_text(_: &str) -> bool {
    true
}

#[agent]
impl Desk {
    /// No bool.
    #[capability(available = |desk| desk.0)]
    fn number(&self) {}

    /// No such field.
    #[capability(available = |desk| desk.nope)]
    fn field(&self) {}

    /// Too many.
    #[capability(available = |desk, user, more| true)]
    fn many(&self) {}

    /// An answer, with and without a reason.
    #[capability(available = |desk| if desk.0 > 1 { Ok(()) } else { Err("the desk is closed") })]
    fn reason(&self) {}

    /// No answer.
    #[capability(available = |desk, user| Some(desk.0))]
    fn option(&self) {}

    /// No function of the Model.
    #[capability(available = of_text)]
    fn path(&self) {}
}

fn main() {}

use agent_mcp::agent;

struct Desk;

#[agent]
impl Desk {
    /// A dot.
    #[capability(name = "admin.list")]
    fn dot(&self) {}

    /// A slash.
    #[capability(name = "a/b")]
    fn slash(&self) {}

    /// A space.
    #[capability(name = "with space")]
    fn space(&self) {}

    /// Letters beyond ASCII.
    #[capability(name = "größe")]
    fn letters(&self) {}

    /// Nothing.
    #[capability(name = "")]
    fn nothing(&self) {}
}

fn main() {}

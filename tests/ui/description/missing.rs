use agent_mcp::agent;

struct Desk;

#[agent]
impl Desk {
    #[capability]
    fn list(&self) {}

    ///
    #[capability]
    fn blank(&self) {}

    #[resource]
    fn shelf(&self) {}

    #[context]
    fn seen(&self) {}

    #[capability(description = " ")]
    fn empty(&self) {}
}

fn main() {}

use agent_mcp::agent;

struct Desk;

struct Borrows<'a>(&'a str);

#[agent]
impl<'a> Borrows<'a> {
    /// Reads.
    #[capability]
    fn read(&self) -> String {
        self.0.to_owned()
    }
}

fn main() {}

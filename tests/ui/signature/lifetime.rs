use std::borrow::Cow;

use agent_mcp::agent;

struct Desk;

#[agent]
impl Desk {
    /// Takes a text.
    #[capability]
    fn text<'a>(&self, text: Cow<'a, str>) {
        let _ = text;
    }
}

fn main() {}

//! `task` takes one of two words.

use agent_mcp::agent;

struct Desk;

#[agent]
impl Desk {
    /// Rings.
    #[capability(task = "sometimes")]
    async fn ring(&self) {}
}

fn main() {}

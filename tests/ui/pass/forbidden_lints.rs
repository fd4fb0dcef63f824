//! A module that forbids much.
#![forbid(unsafe_code, missing_docs, unused_must_use, unreachable_pub)]
#![deny(warnings, rust_2018_idioms, unused)]

use agent_mcp::agent;

struct Desk;

/// Instructions.
#[agent]
impl Desk {
    /// Takes and gives.
    #[capability(read_only)]
    async fn take(&self, item: Option<String>, #[serde(default)] more: u8) -> Option<String> {
        let _ = more;
        item
    }
}

/// Serves.
pub(crate) fn main() {
    drop(agent_mcp::Server::new(Desk));
}

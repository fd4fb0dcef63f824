use std::collections::BTreeMap;

use agent_mcp::agent;

struct Desk;

#[agent]
impl Desk {
    /// Looks up.
    #[capability]
    async fn look_up(&self, #[header("Key")] key: BTreeMap<String, String>) {
        let _ = key;
    }
}

fn main() {}

struct Desk;

use agent_mcp::{capability, context, resource};

impl Desk {
    /// Lists.
    #[capability(read_only)]
    fn list(&self) {}

    #[resource]
    fn shelf(&self) {}

    #[context]
    fn seen(&self) {}
}

#[capability]
fn free() {}

fn main() {}

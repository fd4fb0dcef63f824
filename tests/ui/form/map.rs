use std::collections::HashMap;

use agent_mcp::Form;

#[derive(Form)]
struct Order {
    tags: HashMap<String, String>,
}

fn main() {}

use agent_mcp::Form;

#[derive(Form)]
struct Order {
    words: Vec<String>,
}

fn main() {}

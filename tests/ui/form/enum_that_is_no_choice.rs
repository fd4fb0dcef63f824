use agent_mcp::Form;

enum Speed {
    Slow,
}

#[derive(Form)]
struct Order {
    speed: Speed,
}

fn main() {}

use agent_mcp::Form;

#[derive(Form)]
struct Order {
    place: (f64, f64),
}

fn main() {}

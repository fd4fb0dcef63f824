use agent_mcp::Form;

#[derive(Form)]
struct Generic<T> {
    value: T,
}

fn main() {}

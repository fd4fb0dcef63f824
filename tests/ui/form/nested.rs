use agent_mcp::Form;

struct Address;

#[derive(Form)]
struct Order {
    name: String,
    address: Address,
}

fn main() {}

#[agent_mcp::data]
struct Order {
    #[header("Price")]
    price: f64,
}

fn main() {}

use agent_mcp::agent;

struct Shop;

#[agent]
impl Shop {
    /// Shows.
    #[capability(ui = "https://shop.example/view")]
    async fn show(&self) {}
}

fn main() {}

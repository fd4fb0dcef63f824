use agent_mcp::agent;

struct Shop;

#[agent]
impl Shop {
    /// Buys.
    #[capability(meta("aisle" = Shop))]
    async fn buy(&self) {}

    /// Sells.
    #[capability(icons(Shop))]
    async fn sell(&self) {}
}

fn main() {}

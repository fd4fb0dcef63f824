use agent_mcp::{Icon, agent};

struct Shop;

/// A shop.
#[agent(icons("http://shop.example/icon.png"))]
impl Shop {
    /// Buys.
    #[capability(icons("icon.png", Icon::new("file:///icon.png").size("any")))]
    async fn buy(&self) {}

    /// Sells.
    #[capability(icons = "https://shop.example/icon.png")]
    async fn sell(&self) {}

    /// Lends.
    #[capability(icons(7))]
    async fn lend(&self) {}
}

fn main() {}

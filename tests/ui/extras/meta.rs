use agent_mcp::agent;

struct Shop;

#[agent]
impl Shop {
    /// Buys.
    #[capability(meta("io.modelcontextprotocol/aisle" = 7))]
    async fn buy(&self) {}

    /// Sells.
    #[capability(meta("tools.mcp.com/aisle" = 7))]
    async fn sell(&self) {}

    /// Lends.
    #[capability(meta("shop..example/aisle" = 7))]
    async fn lend(&self) {}

    /// Gives.
    #[resource(meta("shop.example/the aisle" = 7))]
    async fn gives(&self) {}

    /// Takes.
    #[capability(meta("a" = 1, "a" = 2))]
    async fn take(&self) {}

    /// Breaks.
    #[capability(meta(aisle = 7))]
    async fn break_it(&self) {}

    /// Mends.
    #[capability(meta("agent-mcp/outcome" = "ok"))]
    async fn mend(&self) {}
}

fn main() {}

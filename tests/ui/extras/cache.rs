use agent_mcp::agent;

struct Shop;

#[agent]
impl Shop {
    /// For members.
    #[resource(cache(ttl = "30s", scope = "public"), scopes = ["shop:read"])]
    async fn members(&self) {}

    /// For all.
    #[resource(cache(scope = "everybody", ttl = "30s"))]
    async fn all(&self) {}

    /// For how long?
    #[resource(cache(scope = "private"))]
    async fn long(&self) {}

    /// A sum.
    #[capability(heartbeat = "10s", inline)]
    fn sum(&self) {}
}

fn main() {}

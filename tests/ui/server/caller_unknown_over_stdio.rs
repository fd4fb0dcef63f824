use agent_mcp::{Principal, PrincipalId, Server, agent};

struct User;

impl Principal for User {
    fn id(&self) -> PrincipalId {
        PrincipalId::local("ada")
    }
}

struct Desk;

#[agent(principal = User)]
impl Desk {
    /// Rings.
    #[capability]
    fn ring(&self) {}
}

#[tokio::main]
async fn main() -> agent_mcp::Result<()> {
    let _ = Server::new(Desk).stdio();
    Server::new(Desk).serve_on(&b""[..], Vec::new()).await?;
    Server::new(Desk).serve_stdio().await
}

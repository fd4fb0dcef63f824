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
    let _ = Server::new(Desk).http().into_router()?;
    let _ = Server::new(Desk).http().listen("127.0.0.1:0").await?;
    Server::new(Desk).http().serve("127.0.0.1:0").await
}

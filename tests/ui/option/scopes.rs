use agent_mcp::agent;

struct Desk;

#[agent]
impl Desk {
    /// Wrong.
    #[capability(scopes = "desk:write")]
    async fn text(&self) {}

    /// Wrong.
    #[capability(scopes = [])]
    async fn none(&self) {}

    /// Wrong.
    #[capability(scopes = ["desk:read desk:write"])]
    async fn joined(&self) {}

    /// Wrong.
    #[capability(scopes = ["desk\"s"])]
    async fn quoted(&self) {}

    /// Wrong.
    #[capability(scopes = ["desk", "desk"])]
    async fn twice(&self) {}

    /// Wrong.
    #[capability(scopes = ["offline_access"])]
    async fn offline(&self) {}

    /// Wrong.
    #[resource(scopes = ["desk", 1])]
    fn number(&self) -> u8 {
        1
    }

    /// Wrong.
    #[context(scopes)]
    fn context(&self) -> u8 {
        1
    }
}

fn main() {}

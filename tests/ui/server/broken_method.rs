use agent_mcp::agent;

struct Desk;

#[agent]
impl Desk {
    /// Sound.
    #[capability]
    async fn sound(&self) -> u8 {
        self.broken(1).await
    }

    /// The only error is here.
    #[capability(nmae = "x")]
    async fn broken(
        &self,
        /// A number.
        #[serde(default)]
        number: u8,
    ) -> u8 {
        number
    }
}

fn main() {
    let _ = agent_mcp::Server::new(Desk).runtime();
    drop(Desk.broken(1));
}

use agent_mcp::{Context, Unanswered, agent};

struct Address;

struct Desk;

#[agent]
impl Desk {
    /// Asks.
    #[capability]
    async fn ask(&self, cx: &Context<Self>) -> Result<(), Unanswered> {
        let _: Address = cx.ask("address", "Where?").await?;
        Ok(())
    }
}

fn main() {}

use agent_mcp::agent;

struct Desk;

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Item {
    x: u8,
}

#[agent(calls = Calls)]
impl Desk {
    /// Takes.
    #[capability]
    async fn take(&self, item: Item) {
        let _ = item.x;
    }
}

fn main() {}

use agent_mcp::agent;

struct Desk;

#[agent]
impl Desk {
    /// Takes.
    #[capability]
    async fn take(
        &self,
        #[serde(default = 10)] value: u32,
        #[serde(default = ten)] function: u32,
        #[serde(default = "ten")] good: u32,
    ) {
        let _ = (value, function, good);
    }
}

fn ten() -> u32 {
    10
}

fn main() {}

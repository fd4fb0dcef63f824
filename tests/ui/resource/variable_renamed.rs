use agent_mcp::agent;

struct Desk;

#[agent]
impl Desk {
    /// Shows.
    #[resource(uri = "desk://cards/{card}")]
    fn card(&self, #[serde(rename = "number")] card: u8) -> u8 {
        card
    }
}

fn main() {}

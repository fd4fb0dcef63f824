use agent_mcp::agent;

struct Desk;

#[agent]
impl Desk {
    /// Takes.
    #[capability]
    async fn take(
        &self,
        #[schemars(range(min = 1))] name: String,
        #[schemars(length(max = 3))] count: Option<u32>,
        #[schemars(length(min = 1))] good: Vec<String>,
    ) {
        let _ = (name, count, good);
    }
}

fn main() {}

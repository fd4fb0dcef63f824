use agent_mcp::agent;

struct Desk;

#[agent]
impl Desk {
    #[prompt]
    fn plan(&self) -> String {
        String::new()
    }
}

fn main() {}

use agent_mcp::agent;

struct Desk;

#[agent]
impl Desk {
    #[context]
    fn seen(&self) -> String {
        String::new()
    }
}

fn main() {}

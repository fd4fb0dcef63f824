use agent_mcp::agent;

struct Desk;

#[agent]
impl Desk {
    #[resource]
    fn shelf(&self) -> String {
        String::new()
    }
}

fn main() {}

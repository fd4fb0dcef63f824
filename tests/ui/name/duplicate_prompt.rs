use agent_mcp::agent;

struct Desk;

#[agent]
impl Desk {
    /// Plans.
    #[prompt(name = "plan")]
    fn plan_day(&self) -> String {
        String::new()
    }

    /// Plans too.
    #[prompt]
    fn plan(&self) -> String {
        String::new()
    }
}

fn main() {}

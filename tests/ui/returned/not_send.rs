use agent_mcp::agent;

struct Desk;

async fn pause() {}

#[agent]
impl Desk {
    /// Waits.
    #[capability]
    async fn wait(&self) -> u8 {
        let shared = std::rc::Rc::new(1);
        pause().await;
        *shared
    }
}

fn main() {}

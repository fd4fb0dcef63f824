use agent_mcp::{Server, agent};

struct Desk;

#[agent]
impl Desk {
    /// Has two names.
    #[capability(name = "a", name = "b")]
    fn list(&self) {}

    /// Is fine to us, and wrong to rustc.
    #[capability]
    async fn good(&self, number: u8) -> u8 {
        let text: String = number;
        number
    }
}

fn main() {
    drop(Server::new(Desk));
}

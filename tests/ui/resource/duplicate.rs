use agent_mcp::agent;

struct Desk;

#[agent]
impl Desk {
    /// The first.
    #[resource(uri = "desk://{page}")]
    fn first(&self, page: u8) -> u8 {
        page
    }

    /// The second.
    #[resource(uri = "desk://{page}")]
    fn second(&self, page: u8) -> u8 {
        page
    }

    /// Has an address of its own.
    #[resource(uri = "app://plain")]
    fn other(&self) -> u8 {
        1
    }

    /// Has the same one.
    #[resource]
    fn plain(&self) -> u8 {
        1
    }
}

fn main() {}

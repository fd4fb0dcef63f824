use agent_mcp::agent;

struct Desk;

#[agent]
impl Desk {
    /// Wrong.
    #[resource(priority = 2, audience(user, user), size = -1)]
    fn values(&self) -> u8 {
        1
    }

    /// Wrong.
    #[resource(priority = "high", audience = user, size = "2 KiB")]
    fn kinds(&self) -> u8 {
        1
    }

    /// Wrong.
    #[resource(audience(model), available = |a, b, c| true)]
    fn words(&self) -> u8 {
        1
    }

    /// Wrong.
    #[resource(uri = "desk://{page}", size = 20)]
    fn page(&self, page: u8) -> u8 {
        page
    }
}

fn main() {}

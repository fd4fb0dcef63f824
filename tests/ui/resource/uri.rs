use agent_mcp::agent;

struct Desk;

#[agent]
impl Desk {
    /// Wrong.
    #[resource(uri = "pages/{page}")]
    fn no_scheme(&self, page: u8) -> u8 {
        page
    }

    /// Wrong.
    #[resource(uri = "desk://a page")]
    fn space(&self) -> u8 {
        1
    }

    /// Wrong.
    #[resource(uri = "desk://{page")]
    fn open(&self, page: u8) -> u8 {
        page
    }

    /// Wrong.
    #[resource(uri = "desk://{the page}")]
    fn name(&self, page: u8) -> u8 {
        page
    }

    /// Wrong.
    #[resource(uri = "desk://pages{?page}")]
    fn query(&self, page: u8) -> u8 {
        page
    }

    /// Wrong.
    #[resource(uri = "desk://{page}{line}")]
    fn adjacent(&self, page: u8, line: u8) -> u8 {
        page + line
    }

    /// Wrong.
    #[resource(uri = "desk://{page}/{page}")]
    fn twice(&self, page: u8) -> u8 {
        page
    }
}

fn main() {}

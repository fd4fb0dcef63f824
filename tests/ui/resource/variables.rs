use agent_mcp::agent;

struct Desk;

#[agent_mcp::data]
struct Page {
    page: u8,
}

struct Pool;

#[agent]
impl Desk {
    /// No address at all.
    #[resource]
    fn shown(&self, page: u8) -> u8 {
        page
    }

    /// The address lacks one.
    #[resource(uri = "desk://pages/{page}")]
    fn line(&self, page: u8, line: u8) -> u8 {
        page + line
    }

    /// The method lacks one.
    #[resource(uri = "desk://{shelf}/{+rest}")]
    fn shelf(&self, shelf: String) -> String {
        shelf
    }

    /// It has another name.
    #[resource(uri = "desk://cards/{card}")]
    fn card(&self, #[serde(rename = "number")] card: u8) -> u8 {
        card
    }

    /// All in one, and no place.
    #[resource(uri = "desk://whole")]
    fn whole(&self, #[args] page: Page) -> u8 {
        page.page
    }

    /// What no text spells.
    #[resource(uri = "desk://pools/{pool}")]
    fn pool(&self, pool: Pool) -> String {
        let _ = pool;
        String::new()
    }
}

fn main() {}

use agent_mcp::{Server, agent};

struct Desk;

#[agent]
impl Desk {
    /// Lists.
    #[capability(nmae = "x")]
    fn list(&self) {}

    #[capability]
    fn undescribed(&self) {}

    /// Takes.
    #[capability]
    fn take(&self, (a, b): (u8, u8)) {
        let _ = (a, b);
    }

    /// Waits.
    #[capability(timeout = "soon")]
    async fn wait(&self) {}

    /// Searches.
    #[capability]
    fn search<T: Clone>(&self, query: T) {
        let _ = query;
    }

    /// Is fine.
    #[capability]
    async fn good(&self, #[serde(default)] number: u8) -> u8 {
        number + 1
    }
}

fn main() {
    let desk = Desk;
    desk.list();
    desk.undescribed();
    desk.take((1, 2));
    drop(desk.wait());
    desk.search(1);
    drop(Server::new(desk));
}

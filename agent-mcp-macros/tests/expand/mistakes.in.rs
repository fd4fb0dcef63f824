#[agent(nmae = "x", model = Model)]
impl Desk {
    /// Sound.
    #[capability]
    async fn sound(&self) -> u8 {
        1
    }

    #[capability(timeout = "soon", frobnicate)]
    async fn broken(&self, #[serde(default)] (a, b): (u8, u8), #[args] c: u8) {}

    #[capability]
    /// Also sound: the order of attributes means nothing.
    async fn late(&self) {}
}

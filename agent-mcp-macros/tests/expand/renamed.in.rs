#[framework::agent(crate = framework)]
impl Notes {
    /// Gives it back.
    #[framework::capability]
    async fn echo(&self, note: Note, cx: &framework::Context<Self>) -> Note {
        note
    }
}

#[framework::data(crate = framework)]
struct Note {
    text: String,
}

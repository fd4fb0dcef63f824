#[agent]
impl Library {
    /// All books.
    #[resource(mime_type = "text/markdown", cache(ttl = "30s", scope = "public"), size = 2048)]
    fn books(&self) -> String {
        self.list()
    }

    /// A page of a book.
    #[resource(
        uri = "library://{book}/{+page}",
        audience(user, assistant),
        priority = 0.5,
        available = |library| library.open,
    )]
    async fn page(
        &self,
        #[suggest(|cx, typed| cx.model().titles(typed))] book: String,
        #[suggest(async |cx, typed, others| cx.model().pages(typed, others).await)] page: String,
    ) -> Result<Option<Text>, Lost> {
        self.find(book, page).await
    }

    /// What is lent, for whom it is.
    #[context(scopes = ["library:read"])]
    fn lent(cx: &Context<Self>) -> Option<Lent> {
        cx.model().lent()
    }
}

#[agent(calls = pub(crate) ShelfCalls)]
impl Shelf {
    /// Puts a book.
    #[capability(idempotent)]
    async fn put(&self, title: String, #[cfg(unix)] row: u8, near: Vec<Self>) {}

    /// Finds a book.
    #[capability]
    async fn find(&self, #[args] search: Search) -> Option<Book> {
        None
    }

    /// Clears the shelf.
    #[capability(destructive)]
    fn clear(&self) {}

    /// Is not called.
    #[resource]
    fn rows(&self) -> u8 {
        1
    }
}

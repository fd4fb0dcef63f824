#[agent(model = Ledger, message = Entry, principal = Clerk)]
impl Books {
    /// Books an entry, and waits until it is there.
    #[capability(
        completion = when(|call, ledger| ledger.contains(&call.input.line)),
        heartbeat = "10s",
        timeout = "2m",
    )]
    fn book(&self, line: String) -> Entry {
        Entry::new(line)
    }

    /// Closes the year.
    #[capability(task = "required", concurrency = 1, completion = Self::is_closed)]
    async fn close(&self, cx: &Context<Self>, year: u16) -> Result<Entry, Closed> {
        cx.begin_task().await?;
        Ok(Entry::close(year))
    }

    /// Opens it again.
    #[capability(available = Self::was_closed, authorize = may_open)]
    fn open(_: &Context<Self>) -> Entry {
        Entry::open()
    }
}

#[agent(name = "desk")]
impl<S: Store, const N: usize> Desk<S, N>
where
    S::Id: Send,
{
    /// By id.
    #[capability(available = |_| S::OPEN, authorize = Self::may)]
    async fn get(&self, id: S::Id, others: [S::Id; N]) -> Vec<S::Id> {
        vec![id]
    }

    /// By what the store takes.
    #[capability]
    async fn ask(&self, #[args] args: S::Args) -> Result<S::Answer, S::Error> {
        self.0.ask(args).await
    }
}

#[agent(part = pub Admin)]
impl<S: Store, const N: usize> Desk<S, N> {
    /// Empties the desk.
    #[capability(destructive)]
    async fn clear(&self) {}
}

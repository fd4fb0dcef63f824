#[agent]
impl Planner {
    /// Plans a day.
    #[prompt(title = "Plan the day", authorize = async |call| call.principal.is_known().await)]
    async fn plan_day(
        &self,
        /// The day.
        #[suggest(days)]
        day: String,
        #[serde(default)] hours: u8,
    ) -> Vec<Turn> {
        vec![Turn::user(day)]
    }

    /// Says nothing of itself.
    #[prompt]
    fn empty(_: &Context<Self>) -> &'static str {
        ""
    }
}

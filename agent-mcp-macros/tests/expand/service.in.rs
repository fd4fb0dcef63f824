/// Weather for any city.
#[agent]
impl Weather {
    /// Current conditions in a city.
    #[capability(read_only)]
    async fn current(
        &self,
        /// City name, in any language.
        city: String,
        #[serde(default)] units: Units,
    ) -> Result<Conditions, WeatherError> {
        self.look_up(city, units).await
    }

    /// Forgets what was looked up.
    #[capability]
    fn forget(&self) {
        self.cache.clear();
    }

    async fn look_up(&self, city: String, units: Units) -> Result<Conditions, WeatherError> {
        todo!()
    }
}

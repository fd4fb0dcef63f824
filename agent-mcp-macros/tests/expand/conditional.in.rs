#[cfg(unix)]
#[agent]
impl Desk {
    /// On some systems.
    #[cfg(target_os = "linux")]
    #[capability]
    async fn there(&self, #[cfg(feature = "more")] more: u8, always: u8) -> u8 {
        always
    }

    /// One of two.
    #[cfg_attr(test, capability(read_only))]
    #[cfg_attr(not(test), capability(destructive))]
    fn either(&self, #[cfg_attr(test, serde(default))] number: u8) {}

    /// Another with the same name elsewhere.
    #[cfg(not(target_os = "linux"))]
    #[capability]
    async fn there(&self) {}
}

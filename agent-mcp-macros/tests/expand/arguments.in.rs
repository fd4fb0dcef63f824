#[agent]
impl<S> Desk<S>
where
    S: Store,
{
    /// Every form of an argument.
    #[capability]
    async fn take<'a>(
        &'a self,
        #[cfg(feature = "extra")]
        #[serde(default)]
        extra: Extra,
        #[id] id: u64,
        #[header("Region")] region: Option<String>,
        #[serde(default)] own: Vec<S::Id>,
        #[serde(default = "ten", rename = "n")] mut count: u32,
        #[schemars(length(max = 5))] r#type: String,
        cx: &'a Context<Self>,
    ) -> Cow<'a, str> {
        Cow::Borrowed("")
    }
}

#[agent_mcp::data]
/// A row.
pub struct Row {
    #[id]
    #[serde(default)]
    pub id: Option<u64>,
}

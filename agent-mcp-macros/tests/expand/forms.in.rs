#[derive(agent_mcp::Form)]
struct Order {
    /// Who gets it.
    #[form(title = "Name", min_length = 1, format = "email")]
    name: String,
    #[form(min = 1, max = 9, default = 1)]
    count: u8,
    #[serde(default, rename = "express")]
    fast: bool,
    #[form(max_items = 2, enum_names)]
    sizes: Vec<Size>,
    note: Option<String>,
}

#[derive(agent_mcp::Choice)]
#[serde(rename_all = "camelCase")]
enum Size {
    /// Small
    Small,
    #[form(title = "Large")]
    VeryLarge,
}

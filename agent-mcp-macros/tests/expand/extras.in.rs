#[agent(
    title = "Shop",
    website = "https://shop.example",
    instructions = include_str!("shop.md"),
    icons("https://shop.example/icon.png"),
)]
impl Shop {
    /// Sells.
    #[capability(
        icons(Icon::inline("image/png", PNG)),
        meta("shop.example/aisle" = 7, "team" = "sales"),
        ui = "ui://shop/sale",
        app_only,
    )]
    async fn sell(&self) -> Sale {
        Sale
    }

    /// Takes what a schema describes that is written by hand.
    #[capability(input_schema = include_str!("order.json"), output_schema = SCHEMA)]
    async fn order(&self, #[args] order: serde_json::Value) -> serde_json::Value {
        order
    }
}

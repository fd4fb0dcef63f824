impl Shop {
    /// Sells.
    async fn sell(&self) -> Sale {
        Sale
    }
    /// Takes what a schema describes that is written by hand.
    async fn order(&self, order: serde_json::Value) -> serde_json::Value {
        order
    }
}
#[doc(hidden)]
#[allow(
    deprecated,
    unused_qualifications,
    clippy::needless_borrow,
    clippy::redundant_closure
)]
const _: () = {
    use ::agent_mcp::__private as __p;
    #[allow(unused_imports)]
    use __p::probe::*;
    #[automatically_derived]
    impl __p::Agent for Shop {
        type Model = Self;
        type Message = __p::Never;
        type Principal = ();
        type Needs = ();
        fn declare() -> __p::Declaration<Self> {
            let mut __d = __p::Declaration::<Self>::new("shop");
            __d.version(::core::option_env!("CARGO_PKG_VERSION"));
            __d.title("Shop");
            __d.website("https://shop.example");
            __d.icon(__p::icon("https://shop.example/icon.png"));
            __d.instructions(include_str!("shop.md"));
            __d.capability(
                    "sell",
                    "Sells.",
                    (&&__p::Input::<__p::NoArguments>::new()).codec(),
                    (&&&&(&&&__d.returns::<Sale>()).peel()).kind(),
                )
                .ui("ui://shop/sale")
                .app_only()
                .extras(
                    __p::Extras::new()
                        .icon(__p::icon(Icon::inline("image/png", PNG)))
                        .meta("shop.example/aisle", __p::meta_value(7))
                        .meta("team", __p::meta_value("sales")),
                )
                .run(|__agent, __cx, __in| __p::future(async move {
                    let __out = Self::sell(&__agent).await;
                    (&&&&(&&&__p::result(&__agent, &__out)).peel()).outcome(__out)
                }));
            __d.capability(
                    "order",
                    "Takes what a schema describes that is written by hand.",
                    __p::read::<serde_json::Value>(),
                    (&&&&(&&&__d.returns::<serde_json::Value>()).peel()).kind(),
                )
                .input_schema(__p::written(include_str!("order.json")))
                .output_schema(__p::written(SCHEMA))
                .run(|__agent, __cx, __in| __p::future(async move {
                    let __out = Self::order(&__agent, __in).await;
                    (&&&&(&&&__p::result(&__agent, &__out)).peel()).outcome(__out)
                }));
            __d
        }
    }
};

impl Library {
    /// All books.
    fn books(&self) -> String {
        self.list()
    }
    /// A page of a book.
    async fn page(&self, book: String, page: String) -> Result<Option<Text>, Lost> {
        self.find(book, page).await
    }
    /// What is lent, for whom it is.
    fn lent(cx: &Context<Self>) -> Option<Lent> {
        cx.model().lent()
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
    #[derive(__p::serde::Deserialize, __p::schemars::JsonSchema)]
    #[serde(crate = "__p::serde")]
    #[schemars(crate = "__p::schemars")]
    struct __PageInput<__T0, __T1> {
        book: __T0,
        page: __T1,
    }
    #[automatically_derived]
    impl __p::Agent for Library {
        type Model = Self;
        type Message = __p::Never;
        type Principal = ();
        type Needs = ();
        fn declare() -> __p::Declaration<Self> {
            let mut __d = __p::Declaration::<Self>::new("library");
            __d.version(::core::option_env!("CARGO_PKG_VERSION"));
            __d.resource(
                    "books",
                    "All books.",
                    (&&&&(&&&&&&__d.returns::<String>()).find()).kind(),
                )
                .mime_type("text/markdown")
                .cache(__p::Duration::from_millis(30000), true)
                .size(2048)
                .run_blocking(|__agent, __cx, ()| {
                    let __out = Self::books(&__agent);
                    (&&&&(&&&&&&__p::result(&__agent, &__out)).find()).outcome(__out)
                });
            (&&&__p::Argument::<String>::new()).check();
            (&&&__p::Argument::<String>::new()).check();
            __d.template(
                    "page",
                    "A page of a book.",
                    (&&__p::Input::<__PageInput<String, String>>::new()).codec(),
                    {
                        let _ = (&&&&(&&&__d.returns::<Text>()).peel()).kind();
                        (&&&&(&&&&&&__d.returns::<Result<Option<Text>, Lost>>()).find())
                            .kind()
                    },
                )
                .suggest(
                    "book",
                    |__cx, __typed, __others| __p::suggestions(
                        __cx,
                        __typed,
                        __others,
                        |cx, typed| cx.model().titles(typed),
                    ),
                )
                .suggest(
                    "page",
                    |__cx, __typed, __others| __p::suggestions_beside(
                        __cx,
                        __typed,
                        __others,
                        async |cx, typed, others| cx.model().pages(typed, others).await,
                    ),
                )
                .uri("library://{book}/{+page}")
                .audience(__p::Audience::User)
                .audience(__p::Audience::Assistant)
                .priority(0.5)
                .available(__p::by_model::<Self, _, _>(|library| library.open))
                .run(|__agent, __cx, __in| __p::future(async move {
                    let __out = Self::page(&__agent, __in.book, __in.page).await;
                    (&&&&(&&&&&&__p::result(&__agent, &__out)).find()).outcome(__out)
                }));
            __d.context(
                    "What is lent, for whom it is.",
                    {
                        let _ = (&&&&(&&&__d.returns::<Lent>()).peel()).kind();
                        (&&&&(&&&&&&__d.returns::<Option<Lent>>()).find()).kind()
                    },
                )
                .scopes(&["library:read"])
                .run_inline(|__agent, __cx, ()| {
                    let __out = Self::lent(__p::lend::<Context<Self>, _>(&__cx));
                    (&&&&(&&&&&&__p::result(&__agent, &__out)).find()).outcome(__out)
                });
            __d
        }
    }
};

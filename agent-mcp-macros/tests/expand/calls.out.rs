impl Shelf {
    /// Puts a book.
    async fn put(&self, title: String, #[cfg(unix)] row: u8, near: Vec<Self>) {}
    /// Finds a book.
    async fn find(&self, search: Search) -> Option<Book> {
        None
    }
    /// Clears the shelf.
    fn clear(&self) {}
    /// Is not called.
    fn rows(&self) -> u8 {
        1
    }
}
///Calls the capabilities of `Shelf` from inside the application, by the same rules as any caller.
pub(crate) struct ShelfCalls {
    door: ::agent_mcp::InProcess<<Shelf as ::agent_mcp::Agent>::Principal>,
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
    #[derive(__p::serde::Deserialize, __p::serde::Serialize, __p::schemars::JsonSchema)]
    #[serde(crate = "__p::serde")]
    #[schemars(crate = "__p::schemars")]
    struct __PutInput<__T0, __T2> {
        title: __T0,
        #[cfg(unix)]
        row: u8,
        near: __T2,
    }
    #[automatically_derived]
    impl __p::Agent for Shelf {
        type Model = Self;
        type Message = __p::Never;
        type Principal = ();
        type Needs = ();
        fn declare() -> __p::Declaration<Self> {
            let mut __d = __p::Declaration::<Self>::new("shelf");
            __d.version(::core::option_env!("CARGO_PKG_VERSION"));
            (&&&__p::Argument::<String>::new()).check();
            #[cfg(unix)] (&&&__p::Argument::<u8>::new()).check();
            (&&&__p::Argument::<Self>::new()).check();
            (&&&__p::Argument::<Vec<Self>>::new()).check();
            __d.capability(
                    "put",
                    "Puts a book.",
                    (&&__p::Input::<__PutInput<String, Vec<Self>>>::new()).codec(),
                    (&&&&(&&&__d.returns::<()>()).peel()).kind(),
                )
                .idempotent(true)
                .run(|__agent, __cx, __in| __p::future(async move {
                    let __out = Self::put(
                            &__agent,
                            __in.title,
                            #[cfg(unix)]
                            __in.row,
                            __in.near,
                        )
                        .await;
                    (&&&&(&&&__p::result(&__agent, &__out)).peel()).outcome(__out)
                }));
            (&&&__p::Argument::<Search>::new()).check();
            __d.capability(
                    "find",
                    "Finds a book.",
                    (&&__p::Input::<Search>::new()).codec(),
                    {
                        let _ = (&&&&(&&&__d.returns::<Book>()).peel()).kind();
                        (&&&&(&&&__d.returns::<Option<Book>>()).peel()).kind()
                    },
                )
                .run(|__agent, __cx, __in| __p::future(async move {
                    let __out = Self::find(&__agent, __in).await;
                    (&&&&(&&&__p::result(&__agent, &__out)).peel()).outcome(__out)
                }));
            __d.capability(
                    "clear",
                    "Clears the shelf.",
                    (&&__p::Input::<__p::NoArguments>::new()).codec(),
                    (&&&&(&&&__d.returns::<()>()).peel()).kind(),
                )
                .destructive(true)
                .run_blocking(|__agent, __cx, __in| {
                    let __out = Self::clear(&__agent);
                    (&&&&(&&&__p::result(&__agent, &__out)).peel()).outcome(__out)
                });
            __d.resource(
                    "rows",
                    "Is not called.",
                    (&&&&(&&&&&&__d.returns::<u8>()).find()).kind(),
                )
                .run_blocking(|__agent, __cx, ()| {
                    let __out = Self::rows(&__agent);
                    (&&&&(&&&&&&__p::result(&__agent, &__out)).find()).outcome(__out)
                });
            __d
        }
    }
    #[automatically_derived]
    impl ShelfCalls {
        /// Calls through `door`, on behalf of its principal.
        #[allow(dead_code)]
        pub(crate) fn new(
            door: __p::InProcess<<Shelf as ::agent_mcp::Agent>::Principal>,
        ) -> Self {
            Self { door }
        }
        ///Puts a book.
        #[allow(dead_code)]
        pub(crate) async fn put(
            &self,
            title: String,
            #[cfg(unix)]
            row: u8,
            near: Vec<Shelf>,
        ) -> __p::Outcome {
            __p::is_written::<String>();
            #[cfg(unix)] __p::is_written::<u8>();
            __p::is_written::<Vec<Shelf>>();
            (&&__p::Sent(
                &__PutInput {
                    title,
                    #[cfg(unix)]
                    row,
                    near,
                },
            ))
                .call(&self.door, "put")
                .await
        }
        ///Finds a book.
        #[allow(dead_code)]
        pub(crate) async fn find(&self, __in: Search) -> __p::Outcome {
            __p::is_written::<Search>();
            (&&__p::Sent(&__in)).call(&self.door, "find").await
        }
        ///Clears the shelf.
        #[allow(dead_code)]
        pub(crate) async fn clear(&self) -> __p::Outcome {
            (&&__p::Sent(&__p::NoArguments {})).call(&self.door, "clear").await
        }
    }
};

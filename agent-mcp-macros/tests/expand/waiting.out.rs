impl Books {
    /// Books an entry, and waits until it is there.
    fn book(&self, line: String) -> Entry {
        Entry::new(line)
    }
    /// Closes the year.
    async fn close(&self, cx: &Context<Self>, year: u16) -> Result<Entry, Closed> {
        cx.begin_task().await?;
        Ok(Entry::close(year))
    }
    /// Opens it again.
    fn open(_: &Context<Self>) -> Entry {
        Entry::open()
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
    struct __BookInput<__T0> {
        line: __T0,
    }
    #[derive(__p::serde::Deserialize, __p::schemars::JsonSchema)]
    #[serde(crate = "__p::serde")]
    #[schemars(crate = "__p::schemars")]
    struct __CloseInput<__T0> {
        year: __T0,
    }
    #[automatically_derived]
    impl __p::Agent for Books {
        type Model = Ledger;
        type Message = Entry;
        type Principal = Clerk;
        type Needs = __p::HostOf<Self>;
        fn declare() -> __p::Declaration<Self> {
            let mut __d = __p::Declaration::<Self>::new("books");
            __d.version(::core::option_env!("CARGO_PKG_VERSION"));
            (&&&__p::Argument::<String>::new()).check();
            __p::dispatches((&&&&(&&&__d.returns::<Entry>()).peel()).kind());
            __d.capability(
                    "book",
                    "Books an entry, and waits until it is there.",
                    (&&__p::Input::<__BookInput<String>>::new()).codec(),
                    (&&&&(&&&__d.returns::<Entry>()).peel()).kind(),
                )
                .timeout(__p::Duration::from_millis(120000))
                .heartbeat(__p::Duration::from_millis(10000))
                .completion_when(|call, ledger| ledger.contains(&call.input.line))
                .run_blocking(|__agent, __cx, __in| {
                    let __out = Self::book(&__agent, __in.line);
                    (&&&&(&&&__p::result(&__agent, &__out)).peel()).outcome(__out)
                });
            (&&&__p::Argument::<u16>::new()).check();
            __p::dispatches(
                (&&&&(&&&__d.returns::<Result<Entry, Closed>>()).peel()).kind(),
            );
            __d.capability(
                    "close",
                    "Closes the year.",
                    (&&__p::Input::<__CloseInput<u16>>::new()).codec(),
                    (&&&&(&&&__d.returns::<Result<Entry, Closed>>()).peel()).kind(),
                )
                .concurrency(1)
                .task(__p::TaskMode::Required)
                .begins_task()
                .completion(|__c, __m| (Self::is_closed)(__c, __m))
                .run(|__agent, __cx, __in| __p::future(async move {
                    let __out = Self::close(
                            &__agent,
                            __p::lend::<Context<Self>, _>(&__cx),
                            __in.year,
                        )
                        .await;
                    (&&&&(&&&__p::result(&__agent, &__out)).peel()).outcome(__out)
                }));
            __d.capability(
                    "open",
                    "Opens it again.",
                    (&&__p::Input::<__p::NoArguments>::new()).codec(),
                    (&&&&(&&&__d.returns::<Entry>()).peel()).kind(),
                )
                .available(__p::by_function::<Self, _, _>(Self::was_closed))
                .authorize(|__call| __p::verdict(__call, |__c| (may_open)(__c)))
                .run_inline(|__agent, __cx, __in| {
                    let __out = Self::open(__p::lend::<Context<Self>, _>(&__cx));
                    (&&&&(&&&__p::result(&__agent, &__out)).peel()).outcome(__out)
                });
            __d
        }
    }
};

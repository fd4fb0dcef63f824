impl Planner {
    /// Plans a day.
    async fn plan_day(&self, day: String, hours: u8) -> Vec<Turn> {
        vec![Turn::user(day)]
    }
    /// Says nothing of itself.
    fn empty(_: &Context<Self>) -> &'static str {
        ""
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
    #[allow(unused_imports)]
    use ::core::option::Option::Some;
    #[derive(__p::serde::Deserialize, __p::schemars::JsonSchema)]
    #[serde(crate = "__p::serde")]
    #[schemars(crate = "__p::schemars")]
    struct __PlanDayInput<__T0> {
        /// The day.
        day: __T0,
        #[serde(default = "__p::default::<u8>")]
        hours: u8,
    }
    #[automatically_derived]
    impl __p::Agent for Planner {
        type Model = Self;
        type Message = __p::Never;
        type Principal = ();
        type Needs = ();
        fn declare() -> __p::Declaration<Self> {
            let mut __d = __p::Declaration::<Self>::new("planner");
            __d.version(::core::option_env!("CARGO_PKG_VERSION"));
            (&&&__p::Argument::<String>::new()).check();
            (&&&__p::Argument::<u8>::new()).check();
            __d.prompt(
                    "plan_day",
                    "Plans a day.",
                    (&&__p::Input::<__PlanDayInput<String>>::new()).codec(),
                    {
                        let _ = (&&&&(&&&__d.returns::<Turn>()).peel()).kind();
                        (&&&&(&&&__d.returns::<Vec<Turn>>()).peel()).kind()
                    },
                )
                .title("Plan the day")
                .arguments(&["day", "hours"])
                .authorize(|__call| __p::verdict(
                    __call,
                    async |call| call.principal.is_known().await,
                ))
                .suggest(
                    "day",
                    |__cx, __typed, __others| __p::suggestions(
                        __cx,
                        __typed,
                        __others,
                        |__c, __t| (days)(__c, __t),
                    ),
                )
                .run(|__agent, __cx, __in| __p::future(async move {
                    let __out = Self::plan_day(&__agent, __in.day, __in.hours).await;
                    (&&&&(&&&__p::result(&__agent, &__out)).peel()).outcome(__out)
                }));
            __d.prompt(
                    "empty",
                    "Says nothing of itself.",
                    (&&__p::Input::<__p::NoArguments>::new()).codec(),
                    (&&&&(&&&__d.returns::<&'static str>()).peel()).kind(),
                )
                .run_inline(|__agent, __cx, __in| {
                    let __out = Self::empty(__p::lend::<Context<Self>, _>(&__cx));
                    (&&&&(&&&__p::result(&__agent, &__out)).peel()).outcome(__out)
                });
            __d
        }
    }
};

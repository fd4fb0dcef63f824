#[cfg(unix)]
impl Desk {
    /// On some systems.
    #[cfg(target_os = "linux")]
    async fn there(&self, #[cfg(feature = "more")] more: u8, always: u8) -> u8 {
        always
    }
    /// One of two.
    fn either(&self, number: u8) {}
    /// Another with the same name elsewhere.
    #[cfg(not(target_os = "linux"))]
    async fn there(&self) {}
}
#[cfg(unix)]
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
    #[cfg(target_os = "linux")]
    #[derive(__p::serde::Deserialize, __p::schemars::JsonSchema)]
    #[serde(crate = "__p::serde")]
    #[schemars(crate = "__p::schemars")]
    struct __ThereInput<__T1> {
        #[cfg(feature = "more")]
        more: u8,
        always: __T1,
    }
    #[cfg(test)]
    #[derive(__p::serde::Deserialize, __p::schemars::JsonSchema)]
    #[serde(crate = "__p::serde")]
    #[schemars(crate = "__p::schemars")]
    struct __EitherInput {
        #[cfg_attr(test, serde(default))]
        number: u8,
    }
    #[cfg(not(test))]
    #[derive(__p::serde::Deserialize, __p::schemars::JsonSchema)]
    #[serde(crate = "__p::serde")]
    #[schemars(crate = "__p::schemars")]
    struct __EitherInput2 {
        #[cfg_attr(test, serde(default))]
        number: u8,
    }
    #[automatically_derived]
    impl __p::Agent for Desk {
        type Model = Self;
        type Message = __p::Never;
        type Principal = ();
        type Needs = ();
        fn declare() -> __p::Declaration<Self> {
            let mut __d = __p::Declaration::<Self>::new("desk");
            __d.version(::core::option_env!("CARGO_PKG_VERSION"));
            #[cfg(target_os = "linux")] #[cfg(feature = "more")]
            (&&&__p::Argument::<u8>::new()).check();
            #[cfg(target_os = "linux")] (&&&__p::Argument::<u8>::new()).check();
            #[cfg(target_os = "linux")]
            __d.capability(
                    "there",
                    "On some systems.",
                    (&&__p::Input::<__ThereInput<u8>>::new()).codec(),
                    (&&&&(&&&__d.returns::<u8>()).peel()).kind(),
                )
                .run(|__agent, __cx, __in| __p::future(async move {
                    let __out = Self::there(
                            &__agent,
                            #[cfg(feature = "more")]
                            __in.more,
                            __in.always,
                        )
                        .await;
                    (&&&&(&&&__p::result(&__agent, &__out)).peel()).outcome(__out)
                }));
            #[cfg(test)] (&&&__p::Argument::<u8>::new()).check();
            #[cfg(test)]
            __d.capability(
                    "either",
                    "One of two.",
                    (&&__p::Input::<__EitherInput>::new()).codec(),
                    (&&&&(&&&__d.returns::<()>()).peel()).kind(),
                )
                .read_only(true)
                .run_blocking(|__agent, __cx, __in| {
                    let __out = Self::either(&__agent, __in.number);
                    (&&&&(&&&__p::result(&__agent, &__out)).peel()).outcome(__out)
                });
            #[cfg(not(test))] (&&&__p::Argument::<u8>::new()).check();
            #[cfg(not(test))]
            __d.capability(
                    "either",
                    "One of two.",
                    (&&__p::Input::<__EitherInput2>::new()).codec(),
                    (&&&&(&&&__d.returns::<()>()).peel()).kind(),
                )
                .destructive(true)
                .run_blocking(|__agent, __cx, __in| {
                    let __out = Self::either(&__agent, __in.number);
                    (&&&&(&&&__p::result(&__agent, &__out)).peel()).outcome(__out)
                });
            #[cfg(not(target_os = "linux"))]
            __d.capability(
                    "there",
                    "Another with the same name elsewhere.",
                    (&&__p::Input::<__p::NoArguments>::new()).codec(),
                    (&&&&(&&&__d.returns::<()>()).peel()).kind(),
                )
                .run(|__agent, __cx, __in| __p::future(async move {
                    let __out = Self::there(&__agent).await;
                    (&&&&(&&&__p::result(&__agent, &__out)).peel()).outcome(__out)
                }));
            __d
        }
    }
};

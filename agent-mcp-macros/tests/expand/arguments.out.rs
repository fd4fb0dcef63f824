impl<S> Desk<S>
where
    S: Store,
{
    /// Every form of an argument.
    async fn take<'a>(
        &'a self,
        #[cfg(feature = "extra")]
        extra: Extra,
        id: u64,
        region: Option<String>,
        own: Vec<S::Id>,
        mut count: u32,
        r#type: String,
        cx: &'a Context<Self>,
    ) -> Cow<'a, str> {
        Cow::Borrowed("")
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
    #[schemars(
        crate = "__p::schemars",
        bound = "__T2: __p::schemars::JsonSchema, __T3: __p::schemars::JsonSchema + ::core::default::Default, __T5: __p::schemars::JsonSchema"
    )]
    struct __TakeInput<__T2, __T3, __T5> {
        #[cfg(feature = "extra")]
        #[serde(default = "__p::default::<Extra>")]
        extra: Extra,
        #[serde(with = "__p::Id::<u64>")]
        id: u64,
        #[schemars(extend("x-mcp-header" = "Region"))]
        region: __T2,
        #[serde(default)]
        own: __T3,
        #[serde(default = "ten", rename = "n")]
        count: u32,
        #[schemars(length(max = 5))]
        r#type: __T5,
    }
    #[automatically_derived]
    impl<S> __p::Agent for Desk<S>
    where
        S: Store,
        Self: ::core::marker::Send + ::core::marker::Sync + 'static,
    {
        type Model = Self;
        type Message = __p::Never;
        type Principal = ();
        type Needs = ();
        fn declare() -> __p::Declaration<Self> {
            let mut __d = __p::Declaration::<Self>::new("desk");
            __d.version(::core::option_env!("CARGO_PKG_VERSION"));
            #[cfg(feature = "extra")] (&&&__p::Argument::<Extra>::new()).check();
            (&&&__p::Argument::<Option<String>>::new()).check();
            (&&__p::Header::<Option<String>>::new()).check();
            (&&&__p::Argument::<S::Id>::new()).check();
            (&&&__p::Argument::<Vec<S::Id>>::new()).check();
            __p::has_default::<Vec<S::Id>>();
            (&&&__p::Argument::<u32>::new()).check();
            (&&&__p::Argument::<String>::new()).check();
            __d.capability(
                    "take",
                    "Every form of an argument.",
                    (&&__p::Input::<
                        __TakeInput<Option<String>, Vec<S::Id>, String>,
                    >::new())
                        .codec(),
                    (&&&&(&&&__d.returns::<Cow<'_, str>>()).peel()).kind(),
                )
                .run(|__agent, __cx, __in| __p::future(async move {
                    let __out = Self::take(
                            &__agent,
                            #[cfg(feature = "extra")]
                            __in.extra,
                            __in.id,
                            __in.region,
                            __in.own,
                            __in.count,
                            __in.r#type,
                            __p::lend::<Context<Self>, _>(&__cx),
                        )
                        .await;
                    (&&&&(&&&__p::result(&__agent, &__out)).peel()).outcome(__out)
                }));
            __d
        }
    }
};
#[allow(unused_imports)]
use ::agent_mcp::__private::derived::*;
#[derive(
    ::agent_mcp::__private::serde::Serialize,
    ::agent_mcp::__private::serde::Deserialize,
    ::agent_mcp::__private::schemars::JsonSchema,
)]
#[serde(crate = "::agent_mcp::__private::serde")]
#[schemars(crate = "::agent_mcp::__private::schemars")]
/// A row.
pub struct Row {
    #[serde(with = "::agent_mcp::__private::Id::<Option < u64 >>")]
    #[serde(default)]
    pub id: Option<u64>,
}

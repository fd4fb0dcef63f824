impl<S: Store, const N: usize> Desk<S, N>
where
    S::Id: Send,
{
    /// By id.
    async fn get(&self, id: S::Id, others: [S::Id; N]) -> Vec<S::Id> {
        vec![id]
    }
    /// By what the store takes.
    async fn ask(&self, args: S::Args) -> Result<S::Answer, S::Error> {
        self.0.ask(args).await
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
    struct __GetInput<__T0, __T1> {
        id: __T0,
        others: __T1,
    }
    #[automatically_derived]
    impl<S: Store, const N: usize> __p::Agent for Desk<S, N>
    where
        S::Id: Send,
        Self: ::core::marker::Send + ::core::marker::Sync + 'static,
    {
        type Model = Self;
        type Message = __p::Never;
        type Principal = ();
        type Needs = ();
        fn declare() -> __p::Declaration<Self> {
            let mut __d = __p::Declaration::<Self>::new("desk");
            __d.version(::core::option_env!("CARGO_PKG_VERSION"));
            (&&&__p::Argument::<S::Id>::new()).check();
            (&&&__p::Argument::<S::Id>::new()).check();
            (&&&__p::Argument::<[S::Id; N]>::new()).check();
            __d.capability(
                    "get",
                    "By id.",
                    (&&__p::Input::<__GetInput<S::Id, [S::Id; N]>>::new()).codec(),
                    {
                        let _ = (&&&&(&&&__d.returns::<S::Id>()).peel()).kind();
                        (&&&&(&&&__d.returns::<Vec<S::Id>>()).peel()).kind()
                    },
                )
                .available(__p::by_model::<Self, _, _>(|_| S::OPEN))
                .authorize(|__call| __p::verdict(__call, |__c| (Self::may)(__c)))
                .run(|__agent, __cx, __in| __p::future(async move {
                    let __out = Self::get(&__agent, __in.id, __in.others).await;
                    (&&&&(&&&__p::result(&__agent, &__out)).peel()).outcome(__out)
                }));
            (&&&__p::Argument::<S::Args>::new()).check();
            __d.capability(
                    "ask",
                    "By what the store takes.",
                    (&&__p::Input::<S::Args>::new()).codec(),
                    (&&&&(&&&__d.returns::<Result<S::Answer, S::Error>>()).peel()).kind(),
                )
                .run(|__agent, __cx, __in| __p::future(async move {
                    let __out = Self::ask(&__agent, __in).await;
                    (&&&&(&&&__p::result(&__agent, &__out)).peel()).outcome(__out)
                }));
            __d
        }
    }
};
impl<S: Store, const N: usize> Desk<S, N> {
    /// Empties the desk.
    async fn clear(&self) {}
}
#[doc(hidden)]
#[allow(dead_code)]
pub enum Admin {}
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
    impl<S: Store, const N: usize> __p::Part<Admin> for Desk<S, N>
    where
        Self: __p::Agent,
    {
        const NAMES: &'static [&'static str] = &["clear"];
        fn declare_part(__d: &mut __p::Declaration<Self>) {
            __d.capability(
                    "clear",
                    "Empties the desk.",
                    (&&__p::Input::<__p::NoArguments>::new()).codec(),
                    (&&&&(&&&__d.returns::<()>()).peel()).kind(),
                )
                .destructive(true)
                .run(|__agent, __cx, __in| __p::future(async move {
                    let __out = Self::clear(&__agent).await;
                    (&&&&(&&&__p::result(&__agent, &__out)).peel()).outcome(__out)
                }));
        }
    }
};

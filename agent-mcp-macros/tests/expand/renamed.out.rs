impl Notes {
    /// Gives it back.
    async fn echo(&self, note: Note, cx: &framework::Context<Self>) -> Note {
        note
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
    use framework::__private as __p;
    #[allow(unused_imports)]
    use __p::probe::*;
    #[derive(__p::serde::Deserialize, __p::schemars::JsonSchema)]
    #[serde(crate = "__p::serde")]
    #[schemars(crate = "__p::schemars")]
    struct __EchoInput<__T0> {
        note: __T0,
    }
    #[automatically_derived]
    impl __p::Agent for Notes {
        type Model = Self;
        type Message = __p::Never;
        type Principal = ();
        type Needs = ();
        fn declare() -> __p::Declaration<Self> {
            let mut __d = __p::Declaration::<Self>::new("notes");
            __d.version(::core::option_env!("CARGO_PKG_VERSION"));
            (&&&__p::Argument::<Note>::new()).check();
            __d.capability(
                    "echo",
                    "Gives it back.",
                    (&&__p::Input::<__EchoInput<Note>>::new()).codec(),
                    (&&&&(&&&__d.returns::<Note>()).peel()).kind(),
                )
                .run(|__agent, __cx, __in| __p::future(async move {
                    let __out = Self::echo(
                            &__agent,
                            __in.note,
                            __p::lend::<framework::Context<Self>, _>(&__cx),
                        )
                        .await;
                    (&&&&(&&&__p::result(&__agent, &__out)).peel()).outcome(__out)
                }));
            __d
        }
    }
};
#[allow(unused_imports)]
use framework::__private::derived::*;
#[derive(
    framework::__private::serde::Serialize,
    framework::__private::serde::Deserialize,
    framework::__private::schemars::JsonSchema,
)]
#[serde(crate = "framework::__private::serde")]
#[schemars(crate = "framework::__private::schemars")]
struct Note {
    text: String,
}

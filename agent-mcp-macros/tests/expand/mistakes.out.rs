impl Desk {
    /// Sound.
    async fn sound(&self) -> u8 {
        1
    }
    async fn broken(&self, (a, b): (u8, u8), c: u8) {}
    /// Also sound: the order of attributes means nothing.
    async fn late(&self) {}
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
    impl __p::Agent for Desk {
        type Model = Model;
        type Message = __p::Never;
        type Principal = ();
        type Needs = __p::HostOf<Self>;
        fn declare() -> __p::Declaration<Self> {
            let mut __d = __p::Declaration::<Self>::new("desk");
            __d.version(::core::option_env!("CARGO_PKG_VERSION"));
            __d.capability(
                    "sound",
                    "Sound.",
                    (&&__p::Input::<__p::NoArguments>::new()).codec(),
                    (&&&&(&&&__d.returns::<u8>()).peel()).kind(),
                )
                .run(|__agent, __cx, __in| __p::future(async move {
                    let __out = Self::sound(&__agent).await;
                    (&&&&(&&&__p::result(&__agent, &__out)).peel()).outcome(__out)
                }));
            __d.capability(
                    "late",
                    "Also sound: the order of attributes means nothing.",
                    (&&__p::Input::<__p::NoArguments>::new()).codec(),
                    (&&&&(&&&__d.returns::<()>()).peel()).kind(),
                )
                .run(|__agent, __cx, __in| __p::future(async move {
                    let __out = Self::late(&__agent).await;
                    (&&&&(&&&__p::result(&__agent, &__out)).peel()).outcome(__out)
                }));
            __d
        }
    }
};
::core::compile_error! {
    "unknown option `nmae` for `#[agent]`\n\nhelp: write `name`; the options are `name`, `title`, `version`, `website`, `icons`, `instructions`, `model`, `message`, `principal`, `coerce`, `dotted_names`, `parts`, `part`, `calls`, `crate`"
}
::core::compile_error! {
    "`soon` is not a time\n\nhelp: write a whole number and `ms`, `s`, `m` or `h`, such as `\"10s\"`"
}
::core::compile_error! {
    "unknown option `frobnicate` for `#[capability]`\n\nhelp: the options are `name`, `title`, `description`, `available`, `authorize`, `scopes`, `completion`, `timeout`, `read_only`, `destructive`, `idempotent`, `open_world`, `inline`, `coerce`, `open`, `ui`, `app_only`, `heartbeat`, `concurrency`, `input_schema`, `icons`, `meta`, `output_schema`, `task`"
}
::core::compile_error! {
    "capability `broken` has no description\n\nnote: a model chooses between capabilities by their descriptions\nhelp: put a doc comment above the method, or write `description = \"..\"`"
}
::core::compile_error! {
    "an argument needs a plain name\n\nnote: the name is what the caller writes\nhelp: take the whole value, and take it apart in the body"
}

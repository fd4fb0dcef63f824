/// Instructions.
impl Desk {
    /// Lists.
    #[cfg(unix)]
    fn list() -> String {
        String::new()
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
    const __PART_0: fn(&mut __p::Declaration<Desk>) = __p::part::<
        Desk,
        admin::Admin,
    >(&[&[#[cfg(unix)] "desk.list"]]);
    const __PART_1: fn(&mut __p::Declaration<Desk>) = __p::part::<
        Desk,
        Extra,
    >(&[&[#[cfg(unix)] "desk.list"], <Desk as __p::Part<admin::Admin>>::NAMES]);
    #[automatically_derived]
    impl __p::Agent for Desk {
        type Model = Self;
        type Message = __p::Never;
        type Principal = ();
        type Needs = ();
        fn declare() -> __p::Declaration<Self> {
            let mut __d = __p::Declaration::<Self>::new("desk");
            __d.version(::core::option_env!("CARGO_PKG_VERSION"));
            __d.instructions("Instructions.");
            __d.allow_dots();
            #[cfg(unix)]
            __d.capability(
                    "desk.list",
                    "Lists.",
                    (&&__p::Input::<__p::NoArguments>::new()).codec(),
                    (&&&&(&&&__d.returns::<String>()).peel()).kind(),
                )
                .method("list")
                .title("List")
                .run_inline(|__agent, __cx, __in| {
                    let __out = Self::list();
                    (&&&&(&&&__p::result(&__agent, &__out)).peel()).outcome(__out)
                });
            __d.part(__PART_0);
            __d.part(__PART_1);
            __d
        }
    }
};
impl Desk {
    /// Adds.
    fn add(&self, a: u8) -> u8 {
        a
    }
}
#[doc(hidden)]
#[allow(dead_code)]
pub(crate) enum Extra {}
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
    struct __AddInput<__T0> {
        a: __T0,
    }
    #[automatically_derived]
    impl __p::Part<Extra> for Desk {
        const NAMES: &'static [&'static str] = &["add"];
        fn declare_part(__d: &mut __p::Declaration<Self>) {
            (&&&__p::Argument::<u8>::new()).check();
            __d.capability(
                    "add",
                    "Adds.",
                    (&&__p::Input::<__AddInput<u8>>::new()).codec(),
                    (&&&&(&&&__d.returns::<u8>()).peel()).kind(),
                )
                .coerce()
                .run_inline(|__agent, __cx, __in| {
                    let __out = Self::add(&__agent, __in.a);
                    (&&&&(&&&__p::result(&__agent, &__out)).peel()).outcome(__out)
                });
        }
    }
};

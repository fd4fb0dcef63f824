//! The macros in places that are hard on generated code. That this file compiles is most of the test.

#![deny(missing_docs, unused, rust_2018_idioms, unreachable_pub, unused_qualifications)]
#![deny(clippy::all, clippy::pedantic)]
// Of the code written here, not of the code that the macros write.
#![allow(
    clippy::unwrap_used,
    clippy::non_minimal_cfg,
    clippy::unused_self,
    clippy::unused_async,
    clippy::unnecessary_wraps,
    clippy::redundant_closure_for_method_calls,
    clippy::needless_pass_by_value
)]

use agent_mcp::{Agent, Contract, Server};

/// What an agent that is its own Model publishes.
fn contract<A>(agent: A) -> Contract
where
    A: Agent<Principal = ()>,
    A::Needs: agent_mcp::runtime::NoHost<A>,
{
    Server::new(agent).runtime().unwrap().contract().clone()
}

fn names(contract: &Contract) -> Vec<&str> {
    contract.capabilities.iter().map(|capability| capability.name.as_str()).collect()
}

// Crates of their own in spirit: their attributes stand at the top of the file.
#[path = "ui/pass/forbidden_lints.rs"]
mod forbidden_lints;
#[path = "ui/pass/shadowed.rs"]
mod shadowed_by_all;
#[path = "ui/pass/without_prelude.rs"]
mod without_prelude_at_all;

#[test]
fn macro_cd9_forbidden_lints_are_kept() {
    forbidden_lints::main();
    without_prelude_at_all::main();
}

#[test]
fn macro_e0a_all_macros_stand_beside_other_meanings_of_all_names() {
    shadowed_by_all::main();
}

mod without_prelude {
    #![no_implicit_prelude]

    #[::agent_mcp::data]
    #[derive(::std::default::Default)]
    pub(crate) enum Units {
        #[default]
        Metric,
        Imperial,
    }

    #[::agent_mcp::data]
    pub(crate) struct Reading {
        pub(crate) degrees: f64,
    }

    pub(crate) struct Gauge;

    pub(crate) struct Broken;

    impl ::std::fmt::Display for Broken {
        fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
            f.write_str("broken")
        }
    }

    #[::agent_mcp::agent]
    impl Gauge {
        /// Reads.
        #[capability(timeout = "1s", read_only)]
        async fn read(
            &self,
            #[serde(default)] units: Units,
            place: ::std::option::Option<::std::string::String>,
        ) -> ::std::result::Result<Reading, Broken> {
            match (units, place) {
                (Units::Imperial, _) => ::std::result::Result::Err(Broken),
                _ => ::std::result::Result::Ok(Reading { degrees: 1.0 }),
            }
        }

        /// Says nothing.
        #[capability]
        fn rest(&self) {}

        /// A text.
        #[resource(authorize = |call| call.invocation.transport == "in-app")]
        fn label(_: &::agent_mcp::Context<Self>) -> &'static str {
            "gauge"
        }
    }
}

#[test]
fn it_works_without_the_prelude() {
    assert_eq!(names(&contract(without_prelude::Gauge)), ["read", "rest"]);
}

// macro-e0a
mod shadowed {
    #![allow(dead_code, clippy::upper_case_acronyms)]

    pub(crate) struct Result;
    pub(crate) struct Option;
    pub(crate) struct String;
    pub(crate) struct Vec;
    pub(crate) struct Box;
    pub(crate) struct Arc;
    pub(crate) struct Default;
    pub(crate) struct Into;
    pub(crate) struct Future;
    pub(crate) struct Send;
    pub(crate) struct Sync;
    pub(crate) struct Agent;
    pub(crate) struct Context;
    pub(crate) struct Serialize;
    pub(crate) struct Deserialize;
    pub(crate) struct JsonSchema;
    #[allow(non_snake_case)]
    pub(crate) fn Ok() {}
    #[allow(non_snake_case)]
    pub(crate) fn Err() {}
    pub(crate) mod serde {}
    pub(crate) mod serde_json {}
    pub(crate) mod schemars {}
    pub(crate) mod std {}
    pub(crate) mod core {}
    pub(crate) mod alloc {}
    pub(crate) mod agent_mcp {}
    #[allow(non_upper_case_globals)]
    pub(crate) const agent: u8 = 1;
    #[allow(non_upper_case_globals)]
    pub(crate) const call: u8 = 1;

    #[::agent_mcp::data]
    #[derive(Clone, Copy)]
    pub(crate) struct Point {
        pub(crate) x: u8,
    }

    pub(crate) struct Shadows;

    #[::agent_mcp::agent(principal = ())]
    impl Shadows {
        /// Takes and gives.
        #[capability(available = |model| model.open(), authorize = |asked| asked.input.text > agent)]
        async fn take(&self, text: u8, #[serde(default)] point: u8) -> Point {
            Point { x: text + point }
        }

        /// Blocks.
        #[capability(concurrency = 2)]
        fn block(&self, cx: &::agent_mcp::Context<Self>, text: u8) -> u8 {
            cx.model().open();
            text
        }

        fn open(&self) -> bool {
            true
        }
    }
}

#[test]
fn macro_e0a_shadowed_names_are_not_met() {
    assert_eq!(names(&contract(shadowed::Shadows)), ["take", "block"]);
}

mod renamed {
    mod inner {
        pub(crate) use ::agent_mcp as framework;
    }
    use inner::framework;

    #[framework::data(crate = inner::framework)]
    pub(crate) struct Note {
        pub(crate) text: String,
    }

    #[derive(framework::Form)]
    #[form(crate = inner::framework)]
    pub(crate) struct Sheet {
        pub(crate) color: Color,
    }

    #[derive(framework::Choice)]
    #[form(crate = inner::framework)]
    pub(crate) enum Color {
        Red,
    }

    pub(crate) struct Notes;

    #[framework::agent(crate = inner::framework)]
    impl Notes {
        /// Gives it back.
        #[framework::capability]
        async fn echo(&self, note: Note, cx: &framework::Context<Self>) -> Note {
            if let Ok(Sheet { color: Color::Red }) = cx.ask("color", "Which?").await {}
            note
        }
    }
}

// `framework::capability` is the attribute itself, which `#[agent]` knows by its crate's path.
#[test]
fn the_crate_can_be_renamed() {
    assert_eq!(names(&contract(renamed::Notes)), ["echo"]);
}

mod by_macro {
    macro_rules! agents {
        ($($agent:ident, $method:ident, $arg:ident: $ty:ty, $value:expr;)*) => {$(
            pub(crate) struct $agent;

            #[agent_mcp::agent]
            impl $agent {
                /// Adds.
                #[capability(available = |_| $value, authorize = |call| call.input.$arg > 0)]
                async fn $method(&self, $arg: $ty) -> $ty {
                    $arg + 1
                }
            }
        )*};
    }

    agents! {
        Small, add_small, number: u8, true;
        Large, add_large, number: u64, 1 < 2;
    }
}

#[test]
fn whole_agents_can_be_made_by_a_macro() {
    assert_eq!(names(&contract(by_macro::Small)), ["add_small"]);
    assert_eq!(names(&contract(by_macro::Large)), ["add_large"]);
}

// macro-f29
struct Conditional;

#[agent_mcp::agent]
impl Conditional {
    /// There.
    #[cfg(all())]
    #[capability]
    async fn there(
        &self,
        #[cfg(any())] absent: Missing,
        /// Its doc.
        #[cfg(all())]
        present: u8,
    ) -> u8 {
        present
    }

    /// Not there.
    #[cfg(any())]
    #[capability]
    async fn absent(&self, argument: Missing) -> Missing {
        argument
    }

    /// Twice under one name.
    #[cfg(all())]
    #[capability]
    async fn either(&self, a: u8) -> u8 {
        a
    }

    /// Twice under one name.
    #[cfg(not(all()))]
    #[capability]
    async fn either(&self, b: Missing) {}

    /// By `cfg_attr`.
    #[cfg_attr(all(), capability(read_only))]
    #[cfg_attr(any(), capability(destructive))]
    #[allow(clippy::unused_self)]
    fn chosen(&self, #[cfg_attr(all(), serde(default))] number: u8) -> u8 {
        number
    }

    /// By `cfg_attr`, and not.
    #[cfg_attr(any(), capability)]
    #[allow(dead_code)]
    fn never(&self, absent: std::cell::Cell<u8>) {
        absent.set(1);
    }
}

#[test]
fn macro_f29_cfg_reaches_every_piece() {
    let contract = contract(Conditional);
    assert_eq!(names(&contract), ["there", "either", "chosen"]);
    let there = &contract.capability("there").unwrap().input;
    assert_eq!(there["properties"]["present"]["description"], "Its doc.");
    assert!(there["properties"].get("absent").is_none());
    let chosen = contract.capability("chosen").unwrap();
    assert_eq!(chosen.annotations.read_only, Some(true));
    assert!(chosen.input.get("required").is_none());
}

#[cfg(any())]
struct Off;

#[cfg(any())]
#[agent_mcp::agent]
impl Off {
    /// Not there.
    #[capability]
    fn off(&self) {}
}

#[agent_mcp::agent]
#[cfg(any())]
impl Off {
    /// Not there.
    #[capability]
    fn off(&self) {}
}

// macro-6bd
mod visible {
    struct Private;

    pub(crate) struct Holder(Private);

    impl Holder {
        pub(crate) fn new() -> Self {
            Self(Private)
        }
    }

    #[agent_mcp::data]
    struct Hidden {
        x: u8,
    }

    #[agent_mcp::agent]
    impl Holder {
        /// Private.
        #[capability]
        async fn private(&self, hidden: Hidden) -> Hidden {
            let Private = self.0;
            hidden
        }

        /// For the crate.
        #[capability]
        pub(crate) async fn of_crate(&self) {}

        /// Public.
        #[capability]
        #[allow(unreachable_pub)]
        pub async fn public(&self, r#type: u8, mut count: u8) -> u8 {
            count += r#type;
            count
        }

        /// A raw name.
        #[capability]
        async fn r#match(&self) {}
    }
}

#[test]
fn macro_6bd_methods_of_every_visibility_are_served() {
    let contract = contract(visible::Holder::new());
    assert_eq!(names(&contract), ["private", "of_crate", "public", "match"]);
    let public = &contract.capability("public").unwrap().input["properties"];
    assert!(public.get("type").is_some() && public.get("count").is_some(), "{public}");
}

#[test]
fn agents_can_be_declared_inside_of_a_function() {
    #[agent_mcp::data]
    struct Local {
        x: u8,
    }

    struct Inner;

    #[agent_mcp::agent(name = "inner")]
    impl Inner {
        /// Local types.
        #[capability]
        async fn local(&self, local: Local) -> Local {
            Local { x: local.x }
        }
    }

    assert_eq!(names(&contract(Inner)), ["local"]);
}

mod generic {
    use agent_mcp::Context;

    pub(crate) trait Store {
        type Id: serde::de::DeserializeOwned
            + serde::Serialize
            + schemars::JsonSchema
            + Default
            + Send
            + Sync
            + 'static;
        type Args: serde::de::DeserializeOwned + schemars::JsonSchema + Send + Sync + 'static;
        const OPEN: bool;
        fn get(&self, id: Self::Id) -> String;
    }

    pub(crate) struct Desk<S, const N: usize>(pub(crate) S);

    #[agent_mcp::agent(name = "desk")]
    impl<S, const N: usize> Desk<S, N>
    where
        S: Store + Send + Sync + 'static,
    {
        /// By id.
        #[capability(available = |_| S::OPEN, authorize = Self::may)]
        async fn get(&self, id: S::Id, #[serde(default)] others: Vec<S::Id>) -> Vec<S::Id> {
            let mut all = others;
            all.push(id);
            all
        }

        /// By arguments.
        #[capability]
        async fn ask(&self, cx: &Context<Self>, #[args] args: S::Args) -> usize {
            let _ = (cx.model(), args);
            N
        }

        /// Shown.
        #[resource]
        fn shown(cx: &Context<Self>) -> String {
            cx.model().0.get(S::Id::default())
        }
    }

    impl<S: Store + Send + Sync + 'static, const N: usize> Desk<S, N> {
        async fn may<I>(_: &agent_mcp::Call<Self, I>) -> bool {
            S::OPEN
        }
    }

    #[agent_mcp::data]
    pub(crate) struct Args {
        pub(crate) text: String,
    }

    pub(crate) struct Memory;

    impl Store for Memory {
        type Id = u32;
        type Args = Args;
        const OPEN: bool = true;
        fn get(&self, id: u32) -> String {
            format!("memory {id}")
        }
    }

    pub(crate) struct Disk;

    impl Store for Disk {
        type Id = String;
        type Args = Args;
        const OPEN: bool = false;
        fn get(&self, id: String) -> String {
            format!("disk {id}")
        }
    }
}

#[tokio::test]
async fn macro_2c5_a_generic_agent_is_served_for_each_type() {
    let memory = Server::new(generic::Desk::<_, 1>(generic::Memory)).runtime().unwrap();
    let disk = Server::new(generic::Desk::<_, 2>(generic::Disk)).runtime().unwrap();
    let input = |contract: &Contract| {
        contract.capability("get").unwrap().input["properties"]["id"]["type"].clone()
    };
    assert_eq!(input(memory.contract()), "integer");
    assert_eq!(input(disk.contract()), "string");
    let ids = memory.in_process().call("get", &serde_json::json!({"id": 3, "others": [1]})).await;
    assert_eq!(ids.json::<Vec<u32>>().unwrap(), [1, 3]);
    let shown = memory.in_process().read("app://shown").await;
    assert_eq!(shown.json::<String>().unwrap(), "memory 0");
    assert_eq!(disk.available(&()), [false, true]);
}

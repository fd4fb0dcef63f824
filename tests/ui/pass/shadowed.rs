//! A module in which every name that generated code might use means something else.
#![allow(dead_code, non_snake_case, clippy::module_inception)]

use ::agent_mcp as framework;

struct Option;
struct Result;
struct Vec;
struct String;
struct Box;
struct Arc;
struct Default;
struct Clone;
struct Send;
struct Sync;
struct Future;
struct Iterator;
struct Into;
struct From;
struct Agent;
struct Part;
struct Form;
struct Choice;
struct Server;
struct Context;
struct Completion;
struct Duration;
struct Serialize;
struct Deserialize;
struct JsonSchema;
fn Some() {}
fn None() {}
fn Ok() {}
fn Err() {}
fn drop() {}
mod agent_mcp {}
mod serde {}
mod serde_json {}
mod schemars {}
mod std {}
mod core {}
mod alloc {}
mod tokio {}

#[framework::data(crate = framework)]
#[derive(::std::clone::Clone)]
struct Item {
    #[id]
    number: u64,
    #[header("Region")]
    region: ::std::string::String,
    size: ::std::option::Option<Size>,
}

#[framework::data(crate = framework)]
#[derive(::std::clone::Clone, framework::Choice)]
#[form(crate = framework)]
enum Size {
    /// Small
    Small,
    Large,
}

#[derive(framework::Form)]
#[form(crate = framework)]
struct Sheet {
    #[form(default = "Ada", min_length = 1)]
    name: ::std::string::String,
    #[serde(default)]
    count: u8,
    #[form(max_items = 1)]
    sizes: ::std::vec::Vec<Size>,
}

struct Desk;

#[framework::agent(crate = framework, name = "desk", parts(Extra), calls = Calls)]
impl Desk {
    /// Takes and gives.
    #[capability(available = |_| true, authorize = async |call| call.input.item.number > 0, timeout = "1s")]
    async fn take(
        &self,
        cx: &framework::Context<Self>,
        item: Item,
        #[serde(default)] more: u8,
    ) -> ::std::result::Result<::std::vec::Vec<Item>, framework::Unanswered> {
        let Sheet { name, count, sizes } = cx.ask("sheet", "What?").await?;
        let _ = (name, count + more, sizes);
        ::std::result::Result::Ok(::std::vec![item])
    }

    /// Shows.
    #[resource(uri = "desk://{place}")]
    fn show(
        &self,
        #[suggest(|_, _| ["here"])] place: ::std::string::String,
    ) -> ::std::option::Option<::std::string::String> {
        ::std::option::Option::Some(place)
    }

    /// What there is.
    #[context]
    fn seen(&self) -> u8 {
        1
    }
}

#[framework::agent(crate = framework, part = Extra)]
impl Desk {
    /// Plans.
    #[prompt(title = "Plan")]
    fn plan(&self, day: ::std::string::String) -> ::std::string::String {
        day
    }
}

struct Clerk;

#[framework::agent(crate = framework, model = u8, message = Item, principal = ())]
impl Clerk {
    /// Puts.
    #[capability(completion = |_, item| framework::Completion::Done(item.number))]
    fn put(_: &framework::Context<Self>, item: Item) -> Item {
        item
    }

    /// Waits.
    #[capability(completion = when(|_, model| *model > 1), concurrency = 1)]
    fn wait(_: &framework::Context<Self>, item: Item) -> ::std::result::Result<Item, &'static str> {
        ::std::result::Result::Ok(item)
    }
}

/// Serves.
pub(crate) fn main() {
    let runtime = framework::Server::new(Desk).runtime();
    let _ = Calls::new(runtime.unwrap().in_process());
    let store =
        framework::Store::new(0, |model: &u8, _: Item| (model + 1, framework::Effects::none()));
    framework::Server::bind(Clerk, store).runtime().unwrap();
}

//! B83 to B88, O39: the context and the resources.

use crate::desk::*;
use agent_mcp::{
    Context, Server, agent,
    runtime::{Outcome, Output, Status},
};

#[tokio::test]
async fn b83_b84_a_read_serves_the_projection_and_nothing_else() {
    let host = DeskHost::open();
    host.change(|model| model.count = 4);
    let desk = desk(&host);
    assert_eq!(
        desk.read("app://context").await,
        Outcome::Value(Output::Json(r#"{"count":4}"#.into()))
    );
    assert_eq!(desk.read("app://count").await, Outcome::Value(Output::Json("4".into())));
    // B87: the next read sees the next Model.
    host.change(|model| model.count = 5);
    assert_eq!(desk.read("app://count").await, Outcome::Value(Output::Json("5".into())));
}

#[tokio::test]
async fn b85_a_projection_that_breaks_is_a_defect_without_details() {
    let outcome = desk(&DeskHost::open()).read("app://broken").await;
    assert_eq!(status(&outcome), Status::Defect);
    let text = outcome.summary("broken").text.into_owned();
    assert!(text.contains("`broken`") && !text.contains("hunter2"), "{text}");
}

#[tokio::test]
async fn b86_an_unknown_resource_is_the_callers_mistake() {
    let host = DeskHost::open();
    let outcome = desk(&host).read("app://nothing").await;
    assert_eq!(status(&outcome), Status::UnknownResource);
    assert!(outcome.summary("").text.contains("app://nothing"));
    assert_eq!(host.reads(), 0);
}

#[tokio::test]
async fn o39_a_resource_asks_whether_the_caller_may_read_it() {
    let host = DeskHost::open();
    assert_eq!(
        desk(&host).read("app://private").await,
        Outcome::Value(Output::Text("secret of ada".into()))
    );
    let stranger = User { may_add: false, ..User::ada() };
    assert_eq!(status(&desk_as(&host, stranger).read("app://private").await), Status::Unauthorized);
}

struct Shadowing;

#[agent(model = Model, message = Message)]
impl Shadowing {
    /// The projection.
    #[context]
    fn visible(_cx: &Context<Self>) -> Seen {
        panic!("never asked")
    }

    /// A resource with the context's address.
    #[resource(name = "context")]
    fn own(_cx: &Context<Self>) -> String {
        "the resource".into()
    }
}

#[tokio::test]
async fn b127_a_resource_named_context_takes_the_address() {
    let runtime = Server::bind(Shadowing, DeskHost::open()).runtime().unwrap();
    assert_eq!(runtime.contract().context, None);
    assert_eq!(
        runtime.in_process().read("app://context").await,
        Outcome::Value(Output::Text("the resource".into()))
    );
}

//! A client for the tests of an agent, in the process of its server (feature `testing`).
//!
//! It speaks the real protocol, in every revision, to what [`Server`] serves: the lists, the schemas, the checks and the
//! words are those that any client meets, and there is no port, no process and no waiting.
//!
//! ```toml
//! [dev-dependencies]
//! agent-mcp = { version = "0.1", features = ["testing"] }
//! ```
//!
//! ```
//! use agent_mcp::{Effects, Server, Store, agent, testing};
//! use serde_json::json;
//!
//! struct Desk;
//!
//! #[agent(model = Option<String>, message = Option<String>)]
//! impl Desk {
//!     /// Write the letter anew.
//!     #[capability]
//!     fn write(text: String) -> Option<String> { Some(text) }
//!
//!     /// Throw the letter away.
//!     #[capability(available = |letter| letter.as_ref().map(|_| ()).ok_or("there is no letter"))]
//!     fn throw_away() -> Option<String> { None }
//! }
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() {
//! let store = Store::new(None, |_, letter| (letter, Effects::none()));
//! let desk = testing::connect(Server::bind(Desk, store.clone())).await;
//!
//! // Tools come and go, and the client is told.
//! assert_eq!(desk.tools().await, ["write"]);
//! assert!(desk.call("write", json!({"text": "Dear Ada"})).await.is_ok());
//! assert_eq!(desk.heard().await, [testing::Notice::ToolsChanged]);
//! assert_eq!(desk.tools().await, ["write", "throw_away"]);
//!
//! // What fails says why, to a model and to a program.
//! assert!(desk.call("throw_away", ()).await.is_ok());
//! let failed = desk.call("throw_away", ()).await.failed();
//! assert_eq!(failed.status.as_deref(), Some("unavailable"));
//! assert_eq!(failed.text, "`throw_away` is not available now: there is no letter");
//! assert_eq!(*store.model(), None);
//! # }
//! ```
//!
//! # Which client it is
//!
//! [`connect`] gives one that speaks the newest revision and can do nothing but use tools, resources and prompts. What
//! else it is, is said before it is awaited: [`at`](Connecting::at) another revision, with
//! [`elicitation`](Connecting::elicitation), [`sampling`](Connecting::sampling), [`roots`](Connecting::roots) or
//! [`tasks`](Connecting::tasks). Whom it works for is the server's [principal](crate::Server::principal), and
//! [`Client::beside`] is a second client, of another one.
//!
//! # What the person answers
//!
//! ```
//! use agent_mcp::{Context, Form, Server, Unanswered, agent, testing::{self, Answer}};
//! use serde_json::json;
//!
//! #[derive(Form)]
//! struct Sure { sure: bool }
//!
//! struct Letters;
//!
//! #[agent]
//! impl Letters {
//!     /// Burn all letters.
//!     #[capability(destructive)]
//!     async fn burn(&self, cx: &Context<Self>) -> Result<&'static str, Unanswered> {
//!         let answer: Sure = cx.ask("sure", "Burn them all?").await?;
//!         Ok(if answer.sure { "burnt" } else { "kept" })
//!     }
//! }
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() {
//! // A question means the same in both eras.
//! for revision in ["2025-11-25", "2026-07-28"] {
//!     let letters = testing::connect(Server::new(Letters)).at(revision).elicitation().await;
//!     letters.will_answer(Answer::accept(json!({"sure": true})));
//!     let reply = letters.call("burn", ()).await;
//!     assert_eq!(reply.text(), "burnt");
//!     assert_eq!(reply.asked(), ["Burn them all?"]);
//!
//!     letters.will_answer(Answer::decline());
//!     assert_eq!(letters.call("burn", ()).await.failed().text, "The user declined.");
//! }
//! # }
//! ```
//!
//! # Time
//!
//! The client has no clock: a change of the state is told when it happens, without the pause by which a transport joins
//! several, and a task is followed by what it says. Under `#[tokio::test(start_paused = true)]` a method that takes an
//! hour takes no time. A call whose future is dropped ends.
//!
//! [`Server`]: crate::Server

mod client;
mod connecting;
mod reply;

pub use self::{
    client::Client,
    connecting::{Connecting, connect},
};
pub use crate::client::{Answer, Failed, Notice, Question, Reply};

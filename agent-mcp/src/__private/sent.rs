//! Arguments on their way in from the application itself, for `#[agent(calls = Name)]`.

use serde::Serialize;

use super::input::Missed;
use crate::runtime::{InProcess, Outcome, Principal};

/// The arguments of an in-process call: `(&&Sent(&arguments)).call(door, "name")`.
pub struct Sent<'a, I>(pub &'a I);

/// They can be written as JSON.
pub trait Sends {
    fn call<P: Principal>(
        &self,
        door: &InProcess<P>,
        capability: &str,
    ) -> impl Future<Output = Outcome> + Send + 'static;
}

impl<I: Serialize + 'static> Sends for &Sent<'_, I> {
    fn call<P: Principal>(
        &self,
        door: &InProcess<P>,
        capability: &str,
    ) -> impl Future<Output = Outcome> + Send + 'static {
        door.call(capability, self.0)
    }
}

/// An argument is broken, and rustc has said so at its type.
pub trait Unsent {
    fn call<P: Principal>(&self, _: &InProcess<P>, _: &str) -> std::future::Ready<Outcome>;
}

impl<I> Unsent for Sent<'_, I> {
    fn call<P: Principal>(&self, _: &InProcess<P>, _: &str) -> std::future::Ready<Outcome> {
        let () = Missed::<I>::BY_A_CHECK;
        unreachable!("the line above does not compile")
    }
}

/// Requires of an argument that it can be written, at the user's type.
pub fn is_written<T: Written>() {}

#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be written as JSON, so `calls` cannot pass it",
    label = "no `Serialize`",
    note = "put `#[agent_mcp::data]` on it, or add `#[derive(serde::Serialize)]`"
)]
pub trait Written {}

impl<T: Serialize> Written for T {}

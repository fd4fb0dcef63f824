//! Calling a method: its context and its future.

use crate::runtime::{Agent, BoxFuture, Context};

/// What can be taken by reference: the context of the call.
#[diagnostic::on_unimplemented(
    message = "`&{T}` is not the context of this agent",
    label = "neither an argument nor the context",
    note = "only `&Context<Self>` is taken by reference; take an argument by value"
)]
pub trait Lends<T> {
    /// The reference.
    fn lend(&self) -> &T;
}

impl<A: Agent> Lends<Context<A>> for Context<A> {
    fn lend(&self) -> &Self {
        self
    }
}

/// Passes the context to a parameter of type `&T`.
pub fn lend<T, C: Lends<T>>(context: &C) -> &T {
    context.lend()
}

/// The one box of a call. Named apart so that rustc blames the method when its future may not be sent
/// between threads.
pub fn future<T>(method: impl Future<Output = T> + Send + 'static) -> BoxFuture<'static, T> {
    Box::pin(method)
}

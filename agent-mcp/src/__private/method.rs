//! Calling a method: its context and its future; and where a part declares its own.

use crate::runtime::{Agent, BoxFuture, Context, Declaration, Part};

/// What can be taken by reference: the context of the call.
#[diagnostic::on_unimplemented(
    message = "`&{T}` is not the context of this agent",
    label = "neither an argument nor the context",
    note = "only `&Context<Self>` is taken by reference; take an argument by value"
)]
pub trait Lends<T: ?Sized> {
    /// The reference.
    fn lend(&self) -> &T;
}

impl<A: Agent> Lends<Context<A>> for Context<A> {
    fn lend(&self) -> &Self {
        self
    }
}

/// Passes the context to a parameter of type `&T`.
pub fn lend<T: ?Sized, C: Lends<T>>(context: &C) -> &T {
    context.lend()
}

/// The one box of a call. Named apart so that rustc blames the method when its future may not be sent
/// between threads.
pub fn future<T>(method: impl Future<Output = T> + Send + 'static) -> BoxFuture<'static, T> {
    Box::pin(method)
}

/// What declares the part `P`. Named apart so that rustc blames the part when it is none.
#[must_use]
pub fn part<A: Part<P>, P>() -> fn(&mut Declaration<A>) {
    A::declare_part
}

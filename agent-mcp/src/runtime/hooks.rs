//! The forms that a hook may take.

use std::{future::Future, pin::Pin};

use super::{agent::Agent, failure::Denied};

/// A boxed future that may be sent between threads.
pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// When a capability exists.
pub(crate) enum Available<A: Agent> {
    Always,
    ByModel(Box<dyn Fn(&A::Model) -> bool + Send + Sync>),
    ByCaller(Box<dyn Fn(&A::Model, &A::Principal) -> bool + Send + Sync>),
}

/// An `authorize` hook's answer: at hand, or still being made.
pub enum Verdict<'a> {
    /// At hand.
    Now(Result<(), Denied>),
    /// Still being made.
    Later(BoxFuture<'a, Result<(), Denied>>),
}

/// What a future of an `authorize` hook may resolve to, and what a plain hook may return.
#[diagnostic::on_unimplemented(
    message = "an `authorize` hook cannot return `{Self}`",
    note = "return `bool` or `Result<(), Denied>`, from a plain or an async closure or function"
)]
pub trait Decision {
    /// The decision.
    fn decide(self) -> Result<(), Denied>;
}

impl Decision for bool {
    fn decide(self) -> Result<(), Denied> {
        if self { Ok(()) } else { Err(Denied::new()) }
    }
}

impl Decision for Result<(), Denied> {
    fn decide(self) -> Result<(), Denied> {
        self
    }
}

/// Marks a hook that answers at once.
pub enum Now {}

/// Marks a hook that returns a future.
pub enum Later {}

/// What an `authorize` hook may return. `M` keeps the forms apart and is inferred.
#[diagnostic::on_unimplemented(
    message = "an `authorize` hook cannot return `{Self}`",
    note = "return `bool` or `Result<(), Denied>`, from a plain or an async closure or function"
)]
pub trait IntoVerdict<'a, M> {
    /// The verdict.
    fn verdict(self) -> Verdict<'a>;
}

impl IntoVerdict<'_, Now> for bool {
    fn verdict(self) -> Verdict<'static> {
        Verdict::Now(self.decide())
    }
}

impl IntoVerdict<'_, Now> for Result<(), Denied> {
    fn verdict(self) -> Verdict<'static> {
        Verdict::Now(self)
    }
}

impl<'a, F> IntoVerdict<'a, Later> for F
where
    F: Future<Output: Decision> + Send + 'a,
{
    fn verdict(self) -> Verdict<'a> {
        Verdict::Later(Box::pin(async move { self.await.decide() }))
    }
}

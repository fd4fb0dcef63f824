//! The forms that a hook may take.

use std::{future::Future, pin::Pin};

use super::{agent::Agent, failure::Denied};

/// A boxed future that may be sent between threads.
pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// When a capability exists.
pub enum Available<A: Agent> {
    /// Always.
    Always,
    /// While the Model says so.
    ByModel(Box<dyn Fn(&A::Model) -> bool + Send + Sync>),
    /// While the Model and the principal say so.
    ByCaller(Box<dyn Fn(&A::Model, &A::Principal) -> bool + Send + Sync>),
}

/// A function that may stand as `available`. `M` keeps the two forms apart and is inferred.
///
/// Closures do not come this way: rustc infers their parameters only from a plain `Fn` bound.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot decide whether a capability is available",
    note = "`available` takes `fn(&Model) -> bool` or `fn(&Model, &Principal) -> bool`"
)]
pub trait IntoAvailable<A: Agent, M> {
    /// The hook.
    fn into_available(self) -> Available<A>;
}

impl<A, F> IntoAvailable<A, fn(&A::Model) -> bool> for F
where
    A: Agent,
    F: Fn(&A::Model) -> bool + Send + Sync + 'static,
{
    fn into_available(self) -> Available<A> {
        Available::ByModel(Box::new(self))
    }
}

impl<A, F> IntoAvailable<A, fn(&A::Model, &A::Principal) -> bool> for F
where
    A: Agent,
    F: Fn(&A::Model, &A::Principal) -> bool + Send + Sync + 'static,
{
    fn into_available(self) -> Available<A> {
        Available::ByCaller(Box::new(self))
    }
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

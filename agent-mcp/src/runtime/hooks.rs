//! The forms that a hook may take.

use std::{fmt, future::Future, pin::Pin};

use super::{agent::Agent, failure::Denied};

/// A boxed future that may be sent between threads.
pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// When a capability exists.
pub enum Available<A: Agent> {
    /// Always.
    Always,
    /// While the Model says so.
    ByModel(Box<dyn Fn(&A::Model) -> Standing + Send + Sync>),
    /// While the Model and the principal say so.
    ByCaller(Box<dyn Fn(&A::Model, &A::Principal) -> Standing + Send + Sync>),
}

/// Whether a capability exists at the moment, and if not, why.
pub type Standing = Result<(), Unavailable>;

/// Why a capability does not exist at the moment, if the hook says so.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unavailable(pub(crate) Option<String>);

/// What an `available` hook may return.
#[diagnostic::on_unimplemented(
    message = "an `available` hook cannot return `{Self}`",
    label = "neither a `bool` nor a `Result`",
    note = "return `bool`, or `Result<(), E>` with a text for the agent: `Err(\"nothing is selected\")`"
)]
pub trait IntoStanding {
    /// The answer.
    fn into_standing(self) -> Standing;
}

impl IntoStanding for bool {
    fn into_standing(self) -> Standing {
        if self { Ok(()) } else { Err(Unavailable(None)) }
    }
}

impl<E: fmt::Display> IntoStanding for Result<(), E> {
    fn into_standing(self) -> Standing {
        self.map_err(|reason| Unavailable(Some(reason.to_string())))
    }
}

/// A hook that is yet to be written, `|_| todo!()`, answers with the type that has no name in stable Rust.
impl IntoStanding for <fn() -> ! as Answers>::Answer {
    fn into_standing(self) -> Standing {
        self
    }
}

/// Names the type that a function answers with.
pub trait Answers {
    /// The type.
    type Answer;
}

impl<T> Answers for fn() -> T {
    type Answer = T;
}

/// A function that may stand as `available`. `M` keeps the two forms apart and is inferred.
///
/// Closures do not come this way: rustc infers their parameters only from a plain `Fn` bound.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot decide whether a capability is available",
    note = "`available` takes `fn(&Model) -> bool` or `fn(&Model, &Principal) -> bool`, or with `Result<(), E>` in place of `bool`"
)]
pub trait IntoAvailable<A: Agent, M> {
    /// The hook.
    fn into_available(self) -> Available<A>;
}

impl<A, F, R> IntoAvailable<A, fn(&A::Model) -> R> for F
where
    A: Agent,
    F: Fn(&A::Model) -> R + Send + Sync + 'static,
    R: IntoStanding,
{
    fn into_available(self) -> Available<A> {
        Available::ByModel(Box::new(move |model| self(model).into_standing()))
    }
}

impl<A, F, R> IntoAvailable<A, fn(&A::Model, &A::Principal) -> R> for F
where
    A: Agent,
    F: Fn(&A::Model, &A::Principal) -> R + Send + Sync + 'static,
    R: IntoStanding,
{
    fn into_available(self) -> Available<A> {
        Available::ByCaller(Box::new(move |model, user| self(model, user).into_standing()))
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
    label = "no verdict",
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
    label = "no verdict",
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

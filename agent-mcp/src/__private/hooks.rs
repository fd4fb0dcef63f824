//! The forms of hooks that a builder's bounds cannot express.

use super::returned::{ByMessage, Kind};
use crate::runtime::{
    Agent, Available, Context, IntoAvailable, IntoStanding, IntoSuggestions, IntoVerdict,
    Suggested, Suggestions, Verdict,
};

/// An `available` closure over the Model. Each of the three is blamed on what the hook answers.
pub fn by_model<A, F, R>(hook: F) -> Available<A>
where
    A: Agent,
    F: Fn(&A::Model) -> R + Send + Sync + 'static,
    R: IntoStanding,
{
    hook.into_available()
}

/// An `available` closure over the Model and the principal.
pub fn by_caller<A, F, R>(hook: F) -> Available<A>
where
    A: Agent,
    F: Fn(&A::Model, &A::Principal) -> R + Send + Sync + 'static,
    R: IntoStanding,
{
    hook.into_available()
}

/// A function of either form.
pub fn by_function<A, F, M>(hook: F) -> Available<A>
where
    A: Agent,
    F: IntoAvailable<A, M>,
{
    hook.into_available()
}

/// Asks an `authorize` hook.
///
/// It is called with a concrete lifetime, because a bound over all lifetimes cannot say of the future
/// of an `async` closure that it may be sent between threads.
pub fn verdict<'a, C, F, R, M>(call: &'a C, hook: F) -> Verdict<'a>
where
    F: FnOnce(&'a C) -> R,
    R: IntoVerdict<'a, M>,
{
    hook(call).verdict()
}

/// Asks a source of suggestions, with a concrete lifetime as [`verdict`] does.
pub fn suggestions<'a, A, F, R, M>(
    cx: &'a Context<A>,
    typed: &'a str,
    _others: &'a Suggested,
    source: F,
) -> Suggestions<'a>
where
    A: Agent,
    F: FnOnce(&'a Context<A>, &'a str) -> R,
    R: IntoSuggestions<'a, M>,
{
    source(cx, typed).suggestions()
}

/// The same, of a source that looks at what else is chosen.
pub fn suggestions_beside<'a, A, F, R, M>(
    cx: &'a Context<A>,
    typed: &'a str,
    others: &'a Suggested,
    source: F,
) -> Suggestions<'a>
where
    A: Agent,
    F: FnOnce(&'a Context<A>, &'a str, &'a Suggested) -> R,
    R: IntoSuggestions<'a, M>,
{
    source(cx, typed, others).suggestions()
}

/// Requires of a capability with a `completion` that it dispatches (B60).
pub fn dispatches<How: IsMessage>(_: Kind<How>) {}

#[diagnostic::on_unimplemented(
    message = "`completion` waits for what a Message brings about, and this capability returns none",
    label = "no Message is returned",
    note = "return the agent's Message, or leave `completion` out: the method's own result is the answer"
)]
pub trait IsMessage {}

impl IsMessage for ByMessage {}

//! The forms of hooks that a builder's bounds cannot express.

use super::returned::{ByMessage, Kind};
use crate::runtime::{IntoVerdict, Verdict};

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

/// Requires of a capability with a `completion` that it dispatches (B60).
pub fn dispatches<How: IsMessage>(_: Kind<How>) {}

#[diagnostic::on_unimplemented(
    message = "`completion` waits for what a Message brings about, and this capability returns none",
    label = "no Message is returned",
    note = "return the agent's Message, or leave `completion` out: the method's own result is the answer"
)]
pub trait IsMessage {}

impl IsMessage for ByMessage {}

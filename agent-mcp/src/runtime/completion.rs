//! When a dispatched Message has become a fact.

use std::fmt;

use schemars::JsonSchema;
use serde::Serialize;

use super::output::Output;

/// What a `completion` closure says of what it was shown.
///
/// The first answer that is not [`Pending`](Self::Pending) decides; whatever comes later is ignored
/// (B64).
#[derive(Clone, Debug, PartialEq)]
pub enum Completion<T> {
    /// Not this one; go on waiting.
    Pending,
    /// The fact has come, with what the caller gets to know of it.
    Done(T),
    /// The application says that it will not come (B61): a failed result with this text.
    Failed(String),
}

impl<T> Completion<T> {
    /// The application says that the fact will not come.
    pub fn failed(why: impl fmt::Display) -> Self {
        Self::Failed(why.to_string())
    }
}

/// What a `when` closure may return: a `bool`, or a [`Completion`] where the state can also say that
/// the fact will not come (O36).
#[diagnostic::on_unimplemented(
    message = "a `completion` cannot return `{Self}`",
    note = "return `Completion<T>`; with `when`, a `bool` will do"
)]
pub trait IntoCompletion {
    /// What the caller gets to know.
    type Output: Finished;

    /// The answer.
    fn into_completion(self) -> Completion<Self::Output>;
}

impl IntoCompletion for bool {
    type Output = ();

    fn into_completion(self) -> Completion<()> {
        if self { Completion::Done(()) } else { Completion::Pending }
    }
}

impl<T: Finished> IntoCompletion for Completion<T> {
    type Output = T;

    fn into_completion(self) -> Completion<T> {
        self
    }
}

/// What a completion gives to the caller: `()`, or a structured value.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot complete a capability",
    note = "what `Completion::Done` holds derives `serde::Serialize` and `schemars::JsonSchema`, or is `()`"
)]
pub trait Finished: Serialize + JsonSchema + 'static {}

impl<T: Serialize + JsonSchema + 'static> Finished for T {}

/// What an erased completion says of what it was shown.
#[derive(Debug)]
pub(crate) enum Step {
    Pending,
    Done(Option<Output>),
    Failed(String),
    /// The closure panicked, or its value cannot be encoded (B74, O31).
    Defect(String),
}

impl Step {
    pub(crate) fn of<C: IntoCompletion>(completion: C) -> Self {
        match completion.into_completion() {
            Completion::Pending => Self::Pending,
            Completion::Failed(why) => Self::Failed(why),
            Completion::Done(value) if is_unit::<C::Output>() => {
                drop(value);
                Self::Done(None)
            }
            Completion::Done(value) => match Output::json(&value) {
                Ok(output) => Self::Done(Some(output)),
                Err(error) => Self::Defect(format!("the completion's value is no JSON: {error}")),
            },
        }
    }

    pub(crate) fn is_pending(&self) -> bool {
        matches!(self, Self::Pending)
    }
}

/// `()` completes without a value and advertises no schema.
pub(crate) fn is_unit<T: 'static>() -> bool {
    std::any::TypeId::of::<T>() == std::any::TypeId::of::<()>()
}

//! Suggestions for the values of arguments.

use std::{collections::BTreeMap, future::Future};

use crate::runtime::{
    Agent, Context,
    hooks::{BoxFuture, Later, Now},
};

/// The values that are already chosen for the other arguments, by name.
///
/// Clients before 2025-06-18 do not say.
pub type Suggested = BTreeMap<String, String>;

/// A source of suggestions.
pub(crate) type Suggest<A> =
    dyn for<'a> Fn(&'a Context<A>, &'a str, &'a Suggested) -> Suggestions<'a> + Send + Sync;

/// Suggestions, the most fitting first: at hand, or still being looked for.
pub enum Suggestions<'a> {
    /// At hand.
    Now(Vec<String>),
    /// Still being looked for.
    Later(BoxFuture<'a, Vec<String>>),
}

/// What a source of suggestions may return: any sequence of texts, at once or by a future. `M` keeps the forms
/// apart and is inferred.
#[diagnostic::on_unimplemented(
    message = "a source of suggestions cannot return `{Self}`",
    label = "no sequence of texts",
    note = "return a list of texts, such as `Vec<String>`, from a plain or an async closure or function"
)]
pub trait IntoSuggestions<'a, M> {
    /// The suggestions.
    fn suggestions(self) -> Suggestions<'a>;
}

impl<I> IntoSuggestions<'_, Now> for I
where
    I: IntoIterator,
    I::Item: Into<String>,
{
    fn suggestions(self) -> Suggestions<'static> {
        Suggestions::Now(self.into_iter().map(Into::into).collect())
    }
}

impl<'a, F> IntoSuggestions<'a, Later> for F
where
    F: Future + Send + 'a,
    F::Output: IntoIterator,
    <F::Output as IntoIterator>::Item: Into<String>,
{
    fn suggestions(self) -> Suggestions<'a> {
        Suggestions::Later(Box::pin(async move {
            self.await.into_iter().map(Into::into).collect::<Vec<String>>()
        }))
    }
}

/// Suggests those of a fixed list that go on as what is typed, whatever its case.
pub(super) fn of_values<A: Agent>(values: Vec<String>) -> Box<Suggest<A>> {
    Box::new(move |_, typed, _| {
        let typed = typed.to_lowercase();
        let fitting = values.iter().filter(|value| value.to_lowercase().starts_with(&typed));
        Suggestions::Now(fitting.cloned().collect())
    })
}

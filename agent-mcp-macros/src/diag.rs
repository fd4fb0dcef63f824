//! Mistakes: collected, worded alike, and never forgotten.

use proc_macro2::{Span, TokenStream};
use quote::ToTokens;

/// One mistake, at the smallest tokens to edit.
pub(crate) struct Mistake {
    start: Span,
    end: Span,
    message: String,
    has_advice: bool,
}

impl Mistake {
    /// Says `message` at `tokens`.
    pub(crate) fn at(tokens: &impl ToTokens, message: impl Into<String>) -> Self {
        let mut spans = tokens.to_token_stream().into_iter().map(|token| token.span());
        let start = spans.next().unwrap_or_else(Span::call_site);
        let end = spans.last().unwrap_or(start);
        Self { start, end, message: message.into(), has_advice: false }
    }

    /// Says `message` at `span`.
    pub(crate) fn at_span(span: Span, message: impl Into<String>) -> Self {
        Self { start: span, end: span, message: message.into(), has_advice: false }
    }

    /// Adds a line with text that can be pasted.
    pub(crate) fn help(self, text: impl AsRef<str>) -> Self {
        self.advice("help", text.as_ref())
    }

    /// Adds a line that says why.
    pub(crate) fn note(self, text: impl AsRef<str>) -> Self {
        self.advice("note", text.as_ref())
    }

    fn advice(mut self, kind: &str, text: &str) -> Self {
        if !self.has_advice {
            self.message.push('\n');
            self.has_advice = true;
        }
        self.message.push_str(&format!("\n{kind}: {text}"));
        self
    }

    fn to_compile_error(&self) -> TokenStream {
        let mut error = TokenStream::new();
        error.extend(respan(quote::quote!(::core::compile_error!), self.start));
        let text = self.message.as_str();
        let mut group = proc_macro2::Group::new(
            proc_macro2::Delimiter::Brace,
            quote::quote_spanned!(self.end=> #text),
        );
        group.set_span(self.end);
        error.extend([proc_macro2::TokenTree::Group(group)]);
        error
    }
}

fn respan(tokens: TokenStream, span: Span) -> impl Iterator<Item = proc_macro2::TokenTree> {
    tokens.into_iter().map(move |mut token| {
        token.set_span(span);
        token
    })
}

impl From<syn::Error> for Mistake {
    fn from(error: syn::Error) -> Self {
        Self::at_span(error.span(), error.to_string())
    }
}

/// All mistakes of one expansion. Dropping it unread is a bug of ours.
pub(crate) struct Bag {
    mistakes: Vec<Mistake>,
    read: bool,
}

impl Bag {
    /// An empty bag.
    pub(crate) fn new() -> Self {
        Self { mistakes: Vec::new(), read: false }
    }

    /// Adds a mistake.
    pub(crate) fn add(&mut self, mistake: impl Into<Mistake>) {
        self.mistakes.push(mistake.into());
    }

    /// Runs `step` and keeps its value only when it adds no mistake.
    pub(crate) fn sound<T>(&mut self, step: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        let before = self.mistakes.len();
        step(self).filter(|_| self.mistakes.len() == before)
    }

    /// The mistakes as items that rustc reports.
    pub(crate) fn into_errors(mut self) -> TokenStream {
        self.read = true;
        self.mistakes.iter().map(Mistake::to_compile_error).collect()
    }

    /// The texts, for tests.
    #[cfg(test)]
    pub(crate) fn into_messages(mut self) -> Vec<String> {
        self.read = true;
        self.mistakes.drain(..).map(|mistake| mistake.message).collect()
    }
}

impl Drop for Bag {
    fn drop(&mut self) {
        if !self.read && !std::thread::panicking() {
            panic!("a bag of mistakes was dropped unread");
        }
    }
}

/// The word of `known` that `word` was probably meant to be.
pub(crate) fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let limit = (word.chars().count() / 3).max(1) + 1;
    known
        .into_iter()
        .map(|candidate| (distance(word, candidate), candidate))
        .filter(|(distance, _)| *distance <= limit)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// The number of single edits between two words.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, from) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, to) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(from != *to);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

/// Words in backticks, joined by commas.
pub(crate) fn list<'a>(words: impl IntoIterator<Item = &'a str>) -> String {
    words.into_iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_typo_finds_its_word() {
        let known = ["available", "authorize", "completion", "name"];
        assert_eq!(nearest("availble", known), Some("available"));
        assert_eq!(nearest("nmae", known), Some("name"));
        assert_eq!(nearest("frobnicate", known), None);
    }

    #[test]
    fn advice_stands_under_an_empty_line() {
        let mistake = Mistake::at_span(Span::call_site(), "wrong").note("because").help("do this");
        assert_eq!(mistake.message, "wrong\n\nnote: because\nhelp: do this");
    }

    #[test]
    #[should_panic(expected = "dropped unread")]
    fn a_forgotten_bag_is_noticed() {
        drop(Bag::new());
    }
}

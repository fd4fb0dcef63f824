//! Defaults of a form's fields as they are written: literals of the language.

/// A text in quotes.
#[must_use]
pub fn text(text: &str) -> String {
    text.to_owned()
}

/// Values in brackets.
#[must_use]
pub fn list<T, const N: usize>(list: [T; N]) -> Vec<T> {
    list.into()
}

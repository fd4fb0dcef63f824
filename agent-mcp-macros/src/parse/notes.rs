//! `audience(..)`, `priority` and `size`: hints to a client about what is read.

use proc_macro2::Span;
use syn::{Ident, Lit, LitFloat, LitInt, Token, parse::ParseStream, punctuated::Punctuated};

use super::words::{ASSISTANT, USER};
use crate::diag::Mistake;

/// Reads `user, assistant`, each at most once.
pub(super) fn audience(
    content: ParseStream<'_>,
    wrong: impl Fn(Span) -> Mistake,
) -> Result<Vec<Ident>, Mistake> {
    let words = Punctuated::<Ident, Token![,]>::parse_terminated(content)
        .map_err(|error| wrong(error.span()))?;
    let words: Vec<Ident> = words.into_iter().collect();
    for (place, word) in words.iter().enumerate() {
        if (word != USER && word != ASSISTANT) || words[..place].contains(word) {
            return Err(wrong(word.span()));
        }
    }
    if words.is_empty() { Err(wrong(content.span())) } else { Ok(words) }
}

/// Reads a number from 0 to 1 (RES-12).
pub(super) fn priority(
    input: ParseStream<'_>,
    wrong: impl Fn(Span) -> Mistake,
) -> Result<f64, Mistake> {
    let at = input.span();
    let number = match input.parse::<Lit>() {
        Ok(Lit::Int(number)) => LitInt::base10_parse::<f64>(&number),
        Ok(Lit::Float(number)) => LitFloat::base10_parse(&number),
        _ => return Err(wrong(at)),
    };
    number.ok().filter(|number| (0.0..=1.0).contains(number)).ok_or_else(|| wrong(at))
}

/// Reads a whole number.
pub(super) fn size(
    input: ParseStream<'_>,
    wrong: impl Fn(Span) -> Mistake,
) -> Result<u64, Mistake> {
    let at = input.span();
    let number = input.parse::<LitInt>().and_then(|number| number.base10_parse());
    number.map_err(|_| wrong(at))
}

//! `cache(ttl = "30s", scope = "public")`: for how long and by whom something may be kept.

use proc_macro2::Span;
use syn::{Ident, LitStr, Token, ext::IdentExt, parse::ParseStream};

use super::{
    args::Cache,
    value,
    words::{SCOPE, TTL},
};
use crate::diag::Mistake;

pub(super) fn read(
    content: ParseStream<'_>,
    wrong: impl Fn(Span) -> Mistake,
) -> Result<Cache, Mistake> {
    let at = content.span();
    let (mut ttl, mut scope) = (None, None);
    while !content.is_empty() {
        let at = content.span();
        let word = content.call(Ident::parse_any).map_err(|_| wrong(at))?;
        let known = [TTL, SCOPE].into_iter().any(|known| word == known);
        if !known || !content.peek(Token![=]) {
            return Err(wrong(word.span()));
        }
        content.parse::<Token![=]>()?;
        let at = content.span();
        let text = content.parse::<LitStr>().map_err(|_| wrong(at))?;
        let twice = if word == TTL {
            ttl.replace(value::duration(&text)?).is_some()
        } else {
            scope.replace(public(&text)?).is_some()
        };
        if twice {
            return Err(Mistake::at(&word, format!("`{word}` is given twice"))
                .help("remove one of the two"));
        }
        if !content.is_empty() {
            content.parse::<Token![,]>()?;
        }
    }
    let ttl = ttl.ok_or_else(|| wrong(at))?;
    Ok(Cache { ttl, public: scope.flatten() })
}

fn public(text: &LitStr) -> Result<Option<Span>, Mistake> {
    match text.value().as_str() {
        "public" => Ok(Some(text.span())),
        "private" => Ok(None),
        other => Err(Mistake::at(text, format!("`{other}` is no scope of a cache"))
            .note("`public` is what every caller would read alike, `private` what each has for itself")
            .help("write `\"public\"` or `\"private\"`")),
    }
}

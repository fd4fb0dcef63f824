//! The value of an option, by its kind.

use std::time::Duration;

use proc_macro2::{Span, TokenStream};
use quote::ToTokens;
use syn::{
    Expr, ExprLit, Ident, Lit, LitInt, LitStr, Path, Token, parenthesized,
    parse::{ParseBuffer, ParseStream},
    punctuated::Punctuated,
    spanned::Spanned,
    token::Paren,
};

use super::{
    args::{Fact, Kind, Spec, Value},
    cache, extras, notes, scopes,
    words::*,
};
use crate::diag::Mistake;

pub(super) fn value(input: ParseStream<'_>, key: &Ident, spec: &Spec) -> Result<Value, Mistake> {
    let wrong = |span: Span, what: &str| {
        Mistake::at_span(span, format!("`{key}` takes {what}"))
            .help(format!("write `{}`", spec.example))
    };
    match spec.kind {
        Kind::Flag => {
            if input.parse::<Option<Token![=]>>()?.is_none() {
                if input.peek(Paren) {
                    return Err(wrong(input.span(), "no arguments"));
                }
                return Ok(Value::Flag(true));
            }
            let at = input.span();
            let Ok(flag) = input.parse::<syn::LitBool>() else {
                return Err(wrong(at, "`true`, `false` or nothing"));
            };
            return Ok(Value::Flag(flag.value));
        }
        Kind::Icons | Kind::Meta | Kind::Cache | Kind::Audience if !input.peek(Paren) => {
            return Err(wrong(key.span(), spec.kind.describe()));
        }
        Kind::Icons => {
            let content = parens(input)?;
            let icons = extras::icons(&content, |span| wrong(span, spec.kind.describe()));
            return drained(&content, icons).map(Value::Icons);
        }
        Kind::Meta => {
            let content = parens(input)?;
            let members = extras::meta(&content, |span| wrong(span, spec.kind.describe()));
            return drained(&content, members).map(Value::Meta);
        }
        Kind::Cache => {
            let content = parens(input)?;
            let cache = cache::read(&content, |span| wrong(span, spec.kind.describe()));
            return drained(&content, cache).map(Value::Cache);
        }
        Kind::Audience => {
            let content = parens(input)?;
            let audience = notes::audience(&content, |span| wrong(span, spec.kind.describe()));
            return drained(&content, audience).map(Value::Audience);
        }
        Kind::Paths => {
            if !input.peek(Paren) {
                return Err(wrong(key.span(), "paths in parentheses"));
            }
            let content = parens(input)?;
            let paths = Punctuated::<Path, Token![,]>::parse_terminated(&content)?;
            return Ok(Value::Paths(paths.into_iter().collect()));
        }
        _ => {}
    }
    if !input.peek(Token![=]) || input.peek(Token![==]) {
        return Err(wrong(key.span(), spec.kind.describe()));
    }
    input.parse::<Token![=]>()?;
    if input.is_empty() || input.peek(Token![,]) {
        return Err(wrong(key.span(), spec.kind.describe()));
    }
    let what = spec.kind.describe();
    Ok(match spec.kind {
        Kind::Expr => Value::Expr(input.parse()?),
        Kind::Type => Value::Type(input.parse()?),
        Kind::Path => Value::Path(input.call(Path::parse_mod_style)?),
        Kind::Fresh => Value::Fresh((input.parse()?, input.parse()?)),
        Kind::Completion => Value::Completion(fact(input, key, spec)?),
        Kind::Hook => Value::Hook(hook(input, key, spec)?),
        Kind::Text => Value::Text(said(text(input, |span| wrong(span, what))?)?),
        Kind::Prose => {
            let expr: Expr = input.parse()?;
            match expr {
                Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => {
                    Value::Prose(said(text)?.into_token_stream())
                }
                Expr::Macro(call) => Value::Prose(call.into_token_stream()),
                other => return Err(wrong(other.span(), what)),
            }
        }
        Kind::Duration => {
            let text = text(input, |span| wrong(span, what))?;
            match duration(&text)? {
                Duration::ZERO if key == TIMEOUT => {
                    return Err(Mistake::at(&text, "a time limit of zero refuses every call")
                        .help("write a longer time, or leave the option out"));
                }
                time if time.is_zero() => {
                    return Err(Mistake::at(&text, format!("`{}` is no time", text.value()))
                        .help("write a longer time, or leave the option out"));
                }
                time => Value::Duration(time),
            }
        }
        Kind::Count => {
            let at = input.span();
            let Ok(number) = input.parse::<LitInt>() else {
                return Err(wrong(at, what));
            };
            match number.base10_parse() {
                Ok(0) | Err(_) => return Err(wrong(number.span(), what)),
                Ok(count) => Value::Count(count),
            }
        }
        Kind::Scopes => {
            let expr: Expr = input.parse()?;
            Value::Scopes(scopes::read(expr, |span| wrong(span, what))?)
        }
        Kind::Priority => Value::Priority(notes::priority(input, |span| wrong(span, what))?),
        Kind::Size => Value::Size(notes::size(input, |span| wrong(span, what))?),
        Kind::Flag | Kind::Paths | Kind::Icons | Kind::Meta | Kind::Cache | Kind::Audience => {
            unreachable!("returned above")
        }
    })
}

fn parens<'a>(input: ParseStream<'a>) -> syn::Result<ParseBuffer<'a>> {
    let content;
    parenthesized!(content in input);
    Ok(content)
}

/// Takes what a mistake has left in parentheses: syn would complain of it as well.
fn drained<T>(content: ParseStream<'_>, read: Result<T, Mistake>) -> Result<T, Mistake> {
    if read.is_err() {
        content.parse::<TokenStream>()?;
    }
    read
}

impl Kind {
    fn describe(self) -> &'static str {
        match self {
            Self::Audience => "`user`, `assistant` or both in parentheses",
            Self::Priority => "a number from 0 to 1",
            Self::Size => "a whole number of bytes",
            Self::Text | Self::Prose => "a text in quotes",
            Self::Flag => "`true`, `false` or nothing",
            Self::Hook | Self::Completion => "a closure or the path of a function",
            Self::Duration => "a time such as `\"10s\"`",
            Self::Count => "a whole number from 1",
            Self::Scopes => "a list of texts in quotes",
            Self::Expr => "a value",
            Self::Type => "a type",
            Self::Path => "a path",
            Self::Fresh => "a name",
            Self::Paths => "paths in parentheses",
            Self::Icons => "pictures in parentheses",
            Self::Cache => "`ttl` and `scope` in parentheses",
            Self::Meta => "keys in quotes, each with a value, in parentheses",
        }
    }
}

fn text(input: ParseStream<'_>, wrong: impl FnOnce(Span) -> Mistake) -> Result<LitStr, Mistake> {
    let expr: Expr = input.parse()?;
    match expr {
        Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => Ok(text),
        other => Err(wrong(other.span())),
    }
}

fn said(text: LitStr) -> Result<LitStr, Mistake> {
    if text.value().trim().is_empty() {
        return Err(Mistake::at(&text, "an empty text says nothing")
            .help("write a text, or leave the option out"));
    }
    Ok(text)
}

fn hook(input: ParseStream<'_>, key: &Ident, spec: &Spec) -> Result<Expr, Mistake> {
    let expr: Expr = input.parse()?;
    if matches!(expr, Expr::Lit(_)) {
        let what = spec.kind.describe();
        return Err(Mistake::at(&expr, format!("`{key}` takes {what}"))
            .help(format!("write `{}`", spec.example)));
    }
    Ok(expr)
}

fn fact(input: ParseStream<'_>, key: &Ident, spec: &Spec) -> Result<Fact, Mistake> {
    let ahead = input.fork();
    let is_when = ahead.parse::<Ident>().is_ok_and(|word| word == WHEN) && ahead.peek(Paren);
    if !is_when {
        return hook(input, key, spec).map(Fact::Message);
    }
    let when: Ident = input.parse()?;
    let content = parens(input)?;
    let mut hooks = Punctuated::<Expr, Token![,]>::parse_terminated(&content)?.into_iter();
    match (hooks.next(), hooks.next(), hooks.next()) {
        (Some(hook), None, None) => Ok(Fact::Model(hook)),
        (Some(source), Some(hook), None) => Ok(Fact::Source(source, hook)),
        _ => Err(Mistake::at(&when, "`when` takes a closure, or a source and a closure")
            .help("write `when(|call, model| ..)` or `when(|agent| .., |call, value| ..)`")),
    }
}

/// Reads `"500ms"`, `"10s"`, `"2m"`, `"1h"`.
pub(super) fn duration(text: &LitStr) -> Result<Duration, Mistake> {
    let value = text.value();
    let digits = value.len() - value.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let (number, unit) = value.split_at(digits);
    let millis = match unit {
        "ms" => 1,
        "s" => 1_000,
        "m" => 60_000,
        "h" => 3_600_000,
        _ => 0,
    };
    if number.is_empty() || millis == 0 {
        return Err(Mistake::at(text, format!("`{value}` is not a time"))
            .help("write a whole number and `ms`, `s`, `m` or `h`, such as `\"10s\"`"));
    }
    match number.parse::<u64>().ok().and_then(|number| number.checked_mul(millis)) {
        Some(millis) => Ok(Duration::from_millis(millis)),
        None => Err(Mistake::at(text, format!("`{value}` is longer than any time"))
            .help("write a shorter time, or leave the option out")),
    }
}

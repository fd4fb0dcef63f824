//! Our attributes' options: one table for each attribute, one parser for all.

use std::time::Duration;

use proc_macro2::{Span, TokenStream};
use syn::{
    Expr, Ident, LitStr, Path, Token, Type, Visibility,
    ext::IdentExt,
    parse::{ParseStream, Parser, discouraged::Speculative},
    token::Paren,
};

use super::{value::value, words::*};
use crate::diag::{Bag, Mistake, list, nearest};

/// An option that an attribute knows.
#[derive(Clone, Copy)]
pub(crate) struct Spec {
    pub(crate) word: &'static str,
    pub(crate) kind: Kind,
    /// How it is written, for `help:`.
    pub(crate) example: &'static str,
}

/// What kind of value an option takes.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Kind {
    /// A string literal that says something.
    Text,
    /// The same, or a macro call such as `include_str!`.
    Prose,
    /// Nothing, or `= true`, `= false`.
    Flag,
    /// A closure or a path to a function.
    Hook,
    /// A hook, `when(hook)` or `when(source, hook)`.
    Completion,
    /// A string such as `"10s"`.
    Duration,
    /// A whole number from 1.
    Count,
    /// A list of OAuth scopes.
    Scopes,
    /// Any expression.
    Expr,
    /// A type.
    Type,
    /// A path.
    Path,
    /// A name to be made, with a visibility if it is given.
    Fresh,
    /// Paths in parentheses.
    Paths,
    /// Pictures in parentheses.
    Icons,
    /// Members of `_meta` in parentheses.
    Meta,
    /// For how long and by whom something may be kept.
    Cache,
    /// For whom it is, in parentheses.
    Audience,
    /// A number from 0 to 1.
    Priority,
    /// A whole number.
    Size,
}

/// An option's value.
pub(crate) enum Value {
    Text(LitStr),
    Prose(TokenStream),
    Flag(bool),
    Hook(Expr),
    Completion(Fact),
    Duration(Duration),
    Count(usize),
    Scopes(Vec<LitStr>),
    Expr(Expr),
    Type(Box<Type>),
    Path(Path),
    Fresh((Visibility, Ident)),
    Paths(Vec<Path>),
    Icons(Vec<Expr>),
    Meta(Vec<(LitStr, Expr)>),
    Audience(Vec<Ident>),
    Priority(f64),
    Size(u64),
    Cache(Cache),
}

/// For how long and by whom something may be kept.
pub(crate) struct Cache {
    pub(crate) ttl: Duration,
    /// Whether it is the same for everybody, at the word that says so.
    pub(crate) public: Option<Span>,
}

/// What a completion looks at.
pub(crate) enum Fact {
    Message(Expr),
    Model(Expr),
    Source(Expr, Expr),
}

/// The options of one attribute.
pub(crate) struct Options {
    given: Vec<(Ident, Value)>,
    /// What was given with a value that cannot be.
    refused: Vec<Ident>,
}

impl Options {
    /// No options.
    pub(crate) fn none() -> Self {
        Self { given: Vec::new(), refused: Vec::new() }
    }

    /// Whether the option `word` is there, and a mistake is reported of it.
    pub(crate) fn is_refused(&self, word: &str) -> bool {
        self.refused.iter().any(|key| key == word)
    }

    /// Whether the option `word` is still to be taken.
    pub(crate) fn has(&self, word: &str) -> bool {
        self.given.iter().any(|(key, _)| key == word)
    }

    /// Takes the option `word` out, with the span of its key.
    pub(crate) fn take(&mut self, word: &str) -> Option<(Span, Value)> {
        let at = self.given.iter().position(|(key, _)| key == word)?;
        let (key, value) = self.given.remove(at);
        Some((key.span(), value))
    }
}

/// Takes an option of one kind; the parser has seen to it that the kind is right.
macro_rules! take {
    ($options:expr, $word:expr, $kind:ident) => {
        match $options.take($word) {
            Some((span, $crate::parse::args::Value::$kind(value))) => Some((span, value)),
            _ => None,
        }
    };
}
pub(crate) use take;

/// Reads the options of `attribute`, all mistakes at once.
pub(crate) fn parse(
    tokens: TokenStream,
    attribute: &str,
    specs: &[Spec],
    bag: &mut Bag,
) -> Options {
    let parser = |input: ParseStream<'_>| {
        let mut options = Options::none();
        while !input.is_empty() {
            if let Err(mistake) = option(input, attribute, specs, &mut options) {
                bag.add(mistake);
                skip(input, specs);
            }
            if input.is_empty() {
                break;
            }
            if let Err(error) = input.parse::<Token![,]>() {
                bag.add(
                    Mistake::at_span(error.span(), "expected `,` between two options")
                        .help("write a `,` in front of this one"),
                );
                skip(input, specs);
                input.parse::<Option<Token![,]>>()?;
            }
        }
        Ok(options)
    };
    match parser.parse2(tokens) {
        Ok(options) => options,
        Err(error) => {
            bag.add(error);
            Options::none()
        }
    }
}

/// Goes on to the comma before the next option.
fn skip(input: ParseStream<'_>, specs: &[Spec]) {
    let mut at_end_of_value = true;
    while !input.is_empty() {
        if input.peek(Token![,]) {
            let ahead = input.fork();
            let _ = ahead.parse::<Token![,]>();
            let known = ahead.is_empty()
                || ahead.call(Ident::parse_any).is_ok_and(|word| {
                    ahead.peek(Token![=])
                        || specs.iter().any(|spec| word == spec.word)
                        // A value that was read and refused ends at the first comma.
                        || (at_end_of_value && (ahead.is_empty() || ahead.peek(Token![,])))
                });
            if known {
                return;
            }
        }
        at_end_of_value = false;
        if input.parse::<proc_macro2::TokenTree>().is_err() {
            return;
        }
    }
}

fn option(
    input: ParseStream<'_>,
    attribute: &str,
    specs: &[Spec],
    options: &mut Options,
) -> Result<(), Mistake> {
    let Ok(key) = input.call(Ident::parse_any) else {
        let words = list(specs.iter().map(|spec| spec.word));
        return Err(Mistake::at_span(
            input.span(),
            format!("expected the name of an option of `#[{attribute}]`"),
        )
        .help(format!("the options are {words}")));
    };
    let Some(spec) = specs.iter().find(|spec| key == spec.word) else {
        pass_value(input);
        return Err(unknown(&key, attribute, specs));
    };
    let value = match value(input, &key, spec) {
        Ok(value) => value,
        Err(mistake) => {
            options.refused.push(key);
            return Err(mistake);
        }
    };
    if options.given.iter().any(|(known, _)| *known == key) {
        return Err(Mistake::at(&key, format!("option `{key}` is given twice"))
            .help("remove one of the two"));
    }
    options.given.push((key, value));
    Ok(())
}

/// Goes behind what looks like the value of an option, so that the next one is read.
fn pass_value(input: ParseStream<'_>) {
    let ahead = input.fork();
    let passed = if ahead.peek(Token![=]) {
        ahead.parse::<Token![=]>().is_ok() && ahead.parse::<Expr>().is_ok()
    } else {
        ahead.peek(Paren) && ahead.parse::<proc_macro2::Group>().is_ok()
    };
    if passed && (ahead.is_empty() || ahead.peek(Token![,])) {
        input.advance_to(&ahead);
    }
}

/// What a part of an agent cannot say.
const MAIN_ONLY: &[&str] =
    &[NAME, TITLE, VERSION, WEBSITE, ICONS, INSTRUCTIONS, MODEL, MESSAGE, PRINCIPAL, PARTS];

fn unknown(key: &Ident, attribute: &str, specs: &[Spec]) -> Mistake {
    let words = list(specs.iter().map(|spec| spec.word));
    let mistake = Mistake::at(key, format!("unknown option `{key}` for `#[{attribute}]`"));
    let word = key.to_string();
    if attribute == AGENT && MAIN_ONLY.contains(&word.as_str()) {
        return Mistake::at(key, format!("`{key}` belongs to the agent's main block"))
            .help("move it to the block with `#[agent(parts(..))]`");
    }
    let meant = match word.as_str() {
        "description" | "doc" | "docs" => Some("instructions"),
        "readonly" => Some("read_only"),
        _ => None,
    }
    .filter(|meant| specs.iter().any(|spec| spec.word == *meant))
    .or_else(|| nearest(&word, specs.iter().map(|spec| spec.word)));
    match (specs, meant) {
        ([], _) => mistake.help(format!("`#[{attribute}]` has no options")),
        (_, Some(meant)) => mistake.help(format!("write `{meant}`; the options are {words}")),
        (_, None) => mistake.help(format!("the options are {words}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quote::quote;

    const SPECS: &[Spec] = &[
        Spec { word: "name", kind: Kind::Text, example: "name = \"..\"" },
        Spec { word: "open", kind: Kind::Flag, example: "open" },
        Spec { word: "timeout", kind: Kind::Duration, example: "timeout = \"10s\"" },
        Spec { word: "hook", kind: Kind::Hook, example: "hook = |x| true" },
    ];

    fn mistakes(tokens: TokenStream) -> Vec<String> {
        let mut bag = Bag::new();
        parse(tokens, "capability", SPECS, &mut bag);
        bag.into_messages()
            .into_iter()
            .map(|message| message.lines().next().unwrap_or_default().to_owned())
            .collect()
    }

    #[test]
    fn all_mistakes_are_told_at_once() {
        let found = mistakes(quote!(nam = "x", open = 3, timeout = "0s", name = "", open(1)));
        assert_eq!(
            found,
            [
                "unknown option `nam` for `#[capability]`",
                "`open` takes `true`, `false` or nothing",
                "a time limit of zero refuses every call",
                "an empty text says nothing",
                "`open` takes no arguments",
            ]
        );
    }

    #[test]
    fn commas_inside_of_a_closure_separate_nothing() {
        assert!(mistakes(quote!(hook = |a, b| a < b, open)).is_empty());
        assert_eq!(
            mistakes(quote!(hook = 1 2, open, name = 1)),
            ["`hook` takes a closure or the path of a function", "`name` takes a text in quotes"]
        );
    }

    #[test]
    fn times_have_units() {
        let mut bag = Bag::new();
        for (text, millis) in [("500ms", 500), ("10s", 10_000), ("2m", 120_000), ("1h", 3_600_000)]
        {
            let tokens = quote!(timeout = #text);
            let mut options = parse(tokens, "capability", SPECS, &mut bag);
            let (_, found) = take!(options, "timeout", Duration).unwrap();
            assert_eq!(found, Duration::from_millis(millis));
        }
        bag.into_errors();
        for wrong in ["10", "s", "1.5s", "-1s", "10 s", ""] {
            assert_eq!(mistakes(quote!(timeout = #wrong)), [format!("`{wrong}` is not a time")]);
        }
        assert_eq!(
            mistakes(quote!(timeout = "99999999999999999999h")),
            ["`99999999999999999999h` is longer than any time"]
        );
    }
}

//! Names as serde gives them, and its defaults: what a form shares with it.

use syn::{Attribute, ExprPath, Ident, LitStr, Token, ext::IdentExt, meta::ParseNestedMeta};

use crate::diag::{Bag, Mistake, list, nearest};

/// What serde is told about a field or a variant.
#[derive(Default)]
pub(super) struct Serde {
    pub(super) rename: Option<LitStr>,
    pub(super) default: Option<Default>,
}

/// What stands in for a field that was left out.
pub(super) enum Default {
    /// The type's own.
    Own(Ident),
    /// What a function gives.
    Path(ExprPath),
}

impl Serde {
    pub(super) fn of(attrs: &[Attribute], bag: &mut Bag) -> Self {
        let mut found = Self::default();
        each(attrs, bag, |meta, bag| {
            if meta.path.is_ident("rename") {
                found.rename = renamed(meta)?.or(found.rename.take());
            } else if meta.path.is_ident("default") {
                found.default = Some(default(meta)?);
            } else {
                for word in UNREAD.iter().filter(|word| meta.path.is_ident(word)) {
                    bag.add(
                        Mistake::at(&meta.path, format!("a form does not know `{word}`"))
                            .note("each field is read from what was filled in, by its own type")
                            .help("remove it, or leave the field out of the form"),
                    );
                }
                skip(meta)?;
            }
            Ok(())
        });
        found
    }
}

/// What would change how a field is read.
const UNREAD: [&str; 5] = ["flatten", "with", "deserialize_with", "skip", "skip_deserializing"];

fn default(meta: &ParseNestedMeta<'_>) -> syn::Result<Default> {
    if !meta.input.peek(Token![=]) {
        let word = meta.path.require_ident()?.clone();
        return Ok(Default::Own(word));
    }
    let path: LitStr = meta.value()?.parse()?;
    path.parse().map(Default::Path)
}

/// `= "x"`, or the half of `(serialize = "x", deserialize = "y")` that is read.
fn renamed(meta: &ParseNestedMeta<'_>) -> syn::Result<Option<LitStr>> {
    if meta.input.peek(Token![=]) {
        return meta.value()?.parse().map(Some);
    }
    let mut read = None;
    meta.parse_nested_meta(|meta| {
        let name: LitStr = meta.value()?.parse()?;
        if meta.path.is_ident("deserialize") {
            read = Some(name);
        }
        Ok(())
    })?;
    Ok(read)
}

/// How names are written.
#[derive(Clone, Copy)]
pub(super) struct Case(&'static str);

const CASES: [&str; 8] = [
    "lowercase",
    "UPPERCASE",
    "PascalCase",
    "camelCase",
    "snake_case",
    "SCREAMING_SNAKE_CASE",
    "kebab-case",
    "SCREAMING-KEBAB-CASE",
];

impl Case {
    /// What `rename_all` says; serde's defaults for a whole struct are refused.
    pub(super) fn of(attrs: &[Attribute], bag: &mut Bag) -> Option<Self> {
        let mut found = None;
        each(attrs, bag, |meta, bag| {
            if meta.path.is_ident("rename_all") {
                let Some(name) = renamed(meta)? else { return Ok(()) };
                let value = name.value();
                found = CASES.iter().find(|case| **case == value).map(|case| Self(case));
                if found.is_none() {
                    let mistake = Mistake::at(&name, format!("`{value}` is no case of serde's"));
                    bag.add(match nearest(&value, CASES) {
                        Some(meant) => mistake.help(format!("write `{meant}`")),
                        None => mistake.help(format!("the cases are {}", list(CASES))),
                    });
                }
            } else if meta.path.is_ident("default") {
                bag.add(
                    Mistake::at(&meta.path, "the defaults of a form stand at its fields")
                        .help("write `#[form(default = ..)]` above each field that has one"),
                );
                skip(meta)?;
            } else {
                skip(meta)?;
            }
            Ok(())
        });
        found
    }

    pub(super) fn field(self, name: &str) -> String {
        match self.0 {
            "UPPERCASE" | "SCREAMING_SNAKE_CASE" => name.to_ascii_uppercase(),
            "PascalCase" => pascal(name),
            "camelCase" => uncapitalized(&pascal(name)),
            "kebab-case" => name.replace('_', "-"),
            "SCREAMING-KEBAB-CASE" => name.to_ascii_uppercase().replace('_', "-"),
            _ => name.to_owned(),
        }
    }

    pub(super) fn variant(self, name: &str) -> String {
        match self.0 {
            "lowercase" => name.to_ascii_lowercase(),
            "UPPERCASE" => name.to_ascii_uppercase(),
            "camelCase" => uncapitalized(name),
            "snake_case" => snake(name),
            "SCREAMING_SNAKE_CASE" => snake(name).to_ascii_uppercase(),
            "kebab-case" => snake(name).replace('_', "-"),
            "SCREAMING-KEBAB-CASE" => snake(name).to_ascii_uppercase().replace('_', "-"),
            _ => name.to_owned(),
        }
    }
}

fn pascal(name: &str) -> String {
    let mut pascal = String::new();
    for word in name.split('_') {
        let mut letters = word.chars();
        pascal.extend(letters.next().map(|first| first.to_ascii_uppercase()));
        pascal.extend(letters);
    }
    pascal
}

fn uncapitalized(name: &str) -> String {
    let mut letters = name.chars();
    letters.next().map(|first| first.to_ascii_lowercase()).into_iter().chain(letters).collect()
}

fn snake(name: &str) -> String {
    let mut snake = String::new();
    for (place, letter) in name.char_indices() {
        if place > 0 && letter.is_uppercase() {
            snake.push('_');
        }
        snake.push(letter.to_ascii_lowercase());
    }
    snake
}

/// The name as it is written in the answer, with the tokens that say it.
pub(super) fn name(
    ident: &Ident,
    serde: &Serde,
    case: Option<Case>,
    apply: fn(Case, &str) -> String,
) -> LitStr {
    let plain = ident.unraw().to_string();
    match (&serde.rename, case) {
        (Some(name), _) => name.clone(),
        (None, Some(case)) => LitStr::new(&apply(case, &plain), ident.span()),
        (None, None) => LitStr::new(&plain, ident.span()),
    }
}

fn each(
    attrs: &[Attribute],
    bag: &mut Bag,
    mut read: impl FnMut(&ParseNestedMeta<'_>, &mut Bag) -> syn::Result<()>,
) {
    for attr in attrs.iter().filter(|attr| attr.path().is_ident("serde")) {
        if let Err(error) = attr.parse_nested_meta(|meta| read(&meta, bag)) {
            bag.add(error);
        }
    }
}

/// Steps over what an option says.
fn skip(meta: &ParseNestedMeta<'_>) -> syn::Result<()> {
    while !meta.input.is_empty() && !meta.input.peek(Token![,]) {
        meta.input.parse::<proc_macro2::TokenTree>()?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_serde() {
        for (case, field, variant) in [
            ("lowercase", "due_date", "verylow"),
            ("UPPERCASE", "DUE_DATE", "VERYLOW"),
            ("PascalCase", "DueDate", "VeryLow"),
            ("camelCase", "dueDate", "veryLow"),
            ("snake_case", "due_date", "very_low"),
            ("SCREAMING_SNAKE_CASE", "DUE_DATE", "VERY_LOW"),
            ("kebab-case", "due-date", "very-low"),
            ("SCREAMING-KEBAB-CASE", "DUE-DATE", "VERY-LOW"),
        ] {
            assert_eq!(Case(case).field("due_date"), field);
            assert_eq!(Case(case).variant("VeryLow"), variant);
        }
    }
}

//! `#[header("Region")]`: an argument that a call repeats in a header.

use proc_macro2::TokenStream;
use syn::{Attribute, Ident, Lit, LitStr, Meta, ext::IdentExt, parse_quote};

use crate::{
    check::names::meet,
    diag::{Bag, Mistake},
    parse::words::HEADER,
    recover::conditional,
};

/// The header that a field's attributes name, whatever holds. What stands in a `cfg_attr` is checked only.
pub(crate) fn of(attrs: &[Attribute], field: Option<&Ident>, bag: &mut Bag) -> Option<LitStr> {
    let mut first = None;
    for attr in attrs {
        let conditional = conditional(attr).map(|(_, metas)| metas);
        let is_plain = conditional.is_none();
        let given = conditional.unwrap_or_else(|| vec![attr.meta.clone()]);
        for meta in given.iter().filter(|meta| meta.path().is_ident(HEADER)) {
            match name(meta, field) {
                Err(mistake) => bag.add(mistake),
                Ok(_) if !is_plain => {}
                Ok(_) if first.is_some() => bag.add(
                    Mistake::at(meta.path(), "`#[header]` is given twice")
                        .help("remove one of the two"),
                ),
                Ok(name) => first = Some(name),
            }
        }
    }
    first
}

/// What the attribute stands for: a keyword of the field's schema.
pub(crate) fn keyword(meta: &Meta) -> Option<Meta> {
    let name = literal(meta)?;
    Some(parse_quote!(schemars(extend("x-mcp-header" = #name))))
}

/// MH-13: the names are unique, whatever their case.
pub(crate) fn unique<'a>(
    fields: impl Iterator<Item = (&'a LitStr, &'a [Attribute], Option<&'a Ident>)>,
    bag: &mut Bag,
) {
    let mut seen: Vec<(&LitStr, &[Attribute])> = Vec::new();
    for (name, cfg, field) in fields {
        let text = name.value();
        let first = seen
            .iter()
            .find(|(first, other)| first.value().eq_ignore_ascii_case(&text) && meet(cfg, other));
        if let Some((first, _)) = first {
            let mistake = Mistake::at(name, format!("two arguments have the header `{text}`"));
            let mistake = if first.value() == text {
                mistake
            } else {
                mistake.note("names of headers that differ by case only are the same")
            };
            let own = own_name(field);
            let help = if own.eq_ignore_ascii_case(&text) {
                "rename one of the two".to_owned()
            } else {
                format!("rename this one: `#[header({own:?})]`")
            };
            bag.add(mistake.help(help));
            bag.add(Mistake::at(
                *first,
                format!("the header `{}` is first given here", first.value()),
            ));
        }
        seen.push((name, cfg));
    }
}

fn name(meta: &Meta, field: Option<&Ident>) -> Result<LitStr, Mistake> {
    let help = |name: &str| format!("write `#[header({name:?})]`");
    let own = own_name(field);
    let Some(name) = literal(meta) else {
        let wrong = match meta {
            Meta::List(list) if !list.tokens.is_empty() => list.tokens.clone(),
            Meta::NameValue(pair) => quote::quote!(#pair),
            _ => quote::quote!(#meta),
        };
        return Err(
            Mistake::at(&wrong, "`#[header]` takes the name of a header, as text").help(help(&own))
        );
    };
    let text = name.value();
    if text.is_empty() {
        return Err(Mistake::at(&name, "the name of a header cannot be empty").help(help(&own)));
    }
    // RFC 9110, 5.6.2.
    let allowed = |c: char| c.is_ascii_alphanumeric() || "!#$%&'*+-.^_`|~".contains(c);
    if let Some(wrong) = text.chars().find(|c| !allowed(*c)) {
        let parts: Vec<_> = text.split(|c| !allowed(c)).filter(|part| !part.is_empty()).collect();
        let plain = if parts.is_empty() { own } else { parts.join("-") };
        return Err(Mistake::at(&name, format!("{wrong:?} cannot stand in the name of a header"))
            .note("names of headers are ASCII letters, digits and a few signs such as `-`")
            .help(help(&plain)));
    }
    match text.get(..PREFIX.len()) {
        Some(start) if start.eq_ignore_ascii_case(PREFIX) => {
            let rest = Some(&text[PREFIX.len()..]).filter(|rest| !rest.is_empty());
            Err(Mistake::at(&name, format!("`{PREFIX}` is put before the name anyway"))
                .help(help(rest.unwrap_or(&own))))
        }
        _ => Ok(name),
    }
}

/// What clients put before each of these names.
const PREFIX: &str = "Mcp-Param-";

fn literal(meta: &Meta) -> Option<LitStr> {
    let Meta::List(list) = meta else { return None };
    let tokens: TokenStream = list.tokens.clone();
    match syn::parse2::<Lit>(tokens) {
        Ok(Lit::Str(text)) => Some(text),
        _ => None,
    }
}

/// The header that is called as the field: `Tenant-Id` for `tenant_id`.
fn own_name(field: Option<&Ident>) -> String {
    let field = field.map_or_else(|| "region".to_owned(), |field| field.unraw().to_string());
    let words = field.split('_').filter(|word| !word.is_empty() && word.is_ascii());
    let words: Vec<String> =
        words.map(|word| word[..1].to_ascii_uppercase() + &word[1..]).collect();
    if words.is_empty() { "Region".to_owned() } else { words.join("-") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quote::format_ident;

    #[test]
    fn a_header_is_called_as_its_field() {
        for (field, header) in
            [("region", "Region"), ("tenant_id", "Tenant-Id"), ("r#type", "Type"), ("__", "Region")]
        {
            let field = match field.strip_prefix("r#") {
                Some(raw) => Ident::new_raw(raw, proc_macro2::Span::call_site()),
                None => format_ident!("{field}"),
            };
            assert_eq!(own_name(Some(&field)), header);
        }
    }
}

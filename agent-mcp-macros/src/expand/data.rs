//! `#[agent_mcp::data]`: the derives that arguments and results need, through our re-exports.

use proc_macro2::{TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::{Attribute, Field, Fields, Generics, Item, Path};

use super::assertions;
use crate::{
    lower::{cfg, param::is_comma},
    parse::words::{HEADER, ID},
    recover::conditional,
};

/// The item with its derives.
pub(crate) fn item(krate: &Path, item: &Item) -> TokenStream {
    let private = quote!(#krate::__private);
    let serde = format!("{}::serde", path(&private));
    let schemars = format!("{}::schemars", path(&private));
    quote! {
        // What schemars' derive names without a path; in most crates it is in the prelude.
        #[allow(unused_imports)]
        use #private::derived::*;
        #[derive(
            #private::serde::Serialize,
            #private::serde::Deserialize,
            #private::schemars::JsonSchema,
        )]
        #[serde(crate = #serde)]
        #[schemars(crate = #schemars)]
        #item
    }
}

/// Checks of the fields' types, in front of the item: rustc says what is missing in our words, and then in those of
/// the derives.
pub(crate) fn checks(krate: &Path, item: &Item) -> Option<TokenStream> {
    let (attrs, generics, fields): (_, _, Vec<&Fields>) = match item {
        Item::Struct(item) => (&item.attrs, &item.generics, vec![&item.fields]),
        Item::Enum(item) => {
            let read = item.variants.iter().filter(|variant| !says_how(&variant.attrs));
            (&item.attrs, &item.generics, read.map(|variant| &variant.fields).collect())
        }
        _ => return None,
    };
    if says_how(attrs) {
        return None;
    }
    let cfg = cfg(attrs);
    let checks: Vec<TokenStream> =
        fields.into_iter().flatten().flat_map(|field| check(field, generics)).collect();
    (!checks.is_empty()).then(|| {
        quote! {
            #(#cfg)*
            const _: fn() = || {
                use #krate::__private as __p;
                use __p::probe::*;
                #(#checks)*
            };
        }
    })
}

fn check(field: &Field, generics: &Generics) -> Vec<TokenStream> {
    if says_how(&field.attrs) || stands_for_others(field.ty.to_token_stream(), generics) {
        return Vec::new();
    }
    let cfg = cfg(&field.attrs);
    let is_header = |attr: &Attribute| attr.path().is_ident(HEADER);
    let header = field.attrs.iter().any(is_header).then(|| assertions::header(&field.ty));
    let checks = assertions::member(&field.ty).into_iter().chain(header);
    checks.map(|check| quote!(#(#cfg)* #check)).collect()
}

/// Whether serde or schemars is told how to read or write it: its type may be anything then.
fn says_how(attrs: &[Attribute]) -> bool {
    const WORDS: [&str; 15] = [
        "skip",
        "skip_serializing",
        "skip_deserializing",
        "with",
        "serialize_with",
        "deserialize_with",
        "schema_with",
        "getter",
        "remote",
        "from",
        "try_from",
        "into",
        "bound",
        "borrow",
        "other",
    ];
    attrs.iter().any(|attr| {
        if let Some((_, metas)) = conditional(attr) {
            return metas.iter().any(|meta| {
                ["serde", "schemars"].iter().any(|word| meta.path().is_ident(word))
            });
        }
        let Ok(list) = attr.meta.require_list() else { return attr.path().is_ident(ID) };
        let options: Vec<TokenTree> = list.tokens.clone().into_iter().collect();
        options.split(is_comma).any(|option| {
            matches!(option, [TokenTree::Ident(word), ..] if WORDS.iter().any(|known| word == known))
        })
    })
}

/// Whether a type is not known beside its item: it borrows, is `Self` or a parameter.
fn stands_for_others(ty: TokenStream, generics: &Generics) -> bool {
    ty.into_iter().any(|token| match token {
        TokenTree::Group(group) => stands_for_others(group.stream(), generics),
        TokenTree::Punct(punct) => punct.as_char() == '\'' || punct.as_char() == '&',
        TokenTree::Ident(ident) => {
            ident == "Self"
                || generics.type_params().any(|param| param.ident == ident)
                || generics.const_params().any(|param| param.ident == ident)
        }
        TokenTree::Literal(_) => false,
    })
}

/// The path of the type that reads and writes an id as text.
pub(crate) fn id(krate: &Path) -> String {
    path(&quote!(#krate::__private::Id))
}

fn path(tokens: &TokenStream) -> String {
    tokens.to_token_stream().to_string().replace(' ', "")
}

//! `#[derive(Form)]`: a struct with named fields.

use std::collections::HashMap;

use proc_macro2::{Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::{Data, DeriveInput, Expr, ExprLit, Fields, Lit, LitStr, spanned::Spanned};

use super::{
    derive, misplaced,
    names::{self, Case, Default, Serde},
    options, secret,
};
use crate::{
    diag::{Bag, Mistake, list, nearest},
    parse::{
        args::{Kind, Options, Spec, take},
        prose,
        words::*,
    },
};

const FIELD_OPTIONS: &[Spec] = &[
    Spec { word: TITLE, kind: Kind::Text, example: "title = \"Due date\"" },
    Spec { word: DEFAULT, kind: Kind::Expr, example: "default = 1" },
    Spec { word: FORMAT, kind: Kind::Text, example: "format = \"email\"" },
    Spec { word: MIN, kind: Kind::Expr, example: "min = 1" },
    Spec { word: MAX, kind: Kind::Expr, example: "max = 100" },
    Spec { word: MIN_LENGTH, kind: Kind::Count, example: "min_length = 1" },
    Spec { word: MAX_LENGTH, kind: Kind::Count, example: "max_length = 80" },
    Spec { word: MIN_ITEMS, kind: Kind::Count, example: "min_items = 1" },
    Spec { word: MAX_ITEMS, kind: Kind::Count, example: "max_items = 3" },
    Spec { word: ENUM_NAMES, kind: Kind::Flag, example: "enum_names" },
    Spec { word: NOT_SECRET, kind: Kind::Flag, example: "not_secret" },
];

/// Expands the derive.
pub(crate) fn form(item: TokenStream) -> TokenStream {
    derive(item, expand)
}

fn expand(input: &DeriveInput, bag: &mut Bag) -> TokenStream {
    let name = &input.ident;
    let (generics, arguments, wheres) = input.generics.split_for_impl();
    let (schema, read) = match fields(input, bag) {
        Some(fields) => {
            let schema = fields.iter().map(Field::schema);
            let local = |field: &Field<'_>| format_ident!("__{}", field.place);
            let reads = fields.iter().map(|field| {
                let (local, ty) = (local(field), &field.syntax.ty);
                quote!(let #local = __form.field::<#ty>();)
            });
            let members = fields.iter().map(|field| {
                let (local, ident) = (local(field), &field.syntax.ident);
                quote!(#ident: #local?)
            });
            (
                quote!(__p::FormSchema::default()#(#schema)*),
                quote!(#(#reads)* ::core::option::Option::Some(Self { #(#members),* })),
            )
        }
        None => (quote!(__p::FormSchema::default()), quote!(::core::option::Option::None)),
    };
    quote! {
        #[automatically_derived]
        impl #generics __p::Form for #name #arguments #wheres {
            fn schema() -> __p::FormSchema {
                #schema
            }
            fn read(__form: &mut __p::FormReader<'_>) -> ::core::option::Option<Self> {
                #read
            }
        }
    }
}

/// A field, understood.
struct Field<'a> {
    place: usize,
    syntax: &'a syn::Field,
    name: LitStr,
    /// What is said of it: calls of methods.
    said: Vec<TokenStream>,
}

impl Field<'_> {
    fn schema(&self) -> TokenStream {
        let Self { name, said, .. } = self;
        let ty = &self.syntax.ty;
        quote!(.field::<#ty>(#name, |__field| __field #(#said)*))
    }
}

fn fields<'a>(input: &'a DeriveInput, bag: &mut Bag) -> Option<Vec<Field<'a>>> {
    let Data::Struct(data) = &input.data else {
        let help = "for an enum that is a choice in a form, `#[derive(Choice)]`";
        bag.add(misplaced(input, "`#[derive(Form)]` goes on a struct", help));
        return None;
    };
    let Fields::Named(fields) = &data.fields else {
        bag.add(
            Mistake::at(&input.ident, "the fields of a form have names").help(
                "write `struct Form { field: Type }`; to ask for consent alone, ask for `()`",
            ),
        );
        return None;
    };
    let case = Case::of(&input.attrs, bag);
    let mut known = HashMap::new();
    let mut found = Vec::new();
    for (place, syntax) in fields.named.iter().enumerate() {
        let ident = syntax.ident.as_ref()?;
        let serde = Serde::of(&syntax.attrs, bag);
        let name = names::name(ident, &serde, case, Case::field);
        if let Some(first) = known.insert(name.value(), ident) {
            let text = format!("two fields are called `{}`, `{first}` and this one", name.value());
            bag.add(Mistake::at(ident, text).help("rename one of them"));
        }
        let mut options = options(&syntax.attrs, FIELD_OPTIONS, bag);
        let public = take!(options, NOT_SECRET, Flag).is_some_and(|(_, flag)| flag);
        let secret = [ident.to_string(), name.value()].iter().find_map(|name| secret::word(name));
        if let (Some(word), false) = (secret, public) {
            bag.add(
                Mistake::at(ident, format!("a form does not ask for a secret such as a {}", word.replace('_', " ")))
                    .note("what is filled in passes through the client and may reach its model")
                    .help("send the person to a page of yours with `ask_url`; where this is no secret, write `#[form(not_secret)]` above it"),
            );
        }
        let mut said = said(&mut options, serde.default, bag);
        if let Some(prose) = prose::of(&syntax.attrs) {
            said.insert(0, quote!(.description(#prose)));
        }
        found.push(Field { place, syntax, name, said });
    }
    Some(found)
}

/// The options as calls, each blamed on its word.
fn said(options: &mut Options, serde: Option<Default>, bag: &mut Bag) -> Vec<TokenStream> {
    let mut said = Vec::new();
    if let Some((_, title)) = take!(options, TITLE, Text) {
        said.push(quote!(.title(#title)));
    }
    if let Some((key, text)) = take!(options, FORMAT, Text) {
        said.extend(format(key, &text, bag));
    }
    for word in [MIN, MAX] {
        if let Some((key, value)) = take!(options, word, Expr) {
            let method = syn::Ident::new(word, key);
            said.push(quote!(.#method(#value)));
        }
    }
    for word in [MIN_LENGTH, MAX_LENGTH, MIN_ITEMS, MAX_ITEMS] {
        if let Some((key, count)) = take!(options, word, Count) {
            let method = syn::Ident::new(word, key);
            let count = u32::try_from(count).unwrap_or(u32::MAX);
            said.push(quote!(.#method(#count)));
        }
    }
    if let Some((key, true)) = take!(options, ENUM_NAMES, Flag) {
        said.push(quote_spanned!(key=> .enum_names()));
    }
    match (take!(options, DEFAULT, Expr), serde) {
        (Some((_, value)), None) => {
            let value = default(&value);
            said.push(quote!(.default(#value)));
        }
        (Some((key, _)), Some(_)) => bag.add(
            Mistake::at_span(key, "this field has two defaults").help("remove one of the two"),
        ),
        (None, Some(Default::Own(word))) => {
            let own = quote_spanned!(word.span()=> ::core::default::Default::default());
            said.push(quote!(.or(#own)));
        }
        (None, Some(Default::Path(path))) => said.push(quote!(.or(#path()))),
        (None, None) => {}
    }
    said
}

/// A text in quotes is a `String`, and values in brackets are a list.
fn default(value: &Expr) -> TokenStream {
    match value {
        Expr::Lit(ExprLit { lit: Lit::Str(_), .. }) | Expr::Array(_) => {
            quote_spanned!(value.span()=> ::core::convert::Into::into(#value))
        }
        _ => quote!(#value),
    }
}

const FORMATS: [(&str, &str); 4] =
    [("email", "Email"), ("uri", "Uri"), ("date", "Date"), ("date-time", "DateTime")];

fn format(key: Span, text: &LitStr, bag: &mut Bag) -> Option<TokenStream> {
    let value = text.value();
    let known = FORMATS.map(|(word, _)| word);
    let Some((_, variant)) = FORMATS.iter().find(|(word, _)| *word == value) else {
        let mistake = Mistake::at(text, format!("forms have no format `{value}`"));
        bag.add(match nearest(&value, known) {
            Some(meant) => {
                mistake.help(format!("write `{meant}`; the formats are {}", list(known)))
            }
            None => mistake.help(format!("the formats are {}", list(known))),
        });
        return None;
    };
    let (method, variant) = (syn::Ident::new(FORMAT, key), format_ident!("{variant}"));
    Some(quote!(.#method(__p::TextFormat::#variant)))
}

//! `#[derive(Form)]`: a struct with named fields.

use std::collections::HashMap;

use proc_macro2::{Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::{Data, DeriveInput, Expr, ExprLit, Fields, Ident, Lit, LitStr, spanned::Spanned};

use super::{
    derive, misplaced,
    names::{self, Case, Default, Serde},
    options, secret,
};
use crate::{
    diag::{Bag, Mistake, list, nearest},
    expand::{local, local_at},
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
    let pass = match fields(input, bag) {
        Some(fields) => {
            let local = |field: &Field<'_>| format_ident!("__{}", field.place);
            let passes = fields.iter().map(|field| {
                let (local, pass) = (local(field), field.pass());
                quote!(let #local = #pass;)
            });
            let members = fields.iter().map(|field| {
                let (local, ident) = (local(field), &field.syntax.ident);
                quote!(#ident: #local?)
            });
            quote!(#(#passes)* ::core::option::Option::Some(Self { #(#members),* }))
        }
        None => quote!(::core::option::Option::None),
    };
    quote! {
        #[automatically_derived]
        impl #generics __p::Form for #name #arguments #wheres {
            fn pass(__form: &mut __p::FormPass<'_>) -> ::core::option::Option<Self> {
                #pass
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
    said: Vec<Said>,
}

impl Field<'_> {
    fn pass(&self) -> TokenStream {
        let Self { name, said, .. } = self;
        let ty = &self.syntax.ty;
        let it = local("__field");
        let said = said.iter().map(|Said { key, method, value }| {
            // rustc blames what a method is called on, so that has the place of the word.
            let (at, method) = (local_at("__field", *key), Ident::new(method, *key));
            quote!(let #it = #at.#method(#value);)
        });
        quote!(__form.field::<#ty>(#name, |#it| { #(#said)* #it }))
    }
}

/// Something that is said of a field: a call of a method.
struct Said {
    key: Span,
    method: &'static str,
    value: TokenStream,
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
        if !public && (secret::is_called(&ident.to_string()) || secret::is_called(&name.value())) {
            bag.add(secret::mistake(ident));
        }
        let mut said = said(&mut options, serde.default, bag);
        if let Some(prose) = prose::of(&syntax.attrs) {
            said.push(Said { key: ident.span(), method: "description", value: prose });
        }
        found.push(Field { place, syntax, name, said });
    }
    Some(found)
}

/// The options as calls, each blamed on its word.
fn said(options: &mut Options, serde: Option<Default>, bag: &mut Bag) -> Vec<Said> {
    let mut said = Vec::new();
    let mut say = |key, method, value| said.push(Said { key, method, value });
    if let Some((key, title)) = take!(options, TITLE, Text) {
        say(key, "title", quote!(#title));
    }
    if let Some((key, text)) = take!(options, FORMAT, Text)
        && let Some(format) = format(&text, bag)
    {
        say(key, FORMAT, format);
    }
    for word in [MIN, MAX] {
        if let Some((key, value)) = take!(options, word, Expr) {
            say(key, word, quote!(#value));
        }
    }
    for word in [MIN_LENGTH, MAX_LENGTH, MIN_ITEMS, MAX_ITEMS] {
        if let Some((key, count)) = take!(options, word, Count) {
            let count = u32::try_from(count).unwrap_or(u32::MAX);
            say(key, word, quote!(#count));
        }
    }
    if let Some((key, flag)) = take!(options, ENUM_NAMES, Flag) {
        say(key, ENUM_NAMES, quote!(#flag));
    }
    match (take!(options, DEFAULT, Expr), serde) {
        (Some((key, value)), None) => say(key, DEFAULT, default(&value)),
        (Some((key, _)), Some(_)) => bag.add(
            Mistake::at_span(key, "this field has two defaults").help("remove one of the two"),
        ),
        (None, Some(Default::Own(word))) => {
            let own = quote_spanned!(word.span()=> ::core::default::Default::default());
            say(word.span(), "or", own);
        }
        (None, Some(Default::Path(path))) => say(path.span(), "or", quote!(#path())),
        (None, None) => {}
    }
    said
}

/// A text in quotes is a `String`, and values in brackets are a list.
fn default(value: &Expr) -> TokenStream {
    let at = value.span();
    match value {
        Expr::Lit(ExprLit { lit: Lit::Str(_), .. }) => quote_spanned!(at=> __p::text(#value)),
        Expr::Array(_) => quote_spanned!(at=> __p::list(#value)),
        _ => quote!(#value),
    }
}

const FORMATS: [(&str, &str); 4] =
    [("email", "Email"), ("uri", "Uri"), ("date", "Date"), ("date-time", "DateTime")];

fn format(text: &LitStr, bag: &mut Bag) -> Option<TokenStream> {
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
    let variant = format_ident!("{variant}");
    Some(quote!(__p::TextFormat::#variant))
}

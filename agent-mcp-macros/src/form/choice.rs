//! `#[derive(Choice)]`: an enum without data.

use std::collections::HashMap;

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Attribute, Data, DeriveInput, LitStr, Variant};

use super::{
    derive, misplaced,
    names::{self, Case, Serde},
    options,
};
use crate::{
    diag::{Bag, Mistake},
    parse::{
        args::{Kind, Spec, take},
        prose,
        words::*,
    },
};

const VARIANT_OPTIONS: &[Spec] =
    &[Spec { word: TITLE, kind: Kind::Text, example: "title = \"In progress\"" }];

/// Expands the derive.
pub(crate) fn choice(item: TokenStream) -> TokenStream {
    derive(item, expand)
}

fn expand(input: &DeriveInput, bag: &mut Bag) -> TokenStream {
    let options = variants(input, bag).unwrap_or_default();
    let name = &input.ident;
    let (generics, arguments, wheres) = input.generics.split_for_impl();
    let written = options.iter().map(|option| {
        let Choosable { value, title, .. } = option;
        let title = match title {
            Some(title) => quote!(::core::option::Option::Some(#title)),
            None => quote!(::core::option::Option::None),
        };
        quote!(__p::FormOption::new(#value, #title))
    });
    let at = options.iter().enumerate().map(|(place, option)| {
        let variant = &option.variant.ident;
        quote!(#place => ::core::option::Option::Some(Self::#variant),)
    });
    let place = options.iter().enumerate().map(|(place, option)| {
        let variant = &option.variant.ident;
        quote!(Self::#variant { .. } => #place,)
    });
    let Data::Enum(all) = &input.data else {
        return quote! {
            #[automatically_derived]
            impl #generics __p::Choice for #name #arguments #wheres {
                const OPTIONS: &'static [__p::FormOption] = &[];
                fn at(_: usize) -> ::core::option::Option<Self> { ::core::option::Option::None }
                fn place(&self) -> usize { 0 }
            }
        };
    };
    // What was left out for a mistake is not missed besides.
    let rest = (options.len() < all.variants.len() || options.is_empty()).then(|| quote!(_ => 0,));
    quote! {
        #[automatically_derived]
        impl #generics __p::Choice for #name #arguments #wheres {
            const OPTIONS: &'static [__p::FormOption] = &[#(#written),*];
            fn at(__place: usize) -> ::core::option::Option<Self> {
                match __place {
                    #(#at)*
                    _ => ::core::option::Option::None,
                }
            }
            fn place(&self) -> usize {
                match self { #(#place)* #rest }
            }
        }
    }
}

/// A variant as an option of the choice.
struct Choosable<'a> {
    variant: &'a Variant,
    value: LitStr,
    title: Option<TokenStream>,
}

fn variants<'a>(input: &'a DeriveInput, bag: &mut Bag) -> Option<Vec<Choosable<'a>>> {
    let Data::Enum(data) = &input.data else {
        let help = "for the whole form, `#[derive(Form)]`";
        bag.add(misplaced(input, "`#[derive(Choice)]` goes on an enum", help));
        return None;
    };
    if data.variants.is_empty() {
        bag.add(
            Mistake::at(&input.ident, format!("`{}` leaves nothing to choose", input.ident))
                .help("give it a variant for each option"),
        );
    }
    let case = Case::of(&input.attrs, bag);
    let mut known = HashMap::new();
    let mut options = Vec::new();
    for variant in &data.variants {
        if !variant.fields.is_empty() {
            bag.add(
                Mistake::at(&variant.fields, "an option of a choice has no data")
                    .note("a form is flat: a person picks an option, and that is all")
                    .help("make the data a field of the form, or ask for it in a second form"),
            );
            continue;
        }
        let serde = Serde::of(&variant.attrs, bag);
        let value = names::name(&variant.ident, &serde, case, Case::variant);
        if let Some(first) = known.insert(value.value(), &variant.ident) {
            let text =
                format!("two options are called `{}`, `{first}` and this one", value.value());
            bag.add(Mistake::at(&variant.ident, text).help("rename one of them"));
        }
        let title = title(&variant.attrs, bag);
        options.push(Choosable { variant, value, title });
    }
    Some(options)
}

/// What people read: the title, or the first paragraph of the documentation.
fn title(attrs: &[Attribute], bag: &mut Bag) -> Option<TokenStream> {
    let mut options = options(attrs, VARIANT_OPTIONS, bag);
    if let Some((_, title)) = take!(options, TITLE, Text) {
        return Some(quote!(#title));
    }
    let prose = prose::of(attrs)?;
    let Ok(text) = syn::parse2::<LitStr>(prose.clone()) else { return Some(prose) };
    let paragraph = text.value();
    let paragraph = paragraph.split("\n\n").next().unwrap_or_default().replace('\n', " ");
    let title = LitStr::new(&paragraph, text.span());
    Some(quote!(#title))
}

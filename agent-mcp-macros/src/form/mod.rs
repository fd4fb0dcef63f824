//! `#[derive(Form)]` and `#[derive(Choice)]`.
//!
//! A mistake leaves an implementation behind, so that it is one error.

mod choice;
mod fields;
mod names;
mod secret;

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Attribute, Data, DeriveInput, Path, Token, punctuated::Punctuated};

pub(crate) use choice::choice;
pub(crate) use fields::form;

use crate::{
    crate_path,
    diag::{Bag, Mistake},
    parse::{
        args::{self, Kind, Options, Spec},
        words::*,
    },
};

/// Of a whole struct or enum.
const CONTAINER_OPTIONS: &[Spec] =
    &[Spec { word: CRATE, kind: Kind::Path, example: "crate = ::agent_mcp" }];

/// What both derives begin and end with.
fn derive(
    item: TokenStream,
    expand: impl FnOnce(&DeriveInput, &mut Bag) -> TokenStream,
) -> TokenStream {
    let mut bag = Bag::new();
    let input: DeriveInput = match syn::parse2(item) {
        Ok(input) => input,
        Err(error) => {
            bag.add(error);
            return bag.into_errors();
        }
    };
    let krate = krate(&input.attrs, &mut bag);
    let expanded = expand(&input, &mut bag);
    let errors = bag.into_errors();
    quote! {
        const _: () = {
            use #krate::__private as __p;
            #expanded
        };
        #errors
    }
}

fn krate(attrs: &[Attribute], bag: &mut Bag) -> Path {
    let mut options = options(attrs, CONTAINER_OPTIONS, bag);
    crate_path::of(&mut options)
}

/// The options of all `#[form(..)]` together.
fn options(attrs: &[Attribute], specs: &[Spec], bag: &mut Bag) -> Options {
    let mut all: Punctuated<TokenStream, Token![,]> = Punctuated::new();
    for attr in attrs.iter().filter(|attr| attr.path().is_ident(FORM)) {
        match attr.meta.require_list() {
            Ok(list) if list.tokens.is_empty() => {}
            Ok(list) => all.push(list.tokens.clone()),
            Err(error) => bag.add(error),
        }
    }
    args::parse(quote!(#all), FORM, specs, bag)
}

/// Says that a derive is at the wrong kind of item.
fn misplaced(input: &DeriveInput, mistake: impl Into<String>, help: &str) -> Mistake {
    let keyword = match &input.data {
        Data::Struct(data) => data.struct_token.span,
        Data::Enum(data) => data.enum_token.span,
        Data::Union(data) => data.union_token.span,
    };
    Mistake::at_span(keyword, mistake).help(help)
}

//! Parse, lower, check, expand, on `proc_macro2` types so that it can be tested without a compiler.
//!
//! What the user wrote comes out in any case, without our helper attributes, so that a mistake here
//! causes no second error elsewhere.

use proc_macro2::{Span, TokenStream};
use quote::quote;
use syn::{Fields, Item};

use crate::{
    check, crate_path,
    diag::{Bag, Mistake},
    expand, lower,
    parse::{
        args::{self, Kind, Spec},
        item::Block,
        words::*,
    },
    recover,
};

/// `#[agent]`.
pub(crate) fn agent(attr: TokenStream, item: TokenStream) -> TokenStream {
    let mut block: Block = match syn::parse2(item.clone()) {
        Ok(block) => block,
        Err(error) => return not_a_block(item, &error),
    };
    let mut bag = Bag::new();
    let mut options = lower::options(attr, &mut bag);
    let krate = crate_path::of(&mut options);
    for error in block.unfinished.drain(..) {
        bag.add(error);
    }
    let generated = lower::agent(options, &krate, &block, &mut bag).map(|mut model| {
        check::agent(&mut model, &mut block, &mut bag);
        expand::agent(&model)
    });
    recover::strip(&mut block, &krate);
    let errors = bag.into_errors();
    quote!(#block #generated #errors)
}

fn not_a_block(item: TokenStream, error: &syn::Error) -> TokenStream {
    let mut bag = Bag::new();
    let head = recover::head(&item);
    bag.add(match head.to_string().as_str() {
        "impl" | "unsafe" => Mistake::from(error.clone()),
        _ => Mistake::at(&head, "`#[agent]` goes on an impl block").help(format!(
            "write it above `impl {} {{ .. }}`, where the methods are",
            named(&item)
        )),
    });
    let errors = bag.into_errors();
    let item = recover::whole(item);
    quote!(#item #errors)
}

/// The name of a type, as far as the item is one.
fn named(item: &TokenStream) -> String {
    match syn::parse2(item.clone()) {
        Ok(Item::Struct(item)) => item.ident.to_string(),
        Ok(Item::Enum(item)) => item.ident.to_string(),
        _ => "Type".to_owned(),
    }
}

/// `#[capability]`, `#[resource]`, `#[context]`, `#[prompt]` where `#[agent]` has not taken them off.
pub(crate) fn stray(word: &str, item: TokenStream) -> TokenStream {
    let mut bag = Bag::new();
    let here = Span::call_site();
    // At the attribute, as if it were written by hand: rustc says nothing of macros then.
    let at = item.clone().into_iter().next().map_or(here, |token| token.span().located_at(here));
    bag.add(
        Mistake::at_span(
            at,
            format!("`#[{word}]` works on the methods of an impl block with `#[agent]`"),
        )
        .help("put `#[agent]` above the impl block; move a free function into one"),
    );
    let errors = bag.into_errors();
    // An item inside of an impl block cannot be followed by a macro call with another kind of item,
    // and `compile_error!` is none, so it may stand there too.
    quote!(#item #errors)
}

const DATA_OPTIONS: &[Spec] =
    &[Spec { word: CRATE, kind: Kind::Path, example: "crate = ::agent_mcp" }];

/// `#[agent_mcp::data]`.
pub(crate) fn data(attr: TokenStream, item: TokenStream) -> TokenStream {
    let mut bag = Bag::new();
    let mut options = args::parse(attr, DATA, DATA_OPTIONS, &mut bag);
    let krate = crate_path::of(&mut options);
    let head = recover::head(&item);
    let is_type = ["struct", "enum"].contains(&&*head.to_string());
    let parsed = syn::parse2(item.clone()).or_else(|error| {
        let mended = if is_type { recover::mended(&item) } else { None };
        bag.add(error.clone());
        mended.ok_or(error)
    });
    let expanded = match parsed {
        Ok(mut parsed @ (Item::Struct(_) | Item::Enum(_))) => {
            let checks = expand::data::checks(&krate, &parsed);
            fields(&mut parsed, &krate, &mut bag);
            let item = expand::data::item(&krate, &parsed);
            quote!(#checks #item)
        }
        Ok(_) => {
            bag.add(
                Mistake::at(&head, "`#[agent_mcp::data]` goes on a struct or an enum")
                    .help("for methods, put `#[agent]` on the impl block"),
            );
            item
        }
        Err(_) => recover::whole(item),
    };
    let errors = bag.into_errors();
    quote!(#expanded #errors)
}

/// Turns our attributes on fields into what they stand for, and takes off what serde would report in words of its
/// own.
fn fields(item: &mut Item, krate: &syn::Path, bag: &mut Bag) {
    let id = expand::data::id(krate);
    let fields: Vec<&mut Fields> = match item {
        Item::Struct(item) => vec![&mut item.fields],
        Item::Enum(item) => item.variants.iter_mut().map(|variant| &mut variant.fields).collect(),
        _ => return,
    };
    for fields in fields {
        let mut headers = Vec::new();
        for field in fields {
            let ty = &field.ty;
            field.attrs.retain(|attr| match lower::misread::misread(attr, ty) {
                Some(mistake) => {
                    bag.add(mistake);
                    false
                }
                None => true,
            });
            let header = lower::header::of(&field.attrs, field.ident.as_ref(), bag);
            headers.extend(
                header.map(|header| (header, lower::cfg(&field.attrs), field.ident.clone())),
            );
            lower::param::in_place(&mut field.attrs, &id, &field.ty);
        }
        let headers = headers.iter().map(|(name, cfg, field)| (name, &**cfg, field.as_ref()));
        lower::header::unique(headers, bag);
    }
}

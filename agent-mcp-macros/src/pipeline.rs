//! Parse, lower, check, expand, on `proc_macro2` types so that it can be tested without a compiler.
//!
//! What the user wrote comes out in any case, without our helper attributes, so that a mistake here
//! causes no second error elsewhere.

use proc_macro2::TokenStream;
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
    let is_block = item.clone().into_iter().any(|token| token.to_string() == "impl");
    bag.add(if is_block {
        Mistake::from(error.clone())
    } else {
        let head: TokenStream = item.clone().into_iter().take(1).collect();
        Mistake::at(&head, "`#[agent]` goes on an impl block")
            .help("write it above `impl Type { .. }`, where the methods are")
    });
    let errors = bag.into_errors();
    quote!(#item #errors)
}

/// `#[capability]`, `#[resource]`, `#[context]` where `#[agent]` has not taken them off.
pub(crate) fn stray(word: &str, item: TokenStream) -> TokenStream {
    let mut bag = Bag::new();
    bag.add(
        Mistake::at_span(
            proc_macro2::Span::call_site(),
            format!("`#[{word}]` works on the methods of an impl block with `#[agent]`"),
        )
        .help("put `#[agent]` above the impl block"),
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
    let expanded = match syn::parse2(item.clone()) {
        Ok(mut parsed @ (Item::Struct(_) | Item::Enum(_))) => {
            fields(&mut parsed, &krate, &mut bag);
            expand::data::item(&krate, &parsed)
        }
        _ => {
            let head: TokenStream = item.clone().into_iter().take(1).collect();
            bag.add(
                Mistake::at(&head, "`#[agent_mcp::data]` goes on a struct or an enum")
                    .help("for methods, put `#[agent]` on the impl block"),
            );
            item
        }
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

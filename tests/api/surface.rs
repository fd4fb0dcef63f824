//! What of a crate's source is public, with its bodies and its prose left out.

use std::collections::BTreeSet;

use proc_macro2::{TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::{
    Attribute, Fields, File, ImplItem, Item, ItemImpl, ItemUse, TraitItem, Type, Visibility,
    parse_quote,
};

use crate::source::{Crate, Place, cfg, ident, leaves};

/// The list, as Rust that nobody compiles.
pub(crate) fn list(krate: &Crate) -> String {
    let mut surface = Surface { krate, shown: BTreeSet::new() };
    let items = surface.module(&Vec::new());
    let file = File { shebang: None, frontmatter: None, attrs: Vec::new(), items };
    prettyplease::unparse(&file)
}

struct Surface<'a> {
    krate: &'a Crate,
    /// What is shown in full already, at the first of its paths.
    shown: BTreeSet<(Place, String)>,
}

impl Surface<'_> {
    /// What a public module has.
    fn module(&mut self, place: &Place) -> Vec<Item> {
        let mut found = Vec::new();
        for item in &self.krate.modules[place].items {
            match item {
                Item::Use(item) if is_public(&item.vis) => found.extend(self.exported(place, item)),
                Item::Mod(module) if is_public(&module.vis) && !is_hidden(&module.attrs) => {
                    let (attrs, ident) = (kept(&module.attrs), &module.ident);
                    let inner = self.module(&[&place[..], &[ident.to_string()]].concat());
                    found.push(parse_quote!(#(#attrs)* pub mod #ident { #(#inner)* }));
                }
                item => {
                    if let Some(name) = ident(item) {
                        found.extend(self.defined(place, &name.to_string()));
                    }
                }
            }
        }
        found
    }

    /// What a `pub use` shows: definitions of this crate in full, others by name.
    fn exported(&mut self, place: &Place, item: &ItemUse) -> Vec<Item> {
        let attrs: Vec<Attribute> = cfg(&item.attrs).collect();
        let mut found = Vec::new();
        if is_hidden(&item.attrs) {
            return found;
        }
        for (path, called) in leaves(&item.tree) {
            assert_ne!(called, "*", "the list cannot look through a glob");
            let definition = self.krate.find(place, &path);
            match definition {
                Some((at, name))
                    if name == called && !self.shown.contains(&(at.clone(), name.clone())) =>
                {
                    found.extend(self.defined(&at, &name));
                }
                _ => {
                    let path: Type = syn::parse_str(&path.join("::")).unwrap();
                    let name: syn::Ident = syn::parse_str(&called).unwrap();
                    let same = path.to_token_stream().to_string().ends_with(&called);
                    let renamed = (!same).then(|| quote!(as #name));
                    found.push(parse_quote!(#(#attrs)* pub use #path #renamed;));
                }
            }
        }
        found
    }

    /// A public definition and what is implemented for it.
    fn defined(&mut self, place: &Place, name: &str) -> Vec<Item> {
        let module = &self.krate.modules[place];
        let definitions =
            module.items.iter().filter(|item| ident(item).is_some_and(|it| it == name));
        let mut found: Vec<Item> = definitions.filter_map(bare).collect();
        if found.is_empty() || !self.shown.insert((place.clone(), name.to_owned())) {
            return Vec::new();
        }
        for (at, module) in &self.krate.modules {
            for item in &module.items {
                match item {
                    Item::Impl(item) if self.is_for(at, &item.self_ty, place, name) => {
                        found.extend(implementation(item, &module.cfg));
                    }
                    Item::Macro(item) => found.extend(made(&item.mac.tokens, module, name)),
                    _ => {}
                }
            }
        }
        found
    }

    fn is_for(&self, at: &Place, ty: &Type, place: &Place, name: &str) -> bool {
        let ty = match ty {
            Type::Reference(reference) => &reference.elem,
            ty => ty,
        };
        let Type::Path(ty) = ty else { return false };
        let path: Vec<String> = ty.path.segments.iter().map(|it| it.ident.to_string()).collect();
        self.krate.find(at, &path).is_some_and(|(at, found)| at == *place && found == name)
    }
}

/// A public definition without what is private in it; private fields are told by `non_exhaustive`.
fn bare(item: &Item) -> Option<Item> {
    let mut item = item.clone();
    let (vis, attrs) = match &mut item {
        Item::Const(item) => {
            *item.expr = parse_quote!(..);
            (&item.vis, &mut item.attrs)
        }
        Item::Enum(item) => {
            for variant in &mut item.variants {
                variant.attrs = kept(&variant.attrs);
                variant.fields.iter_mut().for_each(|field| field.attrs = kept(&field.attrs));
            }
            (&item.vis, &mut item.attrs)
        }
        Item::Fn(item) => {
            item.block = parse_quote!({});
            (&item.vis, &mut item.attrs)
        }
        Item::Struct(item) => {
            let all = item.fields.len();
            if let Fields::Named(fields) = &mut item.fields {
                let public = std::mem::take(&mut fields.named).into_iter();
                fields.named = public.filter(|field| is_public(&field.vis)).collect();
            }
            item.fields.iter_mut().for_each(|field| field.attrs = kept(&field.attrs));
            let is_tuple = matches!(item.fields, Fields::Unnamed(_));
            let has_private = item.fields.iter().any(|field| !is_public(&field.vis));
            if item.fields.len() < all || (is_tuple && has_private) {
                item.attrs.push(parse_quote!(#[non_exhaustive]));
            }
            if is_tuple && has_private {
                item.fields = Fields::Unit;
                item.semi_token = Some(Default::default());
            }
            (&item.vis, &mut item.attrs)
        }
        Item::Trait(item) => {
            item.items.retain(|item| !is_hidden(attrs_of(item)));
            for item in &mut item.items {
                match item {
                    TraitItem::Fn(item) => {
                        item.attrs = kept(&item.attrs);
                        item.default = item.default.as_ref().map(|_| parse_quote!({}));
                    }
                    TraitItem::Const(item) => item.attrs = kept(&item.attrs),
                    TraitItem::Type(item) => item.attrs = kept(&item.attrs),
                    _ => {}
                }
            }
            (&item.vis, &mut item.attrs)
        }
        Item::Type(item) => (&item.vis, &mut item.attrs),
        _ => return None,
    };
    if !is_public(vis) || is_hidden(attrs) {
        return None;
    }
    *attrs = kept(attrs);
    Some(item)
}

fn attrs_of(item: &TraitItem) -> &[Attribute] {
    match item {
        TraitItem::Const(item) => &item.attrs,
        TraitItem::Fn(item) => &item.attrs,
        TraitItem::Type(item) => &item.attrs,
        _ => &[],
    }
}

/// The public methods of an impl block, or the trait that it implements.
fn implementation(block: &ItemImpl, around: &[Attribute]) -> Option<Item> {
    let mut block = block.clone();
    let is_trait = block.trait_.is_some();
    block.items.retain(|item| match item {
        ImplItem::Fn(item) => !is_trait && is_public(&item.vis) && !is_hidden(&item.attrs),
        ImplItem::Const(item) => !is_trait && is_public(&item.vis) && !is_hidden(&item.attrs),
        ImplItem::Type(_) => true,
        _ => false,
    });
    if is_hidden(&block.attrs) || (!is_trait && block.items.is_empty()) {
        return None;
    }
    for item in &mut block.items {
        match item {
            ImplItem::Fn(item) => {
                item.attrs = kept(&item.attrs);
                item.block = parse_quote!({});
            }
            ImplItem::Const(item) => {
                item.attrs = kept(&item.attrs);
                item.expr = parse_quote!(..);
            }
            ImplItem::Type(item) => item.attrs = kept(&item.attrs),
            _ => {}
        }
    }
    block.attrs = around.iter().cloned().chain(kept(&block.attrs)).collect();
    Some(Item::Impl(block))
}

/// The methods that a call of a `macro_rules!` in the same module makes for `name`.
fn made(call: &TokenStream, module: &crate::source::Module, name: &str) -> Vec<Item> {
    let names = call.clone().into_iter();
    if !names.into_iter().any(|token| matches!(token, TokenTree::Ident(ident) if ident == name)) {
        return Vec::new();
    }
    let mut methods = Vec::new();
    for item in &module.items {
        let Item::Macro(item) = item else { continue };
        if item.ident.is_some() {
            signatures(&item.mac.tokens, &mut methods);
        }
    }
    let ident: syn::Ident = syn::parse_str(name).unwrap();
    if methods.is_empty() { Vec::new() } else { vec![parse_quote!(impl #ident { #(#methods)* })] }
}

/// The `pub fn`s in the tokens of a macro, with empty bodies.
fn signatures(tokens: &TokenStream, found: &mut Vec<TokenStream>) {
    let mut signature: Option<TokenStream> = None;
    let tokens: Vec<TokenTree> = tokens.clone().into_iter().collect();
    for (n, token) in tokens.iter().enumerate() {
        let is = |n: usize, word: &str| matches!(tokens.get(n), Some(TokenTree::Ident(ident)) if ident == word);
        if is(n, "pub") && is(n + 1, "fn") {
            signature = Some(TokenStream::new());
        }
        match (&mut signature, token) {
            (Some(_), TokenTree::Group(group)) if group.to_string().starts_with('{') => {
                let signature = signature.take();
                found.push(quote!(#signature {}));
            }
            (Some(signature), token) => signature.extend([token.clone()]),
            (None, TokenTree::Group(group)) => signatures(&group.stream(), found),
            (None, _) => {}
        }
    }
}

fn is_public(vis: &Visibility) -> bool {
    matches!(vis, Visibility::Public(_))
}

fn is_hidden(attrs: &[Attribute]) -> bool {
    attrs.iter().any(|attr| {
        attr.path().is_ident("doc") && attr.to_token_stream().to_string().contains("hidden")
    })
}

/// The attributes that say something to a user of the item.
fn kept(attrs: &[Attribute]) -> Vec<Attribute> {
    const WORDS: [&str; 5] = ["cfg", "deprecated", "derive", "must_use", "non_exhaustive"];
    attrs
        .iter()
        .filter(|attr| WORDS.iter().any(|word| attr.path().is_ident(word)))
        .cloned()
        .collect()
}

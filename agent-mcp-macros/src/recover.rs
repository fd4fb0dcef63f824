//! The user's item without our helper attributes.
//!
//! It is what is emitted in any case, with mistakes or without, so that one mistake is one error:
//! whoever calls the methods still finds them.

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use quote::quote;
use syn::{
    Attribute, FnArg, Meta, Path, Token, Visibility, parse::ParseStream, parse::Parser,
    parse_quote, punctuated::Punctuated,
};

use crate::{
    lower::param::is_comma,
    parse::{
        item::{Block, Item},
        words::{ARGS, CAPABILITY, CONTEXT, HEADER, ID, PROMPT, RESOURCE, SUGGEST},
    },
};

/// The helper attribute that `path` names: `capability`, or through our crate `agent_mcp::capability`.
pub(crate) fn helper(path: &Path, krate: &Path) -> Option<&'static str> {
    let last = path.segments.last()?;
    let word =
        [CAPABILITY, RESOURCE, CONTEXT, PROMPT].into_iter().find(|word| last.ident == word)?;
    let is_ours = match path.segments.len() {
        1 => true,
        many => {
            let module = &path.segments[many - 2].ident;
            module == "agent_mcp" || krate.segments.last().is_some_and(|last| last.ident == *module)
        }
    };
    is_ours.then_some(word)
}

/// Takes our helper attributes off.
pub(crate) fn strip(block: &mut Block, krate: &Path) {
    for item in &mut block.items {
        let method = match item {
            Item::Method(method) => method,
            Item::Macro(tokens) | Item::Other(tokens) => {
                while let Some((_, rest)) = stray(tokens, krate) {
                    *tokens = rest;
                }
                continue;
            }
        };
        let before = method.attrs.len();
        let mut ours = false;
        method.attrs = std::mem::take(&mut method.attrs)
            .into_iter()
            .filter_map(|attr| {
                without(attr, &mut |path| {
                    let is_helper = helper(path, krate).is_some();
                    ours |= is_helper;
                    is_helper
                })
            })
            .collect();
        if !ours && method.attrs.len() == before {
            continue;
        }
        for input in &mut method.sig.inputs {
            let attrs = match input {
                FnArg::Receiver(receiver) => &mut receiver.attrs,
                FnArg::Typed(param) => &mut param.attrs,
            };
            *attrs = std::mem::take(attrs)
                .into_iter()
                .filter_map(|attr| without(attr, &mut is_for_field))
                .collect();
        }
    }
}

/// The path of a helper attribute in front of an item that is no method, and the item without the attribute.
pub(crate) fn stray(item: &TokenStream, krate: &Path) -> Option<(Path, TokenStream)> {
    let attrs = |input: ParseStream<'_>| {
        let attrs = input.call(Attribute::parse_outer)?;
        Ok((attrs, input.parse::<TokenStream>()?))
    };
    let (mut attrs, rest) = attrs.parse2(item.clone()).ok()?;
    let at = attrs.iter().position(|attr| helper(attr.path(), krate).is_some())?;
    let stray = attrs.remove(at);
    Some((stray.path().clone(), quote!(#(#attrs)* #rest)))
}

/// Whether an attribute of a parameter belongs to the input's field; rustc takes none of them there.
pub(crate) fn is_for_field(path: &Path) -> bool {
    ["doc", "serde", "schemars", ARGS, HEADER, ID, SUGGEST].iter().any(|word| path.is_ident(word))
}

/// The attribute, unless it is `taken`; inside of `cfg_attr`, what is left of it.
fn without(attr: Attribute, taken: &mut impl FnMut(&Path) -> bool) -> Option<Attribute> {
    let Some((condition, metas)) = conditional(&attr) else {
        return (!taken(attr.path())).then_some(attr);
    };
    let all = metas.len();
    let kept: Vec<Meta> = metas.into_iter().filter(|meta| !taken(meta.path())).collect();
    match kept.len() {
        0 if all > 0 => None,
        left if left == all => Some(attr),
        _ => Some(parse_quote!(#[cfg_attr(#condition, #(#kept),*)])),
    }
}

/// The first token of an item behind its attributes and its visibility.
pub(crate) fn head(item: &TokenStream) -> TokenStream {
    let head = |input: ParseStream<'_>| {
        let ahead = input.fork();
        input.parse::<TokenStream>()?;
        ahead.call(Attribute::parse_outer)?;
        ahead.parse::<Visibility>()?;
        ahead.parse::<TokenTree>()
    };
    head.parse2(item.clone()).map(TokenStream::from).unwrap_or_default()
}

/// An item that we cannot read, without our helper attributes; nothing where it ends too soon for anybody.
pub(crate) fn whole(item: TokenStream) -> TokenStream {
    let is_whole = match item.clone().into_iter().last() {
        Some(TokenTree::Punct(punct)) => punct.as_char() == ';',
        Some(TokenTree::Group(group)) => group.delimiter() == Delimiter::Brace,
        _ => false,
    };
    if is_whole { bare(item) } else { TokenStream::new() }
}

/// A struct or an enum without the members that cannot be read: what an editor sees while one is being typed.
pub(crate) fn mended(item: &TokenStream) -> Option<syn::Item> {
    let mut before: Vec<TokenTree> = item.clone().into_iter().collect();
    let Some(TokenTree::Group(members)) = before.pop() else { return None };
    let of = |members: TokenStream| {
        let group = Group::new(Delimiter::Brace, members);
        syn::parse2::<syn::Item>(quote!(#(#before)* #group)).ok()
    };
    let members: Vec<TokenTree> = members.stream().into_iter().collect();
    let sound = members
        .split(is_comma)
        .map(|member| quote!(#(#member)*))
        .filter(|member| of(member.clone()).is_some());
    of(quote!(#(#sound),*))
}

/// The tokens without our helper attributes, in whatever they stand.
fn bare(tokens: TokenStream) -> TokenStream {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let mut kept = TokenStream::new();
    let mut n = 0;
    while n < tokens.len() {
        match &tokens[n..] {
            [TokenTree::Punct(hash), TokenTree::Group(attr), ..]
                if hash.as_char() == '#' && is_helper(attr.stream()) =>
            {
                n += 1;
            }
            [TokenTree::Group(group), ..] => {
                let mut inner = Group::new(group.delimiter(), bare(group.stream()));
                inner.set_span(group.span());
                kept.extend([TokenTree::Group(inner)]);
            }
            [other, ..] => kept.extend([other.clone()]),
            [] => {}
        }
        n += 1;
    }
    kept
}

fn is_helper(attr: TokenStream) -> bool {
    let path = |input: ParseStream<'_>| {
        let path = input.call(Path::parse_mod_style)?;
        input.parse::<TokenStream>()?;
        Ok(path)
    };
    path.parse2(attr).is_ok_and(|path| helper(&path, &parse_quote!(::agent_mcp)).is_some())
}

/// The condition and the attributes of a `cfg_attr`.
pub(crate) fn conditional(attr: &Attribute) -> Option<(TokenStream, Vec<Meta>)> {
    if !attr.path().is_ident("cfg_attr") {
        return None;
    }
    let metas = attr.parse_args_with(Punctuated::<Meta, Token![,]>::parse_terminated).ok()?;
    let mut metas = metas.into_iter();
    let condition = metas.next()?;
    Some((quote!(#condition), metas.collect()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use quote::ToTokens;

    #[test]
    fn only_helper_attributes_go() {
        let mut block: Block = parse_quote! {
            impl A {
                /// Text.
                #[must_use]
                #[agent_mcp::capability(read_only)]
                #[cfg_attr(x, capability, inline)]
                fn a(&self, /** Doc. */ #[serde(default)] #[allow(unused)] #[cfg_attr(x, id)] b: u8) {}
                #[other::capability]
                fn c(#[serde] d: u8) {}
            }
        };
        strip(&mut block, &parse_quote!(::agent_mcp));
        let expected: Block = parse_quote! {
            impl A {
                /// Text.
                #[must_use]
                #[cfg_attr(x, inline)]
                fn a(&self, #[allow(unused)] b: u8) {}
                #[other::capability]
                fn c(#[serde] d: u8) {}
            }
        };
        assert_eq!(block.to_token_stream().to_string(), expected.to_token_stream().to_string());
    }
}

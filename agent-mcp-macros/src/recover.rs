//! The user's item without our helper attributes.
//!
//! It is what is emitted in any case, with mistakes or without, so that one mistake is one error:
//! whoever calls the methods still finds them.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Attribute, FnArg, Meta, Path, Token, parse_quote, punctuated::Punctuated};

use crate::parse::{
    item::{Block, Item},
    words::{ARGS, CAPABILITY, CONTEXT, HEADER, ID, PROMPT, RESOURCE, SUGGEST},
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
        let Item::Method(method) = item else { continue };
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

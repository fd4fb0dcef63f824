//! The return type of a method.

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::{Ident, ReturnType, Type};

use crate::parse::item::Method;

/// The return type with the method's own lifetimes left to inference.
pub(super) fn returns(method: &Method) -> Type {
    let ReturnType::Type(_, ty) = &method.sig.output else {
        // At the method's name, where a missing return type would be written.
        let span = method.sig.ident.span();
        return syn::parse_quote_spanned!(span=> ());
    };
    let own: Vec<String> =
        method.sig.generics.lifetimes().map(|def| def.lifetime.ident.to_string()).collect();
    if own.is_empty() {
        return (**ty).clone();
    }
    syn::parse2(elided(ty.to_token_stream(), &own)).unwrap_or_else(|_| (**ty).clone())
}

fn elided(tokens: TokenStream, own: &[String]) -> TokenStream {
    let mut after_tick = false;
    tokens
        .into_iter()
        .map(|token| {
            let is_lifetime = std::mem::take(&mut after_tick);
            match token {
                TokenTree::Group(group) => {
                    let mut inner =
                        proc_macro2::Group::new(group.delimiter(), elided(group.stream(), own));
                    inner.set_span(group.span());
                    TokenTree::Group(inner)
                }
                TokenTree::Ident(ident) if is_lifetime && own.iter().any(|name| ident == name) => {
                    TokenTree::Ident(Ident::new("_", ident.span()))
                }
                TokenTree::Punct(punct) => {
                    after_tick = punct.as_char() == '\'';
                    TokenTree::Punct(punct)
                }
                other => other,
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use quote::quote;

    #[test]
    fn own_lifetimes_are_elided_and_others_stay() {
        let tokens = quote!(Result<Cow<'a, str>, Vec<&'static dyn for<'x> Fn(&'x u8, &'a u8)>>);
        let expected = quote!(Result<Cow<'_, str>, Vec<&'static dyn for<'x> Fn(&'x u8, &'_ u8)>>);
        assert_eq!(elided(tokens, &["a".to_owned()]).to_string(), expected.to_string());
    }
}

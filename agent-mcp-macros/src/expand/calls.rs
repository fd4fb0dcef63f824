//! `calls = Name`: a typed caller for the application's own code.

use proc_macro2::{Group, TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};
use syn::{LitStr, Visibility, spanned::Spanned};

use super::assertions::local;
use crate::model::{Agent, Entry, Input, Offer};

/// The caller's type, and its implementation. The type stands beside the impl block, where its name can
/// be used; its methods stand where the inputs are.
pub(crate) fn caller(agent: &Agent) -> Option<(TokenStream, TokenStream)> {
    let (vis, name) = agent.calls.as_ref()?;
    let Agent { krate, self_ty, cfg, .. } = agent;
    let principal = quote!(<#self_ty as #krate::Agent>::Principal);
    let about = format!(
        "Calls the capabilities of `{}` from inside the application, by the same rules as any caller.",
        self_ty.to_token_stream()
    );
    let definition = quote! {
        #(#cfg)*
        #[doc = #about]
        #vis struct #name {
            door: #krate::InProcess<#principal>,
        }
    };
    let methods = agent.entries.iter().filter_map(|entry| match &entry.offer {
        Offer::Capability(_) => Some(method(agent, vis, entry)),
        _ => None,
    });
    let implementation = quote! {
        #[automatically_derived]
        impl #name {
            /// Calls through `door`, on behalf of its principal.
            #[allow(dead_code)]
            #vis fn new(door: __p::InProcess<#principal>) -> Self {
                Self { door }
            }
            #(#methods)*
        }
    };
    Some((definition, implementation))
}

fn method(agent: &Agent, vis: &Visibility, entry: &Entry) -> TokenStream {
    let Entry { cfg, method, description, name, .. } = entry;
    let name = LitStr::new(&name.text, name.span);
    let agent_ty = agent.self_ty.to_token_stream();
    let input = local("__in");
    let (params, checks, value) = match &entry.input {
        Input::Whole(ty) => {
            let ty = without_self(ty.to_token_stream(), &agent_ty);
            let check = quote_spanned!(ty.span()=> __p::is_written::<#ty>(););
            (vec![quote!(#input: #ty)], vec![check], quote!(#input))
        }
        Input::Fields(_, fields) if fields.is_empty() => {
            (Vec::new(), Vec::new(), quote!(__p::NoArguments {}))
        }
        Input::Fields(ident, fields) => {
            let types: Vec<_> = fields
                .iter()
                .map(|field| without_self(field.ty.to_token_stream(), &agent_ty))
                .collect();
            let params = fields.iter().zip(&types).map(|(field, ty)| {
                let (cfg, ident) = (&field.cfg, &field.ident);
                quote!(#(#cfg)* #ident: #ty)
            });
            let checks =
                fields.iter().zip(&types).filter(|(field, _)| field.plain).map(|(field, ty)| {
                    let cfg = &field.cfg;
                    let check = quote_spanned!(field.ty.span()=> __p::is_written::<#ty>(););
                    quote!(#(#cfg)* #check)
                });
            let members = fields.iter().map(|field| {
                let (cfg, ident) = (&field.cfg, &field.ident);
                quote!(#(#cfg)* #ident)
            });
            (params.collect(), checks.collect(), quote!(#ident { #(#members),* }))
        }
    };
    quote! {
        #(#cfg)*
        #[doc = #description]
        #[allow(dead_code)]
        #vis async fn #method(&self, #(#params),*) -> __p::Outcome {
            #(#checks)*
            (&&__p::Sent(&#value)).call(&self.door, #name).await
        }
    }
}

/// The tokens of a type with the agent in place of `Self`, which is another type here.
fn without_self(tokens: TokenStream, agent: &TokenStream) -> TokenStream {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let mut replaced = TokenStream::new();
    for (n, token) in tokens.iter().enumerate() {
        let is_path = matches!(
            tokens.get(n + 1),
            Some(TokenTree::Punct(punct)) if punct.as_char() == ':'
        );
        replaced.extend(match token {
            TokenTree::Ident(ident) if ident == "Self" && is_path => quote!(<#agent>),
            TokenTree::Ident(ident) if ident == "Self" => agent.clone(),
            TokenTree::Group(group) => {
                let mut inner = Group::new(group.delimiter(), without_self(group.stream(), agent));
                inner.set_span(group.span());
                TokenTree::Group(inner).into()
            }
            other => other.clone().into(),
        });
    }
    replaced
}

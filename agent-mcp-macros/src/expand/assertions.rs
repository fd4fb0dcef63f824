//! Checks of the user's types, each at the type: rustc blames the smallest thing to edit.

use proc_macro2::{Group, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};
use syn::{Ident, Type, spanned::Spanned};

use crate::model::{Capability, Entry, Field, Input};

/// The statements that judge the arguments.
pub(crate) fn arguments(capability: &Capability) -> Vec<TokenStream> {
    match &capability.input {
        Input::Whole(ty) => vec![argument(ty)],
        Input::Fields(_, fields) => fields.iter().flat_map(field).collect(),
    }
}

fn field(field: &Field) -> Vec<TokenStream> {
    let Field { cfg, ty, .. } = field;
    let plain = field.plain.then(|| argument(ty));
    let default = field.default.then(|| quote_spanned!(ty.span()=> __p::has_default::<#ty>();));
    // What is read by serde's `with` may be something else than its type.
    let header = (field.header.is_some() && field.plain)
        .then(|| quote_spanned!(ty.span()=> (&&__p::Header::<#ty>::new()).check();));
    plain.into_iter().chain(default).chain(header).map(|check| quote!(#(#cfg)* #check)).collect()
}

fn argument(ty: &Type) -> TokenStream {
    quote_spanned!(ty.span()=> (&&&__p::Argument::<#ty>::new()).check();)
}

/// The expression that judges a return type in the declaration.
pub(crate) fn returned(entry: &Entry) -> TokenStream {
    kind(&entry.returns, entry.returns_at())
}

/// Requires that a method with a completion dispatches; blamed on the option.
pub(crate) fn dispatches(entry: &Entry, key: Span) -> TokenStream {
    let ty: TokenStream = entry.returns.to_token_stream();
    let kind = kind(&respanned(ty, key), key);
    quote_spanned!(key=> __p::dispatches(#kind);)
}

fn kind(ty: &impl ToTokens, span: Span) -> TokenStream {
    let declaration = local_at("__d", span);
    quote_spanned!(span=> (&&&&(&&&#declaration.returns::<#ty>()).peel()).kind())
}

/// The same tokens, blamed on `span`.
fn respanned(tokens: TokenStream, span: Span) -> TokenStream {
    tokens
        .into_iter()
        .map(|mut token| {
            if let TokenTree::Group(group) = &token {
                let inner = respanned(group.stream(), span);
                token = TokenTree::Group(Group::new(group.delimiter(), inner));
            }
            // Names keep meaning what they mean to the user.
            token.set_span(token.span().located_at(span));
            token
        })
        .collect()
}

/// The expression that judges a result in the running method.
pub(crate) fn outcome(entry: &Entry) -> TokenStream {
    let (agent, result) = (local("__agent"), local("__out"));
    quote_spanned!(entry.returns_at()=>
        (&&&&(&&&__p::result(&#agent, &#result)).peel()).outcome(#result)
    )
}

/// A local that no name of the user's can be meant by.
pub(crate) fn local(name: &str) -> Ident {
    Ident::new(name, Span::mixed_site())
}

/// The same, blamed on `span`.
pub(crate) fn local_at(name: &str, span: Span) -> Ident {
    Ident::new(name, Span::mixed_site().located_at(span))
}

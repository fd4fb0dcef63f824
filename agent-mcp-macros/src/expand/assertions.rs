//! Checks of the user's types, each at the type: rustc blames the smallest thing to edit.

use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};
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
    plain.into_iter().chain(default).map(|check| quote!(#(#cfg)* #check)).collect()
}

fn argument(ty: &Type) -> TokenStream {
    quote_spanned!(ty.span()=> (&&&__p::Argument::<#ty>::new()).check();)
}

/// The expression that judges a return type in the declaration.
pub(crate) fn returned(entry: &Entry) -> TokenStream {
    let ty = &entry.returns;
    let declaration = local("__d");
    quote_spanned!(entry.returns_at()=> (&&&&(&&&#declaration.returns::<#ty>()).peel()).kind())
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

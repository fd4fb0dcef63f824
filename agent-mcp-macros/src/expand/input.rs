//! The hidden struct that holds a method's arguments.
//!
//! Each field's type is a type parameter of the struct, so the types are written once, where `Self` and
//! the agent's generics mean what they mean to the user, and a missing derive is reported once.

use proc_macro2::TokenStream;
use quote::quote;

use crate::model::{Entry, Field, Input};

/// The definition, where one is needed.
pub(crate) fn definition(entry: &Entry, written: bool) -> Option<TokenStream> {
    let Input::Fields(ident, fields) = &entry.input else { return None };
    if fields.is_empty() {
        return None;
    }
    let cfg = &entry.cfg;
    let params = fields.iter().filter_map(|field| field.param.as_ref());
    let bound = bound(fields);
    let members = fields.iter().map(|field| {
        let Field { cfg, attrs, ident, ty, param, .. } = field;
        let ty = param.as_ref().map_or_else(|| quote!(#ty), |param| quote!(#param));
        quote!(#(#cfg)* #(#attrs)* #ident: #ty)
    });
    let serialize = written.then(|| quote!(__p::serde::Serialize,));
    Some(quote! {
        #(#cfg)*
        #[derive(__p::serde::Deserialize, #serialize __p::schemars::JsonSchema)]
        #[serde(crate = "__p::serde")]
        #[schemars(crate = "__p::schemars" #bound)]
        struct #ident<#(#params),*> {
            #(#members),*
        }
    })
}

/// Whether some definition has a default: schemars' derive then names `Some` without a path. One import
/// serves all definitions of a block.
pub(crate) fn some(entries: &[Entry]) -> Option<TokenStream> {
    let fields = entries.iter().flat_map(|entry| match &entry.input {
        Input::Fields(_, fields) => &fields[..],
        Input::Whole(_) => &[],
    });
    fields.flat_map(|field| &field.attrs).any(has_default).then(|| {
        quote!(
            #[allow(unused_imports)]
            use ::core::option::Option::Some;
        )
    })
}

fn has_default(attr: &syn::Attribute) -> bool {
    !attr.path().is_ident("doc") && quote!(#attr).to_string().contains("default")
}

/// schemars does not ask a type parameter for the default that it calls.
fn bound(fields: &[Field]) -> Option<TokenStream> {
    if !fields.iter().any(|field| field.default && field.param.is_some()) {
        return None;
    }
    let bounds: Vec<String> = fields
        .iter()
        .filter_map(|field| {
            let param = field.param.as_ref()?;
            let default = if field.default { " + ::core::default::Default" } else { "" };
            Some(format!("{param}: __p::schemars::JsonSchema{default}"))
        })
        .collect();
    let bounds = bounds.join(", ");
    Some(quote!(, bound = #bounds))
}

/// The input's type, as it may be written inside of the agent's impl.
pub(crate) fn ty(entry: &Entry) -> TokenStream {
    match &entry.input {
        Input::Whole(ty) => quote!(#ty),
        Input::Fields(_, fields) if fields.is_empty() => quote!(__p::NoArguments),
        Input::Fields(ident, fields) => {
            let types = fields.iter().filter(|field| field.param.is_some()).map(|field| &field.ty);
            quote!(#ident<#(#types),*>)
        }
    }
}

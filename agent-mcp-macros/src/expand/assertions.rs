//! Checks of the user's types, each at the type: rustc blames the smallest thing to edit.

use proc_macro2::{Span, TokenStream};
use quote::quote_spanned;
use syn::{Type, spanned::Spanned};

use crate::model::{Capability, Field, Input};

/// One statement for each argument.
pub(crate) fn arguments(capability: &Capability) -> TokenStream {
    match &capability.input {
        Input::Whole(ty) => argument(ty),
        Input::Fields(_, fields) => fields.iter().map(field).collect(),
    }
}

fn field(field: &Field) -> TokenStream {
    let Field { cfg, ty, .. } = field;
    let mut checks = TokenStream::new();
    if field.plain {
        let check = argument(ty);
        checks.extend(quote::quote!(#(#cfg)* #check));
    }
    if field.default {
        let check = quote_spanned!(ty.span()=> __p::has_default::<#ty>(););
        checks.extend(quote::quote!(#(#cfg)* #check));
    }
    checks
}

fn argument(ty: &Type) -> TokenStream {
    quote_spanned!(ty.span()=> (&&&&__p::Argument::<#ty>::new()).check();)
}

/// The expression that judges a return type.
pub(crate) fn returned(ty: &Type, fallback: Span) -> TokenStream {
    let span = if matches!(ty, Type::Tuple(tuple) if tuple.elems.is_empty()) {
        fallback
    } else {
        ty.span()
    };
    quote_spanned!(span=> (&&&&&(&&&&__p::Returns::<Self, #ty>::new()).peel()).kind())
}

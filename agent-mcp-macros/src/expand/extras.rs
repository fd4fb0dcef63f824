//! What is said of an entry, or of the agent, beside what it is.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::{Expr, spanned::Spanned};

use crate::model::Extras;

/// The builder's call, where there is something to say.
pub(super) fn call(extras: &Extras) -> Option<TokenStream> {
    let Extras { icons, meta } = extras;
    let icons = icons.iter().map(|picture| {
        let picture = icon(picture);
        quote!(.icon(#picture))
    });
    let meta = meta.iter().map(|(key, value)| {
        let value = quote_spanned!(value.span()=> __p::meta_value(#value));
        quote!(.meta(#key, #value))
    });
    let said: TokenStream = icons.chain(meta).collect();
    (!said.is_empty()).then(|| quote!(.extras(__p::Extras::new() #said)))
}

/// A picture, judged at the expression that gives it.
pub(super) fn icon(picture: &Expr) -> TokenStream {
    quote_spanned!(picture.span()=> __p::icon(#picture))
}

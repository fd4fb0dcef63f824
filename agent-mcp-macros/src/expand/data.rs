//! `#[agent_mcp::data]`: the derives that arguments and results need, through our re-exports.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{Item, Path};

/// The item with its derives.
pub(crate) fn item(krate: &Path, item: &Item) -> TokenStream {
    let private = quote!(#krate::__private);
    let serde = format!("{}::serde", path(&private));
    let schemars = format!("{}::schemars", path(&private));
    quote! {
        // What schemars' derive calls by method name; in most crates it is in the prelude.
        #[allow(unused_imports)]
        use #private::prelude::*;
        #[derive(
            #private::serde::Serialize,
            #private::serde::Deserialize,
            #private::schemars::JsonSchema,
        )]
        #[serde(crate = #serde)]
        #[schemars(crate = #schemars)]
        #item
    }
}

/// The path of the type that reads and writes an id as text.
pub(crate) fn id(krate: &Path) -> String {
    path(&quote!(#krate::__private::Id))
}

fn path(tokens: &TokenStream) -> String {
    tokens.to_token_stream().to_string().replace(' ', "")
}

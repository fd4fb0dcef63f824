//! The attribute macros of `agent-mcp`.

mod check;
mod crate_path;
mod diag;
mod expand;
mod lower;
mod model;
mod parse;
mod pipeline;
mod recover;
#[cfg(test)]
mod snapshots;

use proc_macro::TokenStream;

/// Makes an impl block an agent.
#[proc_macro_attribute]
pub fn agent(attr: TokenStream, item: TokenStream) -> TokenStream {
    pipeline::agent(attr.into(), item.into()).into()
}

/// Offers a method to agents.
#[proc_macro_attribute]
pub fn capability(_: TokenStream, item: TokenStream) -> TokenStream {
    pipeline::stray("capability", item.into()).into()
}

/// Offers what a method returns for reading.
#[proc_macro_attribute]
pub fn resource(_: TokenStream, item: TokenStream) -> TokenStream {
    pipeline::stray("resource", item.into()).into()
}

/// Offers what a method returns as the context.
#[proc_macro_attribute]
pub fn context(_: TokenStream, item: TokenStream) -> TokenStream {
    pipeline::stray("context", item.into()).into()
}

/// Derives what arguments and results need.
#[proc_macro_attribute]
pub fn data(attr: TokenStream, item: TokenStream) -> TokenStream {
    pipeline::data(attr.into(), item.into()).into()
}

//! The attribute macros of `agent-mcp`. Use them through that crate, where each has its page.
//!
//! An impl block is parsed (`parse`), understood (`lower` to `model`), judged (`check`) and printed
//! (`expand`); `pipeline` is the order of the four. What the user wrote is emitted in any case, without
//! our helper attributes (`recover`).

// The pages stand at the re-exports, where the examples can run.
#![allow(missing_docs)]

mod check;
mod crate_path;
mod diag;
mod expand;
mod form;
mod lower;
mod model;
mod parse;
mod pipeline;
mod recover;
#[cfg(test)]
mod snapshots;

use proc_macro::TokenStream;

#[proc_macro_attribute]
pub fn agent(attr: TokenStream, item: TokenStream) -> TokenStream {
    pipeline::agent(attr.into(), item.into()).into()
}

#[proc_macro_attribute]
pub fn capability(_: TokenStream, item: TokenStream) -> TokenStream {
    pipeline::stray("capability", item.into()).into()
}

#[proc_macro_attribute]
pub fn resource(_: TokenStream, item: TokenStream) -> TokenStream {
    pipeline::stray("resource", item.into()).into()
}

#[proc_macro_attribute]
pub fn context(_: TokenStream, item: TokenStream) -> TokenStream {
    pipeline::stray("context", item.into()).into()
}

#[proc_macro_attribute]
pub fn prompt(_: TokenStream, item: TokenStream) -> TokenStream {
    pipeline::stray("prompt", item.into()).into()
}

#[proc_macro_attribute]
pub fn data(attr: TokenStream, item: TokenStream) -> TokenStream {
    pipeline::data(attr.into(), item.into()).into()
}

#[proc_macro_derive(Form, attributes(form, serde))]
pub fn form(item: TokenStream) -> TokenStream {
    form::form(item.into()).into()
}

#[proc_macro_derive(Choice, attributes(form, serde))]
pub fn choice(item: TokenStream) -> TokenStream {
    form::choice(item.into()).into()
}

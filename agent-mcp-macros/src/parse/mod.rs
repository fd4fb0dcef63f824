//! Syntax: the annotated item, our attributes, doc comments.

pub(crate) mod args;
mod cache;
mod extras;
pub(crate) mod item;
mod notes;
pub(crate) mod prose;
pub(crate) mod scopes;
mod value;
pub(crate) mod words;

//! The path of our own crate in the user's.

use syn::{Path, parse_quote};

use crate::parse::{
    args::{Options, take},
    words::CRATE,
};

/// What `crate = path` says, or `::agent_mcp`.
pub(crate) fn of(options: &mut Options) -> Path {
    take!(options, CRATE, Path).map_or_else(|| parse_quote!(::agent_mcp), |(_, path)| path)
}

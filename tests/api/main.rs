//! The public API, read from the source: a change of it is a change of `api.rs.txt`, which a reviewer sees.
//!
//! `BLESS=1 cargo test -p agent-mcp-tests --test api` writes the list anew. Read it before you commit it.
#![allow(clippy::unwrap_used)] // Tests.

mod source;
mod surface;

use std::{fs, path::Path, sync::LazyLock};

/// The public API as it is.
static FOUND: LazyLock<String> = LazyLock::new(|| {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../agent-mcp/src/lib.rs");
    surface::list(&source::Crate::read(&root))
});

#[test]
fn the_public_api_is_as_listed() {
    let list = Path::new(env!("CARGO_MANIFEST_DIR")).join("api/api.rs.txt");
    if std::env::var_os("BLESS").is_some() {
        fs::write(&list, &*FOUND).unwrap();
    }
    let listed = fs::read_to_string(&list).unwrap_or_default();
    let change = FOUND
        .lines()
        .zip(listed.lines().chain(std::iter::repeat("nothing more")))
        .enumerate()
        .find(|(_, (found, listed))| found != listed);
    if let Some((n, (found, listed))) = change {
        panic!("line {}: `{found}` is listed as `{listed}`; `BLESS=1` writes the list anew", n + 1);
    }
    assert_eq!(FOUND.lines().count(), listed.lines().count(), "something is public no more");
}

#[test]
fn the_list_has_what_users_name() {
    for known in [
        "pub struct Server",
        "pub fn serve_stdio",
        "pub trait Host",
        "#[cfg(feature = \"http\")]",
        "pub use agent_mcp_macros::agent;",
        // Made by a `macro_rules!`.
        "pub fn from_base64",
    ] {
        assert!(FOUND.contains(known), "{known}");
    }
    for hidden in ["__private", "pub(crate)", "doc(hidden)", "HostOf"] {
        assert!(!FOUND.contains(hidden), "{hidden}");
    }
}

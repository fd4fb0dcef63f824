//! What is said of an entry for programs that know more than the protocol: its `_meta`.

use serde_json::{Map, Value};

/// Further members, each under a key that [`check_meta_key`] allows.
pub type MetaMap = Map<String, Value>;

/// What is wrong with a key of `_meta`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MetaKeyError {
    /// The part in front of `/` is no list of labels (META-1).
    #[error(
        "what is in front of `/` is labels with dots between them, such as `com.example`: each begins with a \
         letter, goes on with letters, digits and hyphens, and does not end with a hyphen"
    )]
    Prefix,
    /// The name is empty or has a character that is not allowed (META-1).
    #[error(
        "a key ends with a name: letters, digits, `-`, `_` and `.`, the first and the last a letter or a digit"
    )]
    Name,
    /// The prefix is one that the protocol keeps to itself, or ours (META-2).
    #[error("this prefix is reserved; write one of your own, such as `com.example/`")]
    Reserved,
}

/// Checks a key of `_meta` that an application gives: an optional prefix and a name, `com.example/team`.
///
/// # Errors
///
/// See [`MetaKeyError`].
///
/// ```
/// use agent_mcp::contract::{MetaKeyError, check_meta_key};
///
/// assert_eq!(check_meta_key("com.example/team"), Ok(()));
/// assert_eq!(check_meta_key("team"), Ok(()));
/// assert_eq!(check_meta_key("com.mcp/team"), Err(MetaKeyError::Reserved));
/// assert_eq!(check_meta_key("com..example/team"), Err(MetaKeyError::Prefix));
/// assert_eq!(check_meta_key("com.example/"), Err(MetaKeyError::Name));
/// ```
pub fn check_meta_key(key: &str) -> Result<(), MetaKeyError> {
    let (prefix, name) = match key.rsplit_once('/') {
        Some((prefix, name)) => (Some(prefix), name),
        None => (None, key),
    };
    if let Some(prefix) = prefix {
        let labels: Vec<&str> = prefix.split('.').collect();
        if !labels.iter().all(|label| is_label(label)) {
            return Err(MetaKeyError::Prefix);
        }
        // Since 2025-11-25 it is the second label, in 2025-06-18 the last but one.
        let places = [1, labels.len().wrapping_sub(2)];
        let reserved = |label: &&str| ["modelcontextprotocol", "mcp"].contains(label);
        let is_reserved = places.iter().any(|place| labels.get(*place).is_some_and(reserved));
        if is_reserved || prefix == "agent-mcp" {
            return Err(MetaKeyError::Reserved);
        }
    }
    let edge = |c: Option<char>| c.is_some_and(|c| c.is_ascii_alphanumeric());
    let inner = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
    if !edge(name.chars().next()) || !edge(name.chars().next_back()) || !name.chars().all(inner) {
        return Err(MetaKeyError::Name);
    }
    Ok(())
}

fn is_label(label: &str) -> bool {
    label.starts_with(|c: char| c.is_ascii_alphabetic())
        && label.ends_with(|c: char| c.is_ascii_alphanumeric())
        && label.chars().all(|c| c.is_ascii_alphanumeric() || c == '-')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn meta_1_keys_have_the_form_that_the_protocol_gives_them() {
        for key in ["a", "a/b", "A9/b_c.d-9", "com.ex-ample/x", "9", "a.b.c.d/e"] {
            assert_eq!(check_meta_key(key), Ok(()), "{key}");
        }
        for key in ["/a", "1a/b", "a-/b", "-a/b", "a_b/c", "a..b/c", "a/b/c", ".a/b", "ä/b"] {
            assert_eq!(check_meta_key(key), Err(MetaKeyError::Prefix), "{key}");
        }
        for key in ["", "a/", "_a", "a_", "a b", "a/.b", "ä", "a\u{0}b"] {
            assert_eq!(check_meta_key(key), Err(MetaKeyError::Name), "{key}");
        }
    }

    #[test]
    fn meta_2_the_prefixes_of_all_revisions_are_reserved() {
        for key in [
            "io.modelcontextprotocol/x",
            "dev.mcp/x",
            "org.modelcontextprotocol.api/x",
            "modelcontextprotocol.io/x",
            "tools.mcp.com/x",
            "a.b.mcp.c/x",
            "agent-mcp/outcome",
        ] {
            assert_eq!(check_meta_key(key), Err(MetaKeyError::Reserved), "{key}");
        }
        for key in
            ["com.example.mcp/x", "mcp/x", "modelcontextprotocol/x", "mcpx.com/x", "a.b.mcp.c.d/x"]
        {
            assert_eq!(check_meta_key(key), Ok(()), "{key}");
        }
    }
}

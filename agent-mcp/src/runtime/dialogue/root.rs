//! The folders that a caller works in.

use std::path::PathBuf;

use serde::Deserialize;

/// A folder that the caller works in, from [`Context::roots`](crate::Context::roots).
///
/// ```
/// use agent_mcp::Root;
///
/// let root: Root = serde_json::from_str(r#"{"uri": "file:///home/ada/my%20notes", "name": "notes"}"#)?;
/// # if cfg!(unix) {
/// assert_eq!(root.path().unwrap().to_str(), Some("/home/ada/my notes"));
/// # }
/// # Ok::<(), serde_json::Error>(())
/// ```
///
/// It is what the caller says, and no permission: a server that reads there still keeps to what it may read.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[non_exhaustive]
pub struct Root {
    /// Where it is; a `file://` URI.
    pub uri: String,
    /// What people call it.
    #[serde(default)]
    pub name: Option<String>,
}

impl Root {
    /// Where it is on this machine; nothing where the URI is of another kind, or names another machine.
    #[must_use]
    pub fn path(&self) -> Option<PathBuf> {
        let (scheme, rest) = self.uri.split_once("://")?;
        if !scheme.eq_ignore_ascii_case("file") {
            return None;
        }
        let (host, path) = rest.split_at(rest.find('/')?);
        if !host.is_empty() && !host.eq_ignore_ascii_case("localhost") {
            return None;
        }
        let path = decoded(path.split(['?', '#']).next()?)?;
        native(path)
    }
}

/// The bytes behind the percent signs; a path has no zero byte.
fn decoded(path: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(path.len());
    let mut rest = path.as_bytes();
    while let [byte, after @ ..] = rest {
        rest = after;
        bytes.push(match (byte, after) {
            (b'%', [high, low, after @ ..]) => {
                rest = after;
                let digit = |byte: &u8| char::from(*byte).to_digit(16);
                u8::try_from(digit(high)? * 16 + digit(low)?).ok()?
            }
            (b'%' | 0, _) => return None,
            (byte, _) => *byte,
        });
    }
    (!bytes.contains(&0)).then_some(bytes)
}

#[cfg(unix)]
fn native(path: Vec<u8>) -> Option<PathBuf> {
    use std::os::unix::ffi::OsStringExt;
    Some(std::ffi::OsString::from_vec(path).into())
}

/// `/C:/notes` is `C:/notes` there.
#[cfg(not(unix))]
fn native(path: Vec<u8>) -> Option<PathBuf> {
    let path = String::from_utf8(path).ok()?;
    let drive = path.strip_prefix('/').filter(|rest| rest.as_bytes().get(1) == Some(&b':'));
    Some(drive.map_or_else(|| PathBuf::from(&path), PathBuf::from))
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn a_root_is_a_path_where_it_is_on_this_machine() {
        let path = |uri: &str| Root { uri: uri.to_owned(), name: None }.path();
        for (uri, expected) in [
            ("file:///a/b", Some("/a/b")),
            ("FILE://localhost/a%2Bb/%C3%A4", Some("/a+b/ä")),
            ("file:///", Some("/")),
            ("file:///a?b#c", Some("/a")),
            ("file://elsewhere/a", None),
            ("https://example.com/a", None),
            ("file:a", None),
            ("file://", None),
            ("file:///a%2", None),
            ("file:///a%zz", None),
            ("file:///a%00", None),
        ] {
            assert_eq!(path(uri).as_deref(), expected.map(std::path::Path::new), "{uri}");
        }
    }
}

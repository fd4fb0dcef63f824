use std::{borrow::Cow, fmt};

use bytes::Bytes;

use super::{Notes, base64_len};

/// Something that can be read at an address, as it is now: a file, a page, a resource.
///
/// ```
/// use agent_mcp::Embedded;
///
/// let file = Embedded::text("file:///notes/plan.md", "# Plan").mime_type("text/markdown");
/// let icon = Embedded::bytes("app://icon", b"\x89PNG".to_vec()).mime_type("image/png");
/// assert_eq!((file.uri(), icon.uri()), ("file:///notes/plan.md", "app://icon"));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Embedded {
    uri: String,
    mime_type: Option<Cow<'static, str>>,
    held: Held,
    pub(super) notes: Notes,
}

#[derive(Clone, Debug, PartialEq)]
enum Held {
    Text(String),
    Bytes(Bytes),
}

/// What is read at an address.
pub(crate) enum Body<'a> {
    Text(&'a str),
    Bytes(&'a [u8]),
}

impl Embedded {
    /// Text that is read at `uri`.
    pub fn text(uri: impl Into<String>, text: impl Into<String>) -> Self {
        Self::new(uri.into(), Held::Text(text.into()))
    }

    /// Bytes that are read at `uri`.
    pub fn bytes(uri: impl Into<String>, data: impl Into<Bytes>) -> Self {
        Self::new(uri.into(), Held::Bytes(data.into()))
    }

    fn new(uri: String, held: Held) -> Self {
        Self { uri, mime_type: None, held, notes: Notes::default() }
    }

    /// Says of which type it is.
    #[must_use]
    pub fn mime_type(mut self, mime_type: impl Into<Cow<'static, str>>) -> Self {
        self.mime_type = Some(mime_type.into());
        self
    }

    /// Where it is read.
    #[must_use]
    pub fn uri(&self) -> &str {
        &self.uri
    }

    pub(crate) fn kind(&self) -> Option<&str> {
        self.mime_type.as_deref()
    }

    pub(crate) fn body(&self) -> Body<'_> {
        match &self.held {
            Held::Text(text) => Body::Text(text),
            Held::Bytes(bytes) => Body::Bytes(bytes),
        }
    }

    pub(super) fn len(&self) -> usize {
        self.uri.len()
            + match self.body() {
                Body::Text(text) => text.len(),
                Body::Bytes(bytes) => base64_len(bytes.len()),
            }
    }
}

/// The text, or what there is in its place.
impl fmt::Display for Embedded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bytes = match self.body() {
            Body::Text(text) => return f.write_str(text),
            Body::Bytes(bytes) => bytes.len(),
        };
        match &self.mime_type {
            Some(mime_type) => write!(f, "{} [{mime_type}, {bytes} bytes]", self.uri),
            None => write!(f, "{} [{bytes} bytes]", self.uri),
        }
    }
}

//! What a capability gives back, encoded before it leaves the method.

use std::borrow::Cow;

use serde::Serialize;

/// A value for the caller, in the form that every adapter can serve.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Output {
    /// Plain text.
    Text(String),
    /// The JSON text of a structured value.
    Json(String),
    /// Content blocks, in order.
    Content(Vec<Content>),
}

impl Output {
    /// What a method that returns `()` answers.
    #[must_use]
    pub fn unit() -> Self {
        Self::Text("ok".to_owned())
    }

    /// Encodes a structured value once (B83).
    ///
    /// # Errors
    ///
    /// A value that JSON cannot carry, such as a map with keys that are no text.
    pub fn json<T: Serialize + ?Sized>(value: &T) -> Result<Self, serde_json::Error> {
        serde_json::to_string(value).map(Self::Json)
    }

    /// The length of the encoded value in bytes.
    #[must_use]
    pub fn len(&self) -> usize {
        match self {
            Self::Text(text) | Self::Json(text) => text.len(),
            Self::Content(blocks) => blocks.iter().map(Content::len).sum(),
        }
    }

    /// Whether nothing is in it.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// One block of content.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Content {
    /// Text.
    Text(String),
}

impl Content {
    fn len(&self) -> usize {
        match self {
            Self::Text(text) => text.len(),
        }
    }
}

/// A type that is content as it stands, and not a structured value.
pub trait IntoContent {
    /// The content.
    fn into_output(self) -> Output;
}

impl IntoContent for () {
    fn into_output(self) -> Output {
        Output::unit()
    }
}

impl IntoContent for String {
    fn into_output(self) -> Output {
        Output::Text(self)
    }
}

impl IntoContent for &str {
    fn into_output(self) -> Output {
        Output::Text(self.to_owned())
    }
}

impl IntoContent for Cow<'_, str> {
    fn into_output(self) -> Output {
        Output::Text(self.into_owned())
    }
}

impl IntoContent for Box<str> {
    fn into_output(self) -> Output {
        Output::Text(self.into())
    }
}

impl IntoContent for Content {
    fn into_output(self) -> Output {
        Output::Content(vec![self])
    }
}

impl IntoContent for Vec<Content> {
    fn into_output(self) -> Output {
        Output::Content(self)
    }
}

//! What a capability gives back, encoded before it leaves the method.

use std::borrow::Cow;

use serde::Serialize;

use super::{content::Content, prompt::PromptMessage};

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
    /// A conversation to go on with.
    Messages(Vec<PromptMessage>),
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

    /// How much it takes in a reply, in bytes.
    #[must_use]
    pub fn len(&self) -> usize {
        match self {
            Self::Text(text) | Self::Json(text) => text.len(),
            Self::Content(blocks) => blocks.iter().map(Content::len).sum(),
            Self::Messages(messages) => messages.iter().map(|it| it.content.len()).sum(),
        }
    }

    /// Whether nothing is in it.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// A type that is content as it stands, and not a structured value.
pub trait IntoContent {
    /// The type of what is read, where it is the same each time and the content does not say it.
    const MIME_TYPE: Option<&'static str> = None;

    /// The content.
    fn into_output(self) -> Output;
}

const PLAIN_TEXT: Option<&str> = Some("text/plain");

impl IntoContent for () {
    const MIME_TYPE: Option<&'static str> = PLAIN_TEXT;

    fn into_output(self) -> Output {
        Output::unit()
    }
}

impl IntoContent for String {
    const MIME_TYPE: Option<&'static str> = PLAIN_TEXT;

    fn into_output(self) -> Output {
        Output::Text(self)
    }
}

impl IntoContent for &str {
    const MIME_TYPE: Option<&'static str> = PLAIN_TEXT;

    fn into_output(self) -> Output {
        Output::Text(self.to_owned())
    }
}

impl IntoContent for Cow<'_, str> {
    const MIME_TYPE: Option<&'static str> = PLAIN_TEXT;

    fn into_output(self) -> Output {
        Output::Text(self.into_owned())
    }
}

impl IntoContent for Box<str> {
    const MIME_TYPE: Option<&'static str> = PLAIN_TEXT;

    fn into_output(self) -> Output {
        Output::Text(self.into())
    }
}

impl IntoContent for Content {
    fn into_output(self) -> Output {
        Output::Content(vec![self])
    }
}

/// A kind of block: what a list of content may be made of.
pub trait Block: Into<Content> {}

impl Block for Content {}

impl<T: Block> IntoContent for Vec<T> {
    fn into_output(self) -> Output {
        Output::Content(self.into_iter().map(Into::into).collect())
    }
}

impl<T: Block, const N: usize> IntoContent for [T; N] {
    fn into_output(self) -> Output {
        Output::Content(self.into_iter().map(Into::into).collect())
    }
}

//! Content: what a method gives back that is no structured value.

use std::hash::{Hash, Hasher};

mod embedded;
mod link;
mod media;
mod text;

pub(crate) use self::embedded::Body;
pub use self::{
    embedded::Embedded,
    link::Link,
    media::{Audio, Image, NotBase64},
    text::Text,
};

pub use crate::contract::{Audience, Notes};

/// One block of content; a list of them is a mix.
///
/// A method whose result is always of one kind returns that type, or a list of it. One that mixes returns a
/// list of `Content`, which every kind and every text turns [`into`](Into::into):
///
/// ```
/// use agent_mcp::{Content, Image, Link, Server, agent};
///
/// struct Camera;
///
/// #[agent]
/// impl Camera {
///     /// Take a picture.
///     #[capability]
///     async fn shoot(&self) -> Vec<Content> {
///         vec![
///             "What the camera sees now.".into(),
///             Image::png(self.frame()).into(),
///             Link::new("https://camera.example/live", "live").mime_type("video/mp4").into(),
///         ]
///     }
/// }
///
/// impl Camera {
///     fn frame(&self) -> Vec<u8> {
///         b"\x89PNG".to_vec()
///     }
/// }
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> agent_mcp::Result<()> {
/// # let runtime = Server::new(Camera).runtime()?;
/// # let outcome = runtime.in_process().call("shoot", &serde_json::json!({})).await;
/// # assert_eq!(
/// #     outcome.summary("shoot").text,
/// #     "What the camera sees now.\n[image/png, 4 bytes]\nlive: https://camera.example/live",
/// # );
/// # Ok(())
/// # }
/// ```
///
/// Bytes are encoded once, while the reply is written. What a revision of the protocol does not have (sounds
/// before 2025-03-26, links before 2025-06-18) is a text there that says what it stands for.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Content {
    /// Text.
    Text(Text),
    /// A picture.
    Image(Image),
    /// A sound.
    Audio(Audio),
    /// Where something can be read.
    Link(Link),
    /// Something that can be read, as it is now.
    Embedded(Embedded),
}

impl Content {
    /// Text.
    pub fn text(text: impl Into<String>) -> Self {
        Text::new(text).into()
    }

    /// Feeds what tells it from other content.
    pub(super) fn hash_into(&self, hasher: &mut impl Hasher) {
        match self {
            Self::Text(text) => (0, text.as_str()).hash(hasher),
            Self::Image(image) => (1, image.mime_type(), image.data()).hash(hasher),
            Self::Audio(audio) => (2, audio.mime_type(), audio.data()).hash(hasher),
            Self::Link(link) => (3, link.to_string()).hash(hasher),
            Self::Embedded(embedded) => {
                (4, embedded.uri(), embedded.kind()).hash(hasher);
                match embedded.body() {
                    Body::Text(text) => text.hash(hasher),
                    Body::Bytes(bytes) => bytes.hash(hasher),
                }
            }
        }
    }

    /// How much it takes in a reply, in bytes.
    pub(super) fn len(&self) -> usize {
        self.notes().len() + self.own_len()
    }

    /// What is said of it beside it.
    #[must_use]
    pub fn notes(&self) -> &Notes {
        match self {
            Self::Text(text) => text.notes(),
            Self::Image(image) => image.notes(),
            Self::Audio(audio) => audio.notes(),
            Self::Link(link) => link.notes(),
            Self::Embedded(embedded) => embedded.notes(),
        }
    }

    fn own_len(&self) -> usize {
        match self {
            Self::Text(text) => text.as_str().len(),
            Self::Image(image) => base64_len(image.data().len()),
            Self::Audio(audio) => base64_len(audio.data().len()),
            Self::Link(link) => link.len(),
            Self::Embedded(embedded) => embedded.len(),
        }
    }
}

/// The block in words, for readers that have only words.
impl std::fmt::Display for Content {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Text(text) => f.write_str(text.as_str()),
            Self::Image(image) => image.fmt(f),
            Self::Audio(audio) => audio.fmt(f),
            Self::Link(link) => link.fmt(f),
            Self::Embedded(embedded) => embedded.fmt(f),
        }
    }
}

impl From<String> for Content {
    fn from(text: String) -> Self {
        Self::text(text)
    }
}

impl From<&str> for Content {
    fn from(text: &str) -> Self {
        Self::text(text)
    }
}

fn base64_len(bytes: usize) -> usize {
    bytes.div_ceil(3).saturating_mul(4)
}

/// What the kinds have in common: each is a [`Content`], and each takes notes.
macro_rules! block {
    ($($kind:ident),*) => {$(
        impl From<$kind> for Content {
            fn from(block: $kind) -> Self {
                Self::$kind(block)
            }
        }

        impl super::output::IntoContent for $kind {
            fn into_output(self) -> super::Output {
                super::Output::Content(vec![self.into()])
            }
        }

        impl super::output::Block for $kind {}

        impl $kind {
            /// Says for whom it is: once for each; for everybody when nothing is said.
            #[must_use]
            pub fn audience(mut self, audience: Audience) -> Self {
                self.notes.add_audience(audience);
                self
            }

            /// Says how much it matters, from 0 (may be left out) to 1 (is needed).
            ///
            /// What is beyond counts as the nearest of the two, and what is no number is not said.
            #[must_use]
            pub fn priority(mut self, priority: f64) -> Self {
                self.notes.set_priority(priority);
                self
            }

            /// Says when it was last changed, in the form of ISO 8601: `2026-07-28T09:30:00Z`.
            #[must_use]
            pub fn last_modified(mut self, time: impl Into<String>) -> Self {
                self.notes.last_modified = Some(time.into());
                self
            }

            /// Adds a member to its `_meta`, for programs that know it. Revisions before 2025-06-18 have
            /// none.
            ///
            /// # Errors
            ///
            /// A key that is not allowed, see [`check_meta_key`](crate::contract::check_meta_key).
            pub fn meta(
                mut self,
                key: &str,
                value: impl Into<serde_json::Value>,
            ) -> Result<Self, crate::contract::MetaKeyError> {
                self.notes.add_meta(key, value.into())?;
                Ok(self)
            }

            /// What is said of it beside it.
            #[must_use]
            pub fn notes(&self) -> &Notes {
                &self.notes
            }
        }
    )*};
}

block!(Text, Image, Audio, Link, Embedded);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_size_of_a_block_is_that_of_its_reply() {
        for (bytes, size) in [(0, 0), (1, 4), (2, 4), (3, 4), (4, 8)] {
            assert_eq!(Content::from(Image::png(vec![0; bytes])).len(), size);
            assert_eq!(Content::from(Embedded::bytes("a:b", vec![0; bytes])).len(), size + 3);
        }
        assert_eq!(Content::from("größe").len(), 7);
    }

    #[test]
    fn a_block_says_in_words_what_it_is() {
        let said = |block: Content| block.to_string();
        assert_eq!(said(Audio::wav(vec![0; 7]).into()), "[audio/wav, 7 bytes]");
        assert_eq!(said(Link::new("a:b", "b").into()), "b: a:b");
        assert_eq!(
            said(Link::new("a:b", "b").title("B").description("All of it.").into()),
            "B: a:b (All of it.)"
        );
        assert_eq!(said(Embedded::text("a:b", "hello").into()), "hello");
        assert_eq!(
            said(Embedded::bytes("a:b", vec![0]).mime_type("x/y").into()),
            "a:b [x/y, 1 bytes]"
        );
        assert_eq!(said(Embedded::bytes("a:b", vec![0]).into()), "a:b [1 bytes]");
    }
}

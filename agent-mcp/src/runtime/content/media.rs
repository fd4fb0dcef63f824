//! Pictures and sounds.

use std::{borrow::Cow, fmt};

use base64::{Engine as _, engine::general_purpose::STANDARD};
use bytes::Bytes;

use super::Notes;

/// Text that is to be base64 and is not.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not base64: {0}")]
pub struct NotBase64(base64::DecodeError);

/// A picture.
///
/// ```
/// use agent_mcp::Image;
///
/// let bytes: Vec<u8> = b"\x89PNG".to_vec();
/// assert_eq!(Image::png(bytes).mime_type(), "image/png");
///
/// let image = Image::from_base64("iVBORw==", "image/png")?;
/// assert_eq!(image.data(), b"\x89PNG");
/// # Ok::<(), agent_mcp::NotBase64>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Image {
    media: Media,
    pub(super) notes: Notes,
}

/// A sound.
///
/// ```
/// use agent_mcp::Audio;
///
/// static BELL: &[u8] = b"RIFF";
/// assert_eq!(Audio::wav(BELL).mime_type(), "audio/wav");
/// ```
///
/// Revision 2024-11-05 of the protocol has no sounds; a client that uses it reads that there is one.
#[derive(Clone, Debug, PartialEq)]
pub struct Audio {
    media: Media,
    pub(super) notes: Notes,
}

#[derive(Clone, Debug, PartialEq)]
struct Media {
    data: Bytes,
    mime_type: Cow<'static, str>,
}

impl Image {
    /// A PNG picture.
    pub fn png(data: impl Into<Bytes>) -> Self {
        Self::new(data, "image/png")
    }

    /// A JPEG picture.
    pub fn jpeg(data: impl Into<Bytes>) -> Self {
        Self::new(data, "image/jpeg")
    }
}

impl Audio {
    /// A WAV sound.
    pub fn wav(data: impl Into<Bytes>) -> Self {
        Self::new(data, "audio/wav")
    }

    /// An MP3 sound.
    pub fn mp3(data: impl Into<Bytes>) -> Self {
        Self::new(data, "audio/mpeg")
    }
}

macro_rules! media {
    ($kind:ident) => {
        impl $kind {
            /// The bytes of a file of the type `mime_type`.
            pub fn new(data: impl Into<Bytes>, mime_type: impl Into<Cow<'static, str>>) -> Self {
                let media = Media { data: data.into(), mime_type: mime_type.into() };
                Self { media, notes: Notes::default() }
            }

            /// The file that `text` is the base64 of, as other interfaces give it.
            ///
            /// # Errors
            ///
            /// The text is no base64 with its padding.
            pub fn from_base64(
                text: impl AsRef<[u8]>,
                mime_type: impl Into<Cow<'static, str>>,
            ) -> Result<Self, NotBase64> {
                let data = STANDARD.decode(text).map_err(NotBase64)?;
                Ok(Self::new(data, mime_type))
            }

            /// The bytes.
            #[must_use]
            pub fn data(&self) -> &[u8] {
                &self.media.data
            }

            /// The type of the bytes.
            #[must_use]
            pub fn mime_type(&self) -> &str {
                &self.media.mime_type
            }
        }

        /// Says what it is, without the bytes.
        impl fmt::Display for $kind {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "[{}, {} bytes]", self.media.mime_type, self.media.data.len())
            }
        }
    };
}

media!(Image);
media!(Audio);

//! Blocks of a message, in the protocol's form.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde::{Serialize, Serializer};
use serde_json::{Value, json};

use super::{SampledContent, ToolAnswer};
use crate::runtime::{Audio, Body, Content, Image};

/// Something that is said to a model: a text, a picture or a sound.
///
/// ```
/// use agent_mcp::{Image, Sampling};
///
/// let request = Sampling::new("What is in this picture?").user(Image::png(b"\x89PNG".to_vec()));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct SamplingContent(pub(super) Part);

/// A block of a message.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub(super) enum Part {
    Said(SampledContent),
    Answer(ToolAnswer),
}

impl From<&str> for SamplingContent {
    fn from(text: &str) -> Self {
        text.to_owned().into()
    }
}

impl From<String> for SamplingContent {
    fn from(text: String) -> Self {
        Self(Part::Said(SampledContent::Text(text)))
    }
}

impl From<Image> for SamplingContent {
    fn from(image: Image) -> Self {
        Self(Part::Said(SampledContent::Image(image)))
    }
}

impl From<Audio> for SamplingContent {
    fn from(audio: Audio) -> Self {
        Self(Part::Said(SampledContent::Audio(audio)))
    }
}

impl Serialize for SampledContent {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Text(text) => json!({"type": "text", "text": text}).serialize(serializer),
            Self::Image(image) => {
                media("image", image.data(), image.mime_type()).serialize(serializer)
            }
            Self::Audio(audio) => {
                media("audio", audio.data(), audio.mime_type()).serialize(serializer)
            }
            Self::ToolUse(used) => used.serialize(serializer),
        }
    }
}

fn media(kind: &str, data: &[u8], mime_type: &str) -> Value {
    json!({"type": kind, "data": STANDARD.encode(data), "mimeType": mime_type})
}

/// A block of a tool's answer, which may be of any kind.
pub(super) fn block(content: &Content) -> Value {
    match content {
        Content::Text(text) => json!({"type": "text", "text": text.as_str()}),
        Content::Image(image) => media("image", image.data(), image.mime_type()),
        Content::Audio(audio) => media("audio", audio.data(), audio.mime_type()),
        Content::Link(link) => {
            let (texts, size) = link.members();
            let mut block = json!({"type": "resource_link"});
            for (key, text) in texts {
                block[key] = text.into();
            }
            if let Some(size) = size {
                block["size"] = size.into();
            }
            block
        }
        Content::Embedded(embedded) => {
            let mut resource = json!({"uri": embedded.uri()});
            if let Some(kind) = embedded.kind() {
                resource["mimeType"] = kind.into();
            }
            match embedded.body() {
                Body::Text(text) => resource["text"] = text.into(),
                Body::Bytes(bytes) => resource["blob"] = STANDARD.encode(bytes).into(),
            }
            json!({"type": "resource", "resource": resource})
        }
    }
}

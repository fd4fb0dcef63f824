//! What a model says.

use serde::{Deserialize, Deserializer, de::Error};

use super::ToolUse;
use crate::runtime::{Audio, Image};

/// What the caller's model says.
///
/// ```
/// use agent_mcp::{Sampled, SampledContent};
///
/// let said: Sampled = serde_json::from_str(
///     r#"{"role": "assistant", "model": "m", "stopReason": "endTurn",
///         "content": {"type": "text", "text": "Yes."}}"#,
/// )?;
/// assert_eq!(said.text(), "Yes.");
/// assert_eq!(said.content, [SampledContent::Text("Yes.".into())]);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
#[serde(rename_all = "camelCase")]
pub struct Sampled {
    /// The model that was used.
    pub model: String,
    /// Why it stopped: `endTurn`, `stopSequence`, `maxTokens`, `toolUse`, or a word of the provider's.
    #[serde(default)]
    pub stop_reason: Option<String>,
    /// What it said, block by block.
    #[serde(deserialize_with = "blocks")]
    pub content: Vec<SampledContent>,
}

/// A block of what a model says.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum SampledContent {
    /// Text.
    Text(String),
    /// A picture.
    Image(Image),
    /// A sound.
    Audio(Audio),
    /// A tool that it wants to be used.
    ToolUse(ToolUse),
}

impl Sampled {
    /// The text of what it said; the texts of several blocks are joined by line breaks.
    #[must_use]
    pub fn text(&self) -> String {
        let texts = self.content.iter().filter_map(|block| match block {
            SampledContent::Text(text) => Some(&**text),
            _ => None,
        });
        texts.collect::<Vec<_>>().join("\n")
    }

    /// The tools that it wants to be used.
    pub fn tool_uses(&self) -> impl Iterator<Item = &ToolUse> {
        self.content.iter().filter_map(|block| match block {
            SampledContent::ToolUse(used) => Some(used),
            _ => None,
        })
    }
}

/// LSR-7: one block, or a list of them.
fn blocks<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<SampledContent>, D::Error> {
    let blocks = match serde_json::Value::deserialize(deserializer)? {
        serde_json::Value::Array(blocks) => blocks,
        block => vec![block],
    };
    let read = |block| serde_json::from_value::<Block>(block).and_then(Block::content);
    blocks.into_iter().map(read).collect::<Result<_, _>>().map_err(D::Error::custom)
}

#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Block {
    Text { text: String },
    Image(Media),
    Audio(Media),
    ToolUse(serde_json::Value),
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Media {
    data: String,
    mime_type: String,
}

impl Block {
    fn content(self) -> Result<SampledContent, serde_json::Error> {
        let custom = |error| serde_json::Error::custom(error);
        Ok(match self {
            Self::Text { text } => SampledContent::Text(text),
            Self::Image(Media { data, mime_type }) => {
                SampledContent::Image(Image::from_base64(data, mime_type).map_err(custom)?)
            }
            Self::Audio(Media { data, mime_type }) => {
                SampledContent::Audio(Audio::from_base64(data, mime_type).map_err(custom)?)
            }
            Self::ToolUse(used) => SampledContent::ToolUse(serde_json::from_value(used)?),
        })
    }
}

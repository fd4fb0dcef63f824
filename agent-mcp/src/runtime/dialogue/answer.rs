//! What a caller answers.

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What became of a question.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Answer {
    /// The caller's result, in the protocol's own form for the kind of question.
    Given(Value),
    /// The caller answered with an error.
    Failed {
        /// The JSON-RPC code.
        code: i64,
        /// The caller's words.
        message: String,
    },
    /// The caller did not answer in time.
    TimedOut,
}

/// Why there is no answer to a question. It is an error, so `?` ends the method with it, and the model reads
/// that the user declined.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Unanswered {
    /// The person said no.
    Declined,
    /// The person closed the question without a decision.
    Cancelled,
    /// The caller could not ask, or answered with an error.
    Failed {
        /// The JSON-RPC code.
        code: i64,
        /// The caller's words.
        message: String,
    },
    /// There was no answer in time.
    TimedOut,
}

impl fmt::Display for Unanswered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Declined => f.write_str("The user declined."),
            Self::Cancelled => f.write_str("The user dismissed the question without an answer."),
            Self::Failed { code, message } => {
                write!(f, "The client could not answer: {message} ({code})")
            }
            Self::TimedOut => f.write_str("The client did not answer in time."),
        }
    }
}

impl std::error::Error for Unanswered {}

/// What the caller's model says.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
#[serde(rename_all = "camelCase")]
pub struct Sampled {
    /// The model that was used.
    pub model: String,
    /// Why it stopped.
    #[serde(default)]
    pub stop_reason: Option<String>,
    /// What it said: one block of content or a list of them, as the protocol has them (LSR-7).
    pub content: Value,
}

impl Sampled {
    /// The text of what it said; the texts of several blocks are joined by line breaks.
    #[must_use]
    pub fn text(&self) -> String {
        let blocks = match &self.content {
            Value::Array(blocks) => &blocks[..],
            block => std::slice::from_ref(block),
        };
        let texts = blocks.iter().filter(|block| block["type"] == "text");
        let texts: Vec<_> = texts.filter_map(|block| block["text"].as_str()).collect();
        texts.join("\n")
    }
}

/// A folder that the caller works in.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[non_exhaustive]
pub struct Root {
    /// Where it is; a `file://` URI.
    pub uri: String,
    /// What people call it.
    #[serde(default)]
    pub name: Option<String>,
}

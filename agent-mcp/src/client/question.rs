//! What a server asks, and what it is answered.

use serde::Serialize;
use serde_json::{Value, json};

/// Something that a method asked its caller before it went on.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Question {
    /// What is asked for: `elicitation/create`, `sampling/createMessage` or `roots/list`.
    pub method: String,
    /// The request, as the protocol has it.
    pub params: Value,
}

impl Question {
    pub(super) fn read(mut request: Value) -> Self {
        let method = request["method"].as_str().unwrap_or_default().to_owned();
        Self { method, params: request["params"].take() }
    }

    /// What the person reads; of a question to the model, the last thing that was said to it.
    #[must_use]
    pub fn message(&self) -> &str {
        let asked = self.params["message"].as_str();
        let last = || {
            let content = &self.params["messages"].as_array()?.last()?["content"];
            content["text"].as_str().or_else(|| content[0]["text"].as_str())
        };
        asked.or_else(last).unwrap_or_default()
    }
}

/// What a question is answered.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer(pub(super) Value);

impl Answer {
    /// The person fills in the form, or goes to the page (with `()`).
    ///
    /// # Panics
    ///
    /// When `content` cannot be JSON.
    #[must_use]
    #[track_caller]
    pub fn accept(content: impl Serialize) -> Self {
        match serde_json::to_value(content) {
            Ok(Value::Null) => Self(json!({"action": "accept"})),
            Ok(content) => Self(json!({"action": "accept", "content": content})),
            Err(error) => panic!("the answer cannot be JSON: {error}"),
        }
    }

    /// The person says no.
    #[must_use]
    pub fn decline() -> Self {
        Self(json!({"action": "decline"}))
    }

    /// The person closes the question without an answer.
    #[must_use]
    pub fn cancel() -> Self {
        Self(json!({"action": "cancel"}))
    }

    /// The model says this.
    #[must_use]
    pub fn says(text: &str) -> Self {
        Self(json!({
            "role": "assistant",
            "content": {"type": "text", "text": text},
            "model": "prepared",
            "stopReason": "endTurn",
        }))
    }

    /// Any other result, as the protocol has it.
    #[must_use]
    pub fn result(result: Value) -> Self {
        Self(result)
    }
}

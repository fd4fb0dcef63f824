//! Tools of a model: what it was given, how it uses them, and what it is answered.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::{Map, Value};

use super::content::block;
use crate::{
    runtime::Content,
    schema::{Fault, FaultKind, Faults, InputOptions, InputSchema},
};

/// A tool for the model.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Tool {
    pub(super) name: String,
    pub(super) description: String,
    pub(super) input_schema: Value,
}

/// A tool that the model wants to be used.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename = "tool_use")]
pub struct ToolUse {
    id: String,
    name: String,
    input: Map<String, Value>,
    #[serde(rename = "_meta", default, skip_serializing_if = "Option::is_none")]
    meta: Option<Map<String, Value>>,
}

impl ToolUse {
    /// The tool.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What the model puts in, unread.
    #[must_use]
    pub fn input(&self) -> &Map<String, Value> {
        &self.input
    }

    /// Reads what the model puts in.
    ///
    /// # Errors
    ///
    /// Everything that is wrong with it, in words for the model: [`fail`](Self::fail) hands them on.
    pub fn read<T: JsonSchema + DeserializeOwned>(&self) -> Result<T, Faults> {
        let unread = |expected: String| {
            let (path, kind) = (String::new(), FaultKind::Invalid);
            let fault = Fault { path, kind, expected, got: "an object", suggestion: None };
            Faults::new(vec![fault])
        };
        let schema = InputSchema::of::<T>(InputOptions::default());
        let schema = schema.map_err(|error| unread(error.to_string()))?;
        let input = serde_json::to_vec(&self.input);
        schema.decode(&input.map_err(|error| unread(error.to_string()))?)
    }

    /// What the tool gives.
    #[must_use]
    pub fn answer(&self, content: impl Into<Content>) -> ToolAnswer {
        self.answered(content.into(), false)
    }

    /// Why the tool gives nothing.
    #[must_use]
    pub fn fail(&self, why: impl Into<String>) -> ToolAnswer {
        self.answered(Content::text(why), true)
    }

    fn answered(&self, content: Content, is_error: bool) -> ToolAnswer {
        let content = vec![block(&content)];
        ToolAnswer { tool_use_id: self.id.clone(), content, structured_content: None, is_error }
    }
}

/// An answer to a [`ToolUse`], which alone can make it.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "type", rename = "tool_result", rename_all = "camelCase")]
pub struct ToolAnswer {
    tool_use_id: String,
    content: Vec<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    structured_content: Option<Map<String, Value>>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    is_error: bool,
}

impl ToolAnswer {
    /// Adds a further block.
    #[must_use]
    pub fn and(mut self, content: impl Into<Content>) -> Self {
        self.content.push(block(&content.into()));
        self
    }

    /// Adds the answer as a value.
    #[must_use]
    pub fn structured(mut self, value: Map<String, Value>) -> Self {
        self.structured_content = Some(value);
        self
    }

    pub(super) fn is_for(&self, used: &ToolUse) -> bool {
        self.tool_use_id == used.id
    }
}

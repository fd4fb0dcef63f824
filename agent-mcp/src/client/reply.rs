//! What a request is answered.

use std::fmt;

use serde_json::{Value, json};

use super::{Notice, Question};
use crate::mcp::Revision;

/// What the server answered, and what it said and asked before.
#[derive(Clone, Debug)]
#[must_use = "whether it went well is in the reply"]
pub struct Reply {
    /// What was asked for, for whoever reads of its failure.
    pub(crate) about: String,
    pub(crate) revision: Revision,
    /// The message, with `result` or `error`; null where there was no answer.
    pub(crate) message: Value,
    pub(crate) notices: Vec<Notice>,
    pub(crate) questions: Vec<Question>,
}

/// Why something failed, in the words of the server.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Failed {
    /// What the agent reads.
    pub text: String,
    /// How the call ended, in the words of the audit: `failed`, `unavailable`, `unauthorized`, ..; nothing where it is
    /// an error of the protocol.
    pub status: Option<String>,
    /// The code of an error of the protocol, such as -32602.
    pub code: Option<i64>,
    /// What belongs to such an error.
    pub data: Value,
}

impl fmt::Display for Failed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl std::error::Error for Failed {}

impl Reply {
    /// The reply to a request that is not answered yet.
    pub(super) fn to(method: &str, params: &Value, revision: Revision) -> Self {
        let subject = params["name"].as_str().or_else(|| params["uri"].as_str());
        let about = match subject {
            Some(subject) => format!("`{method}` of `{subject}`"),
            None => format!("`{method}`"),
        };
        let (notices, questions) = (Vec::new(), Vec::new());
        Self { about, revision, message: Value::Null, notices, questions }
    }

    pub(super) fn with(self, answer: Option<&[u8]>) -> Self {
        let message = answer.and_then(|answer| serde_json::from_slice(answer).ok());
        self.instead(message.unwrap_or_default())
    }

    pub(super) fn instead(self, message: Value) -> Self {
        Self { message, ..self }
    }

    /// Something that the client found instead of an answer.
    pub(super) fn broken(self, code: Option<i64>, why: &str) -> Self {
        self.instead(json!({"error": {"code": code, "message": why}}))
    }

    pub(crate) fn result(&self) -> Option<&Value> {
        self.message.get("result")
    }

    pub(super) fn into_result(mut self) -> Result<Value, Failed> {
        match self.error() {
            Some(failed) => Err(failed),
            None => Ok(self.message["result"].take()),
        }
    }

    /// The failure of a request that should have stayed open.
    pub(super) fn unexpected(self) -> Failed {
        let text = format!("{} was answered: {}", self.about, self.message);
        self.error().unwrap_or(Failed { text, status: None, code: None, data: Value::Null })
    }

    /// An error of the protocol.
    fn error(&self) -> Option<Failed> {
        let Some(error) = self.message.get("error") else {
            let text = format!("{} is not answered", self.about);
            return self.message.is_null().then_some(Failed {
                text,
                status: None,
                code: None,
                data: Value::Null,
            });
        };
        Some(Failed {
            text: error["message"].as_str().unwrap_or_default().to_owned(),
            status: None,
            code: error["code"].as_i64(),
            data: error["data"].clone(),
        })
    }

    /// Why it failed, where it did.
    pub(crate) fn failure(&self) -> Option<Failed> {
        let failed =
            self.result().filter(|result| result["isError"] == true).map(|result| Failed {
                text: self.words().unwrap_or_default(),
                status: result["_meta"]["agent-mcp/outcome"]["status"].as_str().map(str::to_owned),
                code: None,
                data: Value::Null,
            });
        failed.or_else(|| self.error())
    }

    /// All that is text in it: of a tool, a resource, or the messages of a prompt.
    pub(crate) fn words(&self) -> Option<String> {
        let result = self.result()?;
        let blocks = ["content", "contents", "messages"];
        let blocks = blocks.iter().find_map(|member| result[member].as_array())?;
        let text = |block: &Value| {
            let text = block["text"].as_str().or_else(|| block["content"]["text"].as_str());
            text.map(str::to_owned)
        };
        let texts: Vec<_> = blocks.iter().filter_map(text).collect();
        (!texts.is_empty()).then(|| texts.join("\n"))
    }

    /// The value of a call or of a resource.
    pub(crate) fn value(&self) -> Option<Value> {
        let result = self.result()?;
        let text = self.words();
        let read = || text.as_deref().and_then(|text| serde_json::from_str(text).ok());
        let read: Option<Value> = match result.get("structuredContent") {
            // Some revisions wrap what is no object; the text is the bare value.
            Some(Value::Object(wrapped))
                if wrapped.len() == 1 && wrapped.contains_key("result") =>
            {
                read()
                    .filter(|bare| wrapped.get("result") == Some(bare))
                    .or_else(|| Some(json!(wrapped)))
            }
            Some(structured) => Some(structured.clone()),
            None if result.get("contents").is_some() => {
                let kind = result["contents"][0]["mimeType"].as_str().unwrap_or_default();
                kind.ends_with("json").then(read).flatten()
            }
            // Where values have no place of their own, all of them are texts.
            None if !self.revision.has_structured_output() => read(),
            None => None,
        };
        read.or_else(|| text.map(Value::String))
    }
}

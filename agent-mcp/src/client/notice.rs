//! What a server says without being asked.

use serde_json::Value;

use crate::runtime::LogLevel;

/// Something that the server said without being asked.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Notice {
    /// Tools came, or went.
    ToolsChanged,
    /// Resources or templates came, or went.
    ResourcesChanged,
    /// Prompts came, or went.
    PromptsChanged,
    /// What is read at this address, which the client is subscribed to, is something else now.
    ResourceUpdated(String),
    /// How far a call is.
    Progress {
        /// So much is done.
        done: f64,
        /// Of so much.
        total: Option<f64>,
        /// What is being done.
        message: Option<String>,
    },
    /// A message for the log.
    Log {
        /// How severe it is.
        level: LogLevel,
        /// The message.
        data: Value,
    },
    /// What a task says of how far it is.
    Task(String),
    /// Anything else.
    Other {
        /// Its method.
        method: String,
        /// Its params.
        params: Value,
    },
}

impl Notice {
    /// Reads a notification; that a stream is open is nobody's news.
    pub(super) fn read(mut message: Value) -> Option<Self> {
        let method = message["method"].take();
        let mut params = message["params"].take();
        let text = |value: &Value| value.as_str().map(str::to_owned);
        let method = text(&method).unwrap_or_default();
        Some(match method.as_str() {
            "notifications/subscriptions/acknowledged" => return None,
            "notifications/tools/list_changed" => Self::ToolsChanged,
            "notifications/resources/list_changed" => Self::ResourcesChanged,
            "notifications/prompts/list_changed" => Self::PromptsChanged,
            "notifications/resources/updated" => {
                Self::ResourceUpdated(text(&params["uri"]).unwrap_or_default())
            }
            "notifications/progress" => Self::Progress {
                done: params["progress"].as_f64().unwrap_or_default(),
                total: params["total"].as_f64(),
                message: text(&params["message"]),
            },
            "notifications/message" => Self::Log {
                level: serde_json::from_value(params["level"].take()).unwrap_or(LogLevel::Info),
                data: params["data"].take(),
            },
            _ => Self::Other { method, params },
        })
    }
}

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

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
///
/// A method that has something better to do than to end looks at it:
///
/// ```
/// use agent_mcp::{Context, Unanswered, agent};
///
/// struct Notes;
///
/// #[agent]
/// impl Notes {
///     /// Delete all notes.
///     #[capability(destructive)]
///     async fn clear(&self, cx: &Context<Self>) -> Result<String, Unanswered> {
///         match cx.ask::<()>("sure", "Delete all notes?").await {
///             Ok(()) => Ok("Deleted.".into()),
///             // Whoever said no has decided; ask no more.
///             Err(Unanswered::Declined) => Ok("Kept, as the user wishes.".into()),
///             Err(other) => Err(other),
///         }
///     }
/// }
/// # use agent_mcp::{Invocation, Server, runtime::{Answer, Dialogue, Means}};
/// # use std::sync::Arc;
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> agent_mcp::Result<()> {
/// # let runtime = Server::new(Notes).runtime()?;
/// # let dialogue = Arc::new(Dialogue::new(Means::ALL));
/// # dialogue.answer_beforehand("sure", Answer::Given(serde_json::json!({"action": "decline"})));
/// # let invocation = Invocation::new().with_dialogue(dialogue);
/// # let outcome = runtime.in_process().call_as("clear", &serde_json::json!({}), invocation).await;
/// # assert_eq!(outcome.json::<String>().unwrap(), "Kept, as the user wishes.");
/// # Ok(())
/// # }
/// ```
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
                f.write_str("The client could not answer")?;
                if !message.is_empty() {
                    write!(f, ": {message}")?;
                }
                // What no client said has no code.
                if *code == 0 { Ok(()) } else { write!(f, " ({code})") }
            }
            Self::TimedOut => f.write_str("The client did not answer in time."),
        }
    }
}

impl std::error::Error for Unanswered {}

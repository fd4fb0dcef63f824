//! What a prompt consists of.

use crate::runtime::{Content, IntoContent, Output};

/// Whose words a message of a prompt is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// The person's.
    User,
    /// The model's.
    Assistant,
}

impl Role {
    /// The word.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Assistant => "assistant",
        }
    }
}

/// One message of a prompt. A list of them is a conversation to go on with.
///
/// ```
/// use agent_mcp::{Image, PromptMessage, agent};
///
/// struct Chef;
///
/// #[agent]
/// impl Chef {
///     /// Suggest a dish.
///     #[prompt]
///     async fn dish(
///         &self,
///         /// What is in the fridge.
///         ingredients: String,
///     ) -> [PromptMessage; 2] {
///         [
///             PromptMessage::user(format!("I have {ingredients}. What can I cook?")),
///             PromptMessage::assistant("Let me think of something quick:"),
///         ]
///     }
/// }
/// # let runtime = agent_mcp::Server::new(Chef).runtime()?;
/// # assert!(runtime.contract().prompts[0].arguments[0].required);
/// # Ok::<(), agent_mcp::runtime::BuildError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct PromptMessage {
    /// Whose words it is.
    pub role: Role,
    /// The words, or what stands in their place.
    pub content: Content,
}

impl PromptMessage {
    /// The person says.
    pub fn user(content: impl Into<Content>) -> Self {
        Self { role: Role::User, content: content.into() }
    }

    /// The model says.
    pub fn assistant(content: impl Into<Content>) -> Self {
        Self { role: Role::Assistant, content: content.into() }
    }
}

impl IntoContent for PromptMessage {
    fn into_output(self) -> Output {
        Output::Messages(vec![self])
    }
}

impl IntoContent for Vec<PromptMessage> {
    fn into_output(self) -> Output {
        Output::Messages(self)
    }
}

impl<const N: usize> IntoContent for [PromptMessage; N] {
    fn into_output(self) -> Output {
        Output::Messages(self.into())
    }
}

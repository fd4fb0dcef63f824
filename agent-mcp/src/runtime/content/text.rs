use super::Notes;

/// Text that says something of itself. Without such notes a method returns a `String`.
///
/// ```
/// use agent_mcp::{Audience, Text};
///
/// let text = Text::new("Saved as draft 7.").audience(Audience::Assistant).priority(0.2);
/// assert_eq!(text.as_str(), "Saved as draft 7.");
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Text {
    text: String,
    pub(super) notes: Notes,
}

impl Text {
    /// Text.
    pub fn new(text: impl Into<String>) -> Self {
        Self { text: text.into(), notes: Notes::default() }
    }

    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }
}

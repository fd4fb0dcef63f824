use agent_mcp::agent;

use crate::state::{Message, Model};

/// What makes the lists change.
pub(crate) struct Changing;

#[agent(model = Model, message = Message)]
impl Changing {
    /// Make another tool come or go.
    #[capability]
    fn test_trigger_tool_change() -> Message {
        Message::ToggleExtraTool
    }

    /// Make another prompt come or go.
    #[capability]
    fn test_trigger_prompt_change() -> Message {
        Message::ToggleExtraPrompt
    }

    /// Answer while it is there.
    #[capability(available = |model| model.extra_tool)]
    fn test_extra_tool() -> &'static str {
        "I am here."
    }

    /// A prompt that is not always there.
    #[prompt(available = |model| model.extra_prompt)]
    fn test_extra_prompt() -> &'static str {
        "I am here."
    }
}

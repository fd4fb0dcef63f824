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

    /// Answer while it is there.
    #[capability(available = |model| model.extra_tool)]
    fn test_extra_tool() -> &'static str {
        "I am here."
    }
}

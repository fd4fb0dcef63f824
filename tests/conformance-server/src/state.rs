//! The state of what changes.

#[derive(Default)]
pub(crate) struct Model {
    /// Whether the tool that comes and goes is there.
    pub(crate) extra_tool: bool,
    /// Whether the prompt that comes and goes is there.
    pub(crate) extra_prompt: bool,
}

#[derive(Clone)]
pub(crate) enum Message {
    ToggleExtraTool,
    ToggleExtraPrompt,
}

pub(crate) fn update(model: &Model, message: Message) -> Model {
    match message {
        Message::ToggleExtraTool => Model { extra_tool: !model.extra_tool, ..*model },
        Message::ToggleExtraPrompt => Model { extra_prompt: !model.extra_prompt, ..*model },
    }
}

//! A prompt: a template of messages that a person chooses.

use super::Extras;

/// One prompt.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct PromptDescriptor {
    /// The name that callers use.
    pub name: String,
    /// The name for people.
    pub title: Option<String>,
    /// What a person chooses by.
    pub description: String,
    /// What it can be filled in with, in the order of declaration.
    pub arguments: Vec<PromptArgument>,
    /// Whether it has an `available` hook, so that it comes and goes with the Model.
    pub conditional: bool,
    /// Whether it has an `authorize` hook.
    pub authorized: bool,
    /// The scopes that a caller's credentials must carry, all of them.
    pub scopes: Vec<String>,
    /// What is said of it beside what it is.
    pub extras: Extras,
}

/// What a prompt can be filled in with. Its value is a text (PRM-5).
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct PromptArgument {
    /// The name that callers use.
    pub name: String,
    /// What it means.
    pub description: Option<String>,
    /// Whether it must be given.
    pub required: bool,
    /// Whether values can be suggested for it.
    pub suggests: bool,
}

impl PromptDescriptor {
    /// Makes a prompt without arguments.
    pub fn new(name: impl Into<String>, description: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            title: None,
            description: description.into(),
            arguments: Vec::new(),
            conditional: false,
            authorized: false,
            scopes: Vec::new(),
            extras: Extras::default(),
        }
    }
}

impl PromptArgument {
    /// Makes an argument that need not be given.
    pub fn new(name: impl Into<String>) -> Self {
        Self { name: name.into(), description: None, required: false, suggests: false }
    }
}

//! Placeholder.
#![allow(missing_docs)]
use serde_json::Value;
use std::time::Duration;
#[derive(Clone, Debug, Default)]
pub struct Annotations {
    pub read_only: Option<bool>,
    pub destructive: Option<bool>,
    pub idempotent: Option<bool>,
    pub open_world: Option<bool>,
}
#[derive(Clone, Debug)]
pub enum CompletionKind {
    Message,
    State,
}
#[derive(Clone, Debug)]
pub struct CompletionDescriptor {
    pub kind: CompletionKind,
    pub timeout: Duration,
}
#[derive(Clone, Debug, Default)]
pub struct CapabilityDescriptor {
    pub name: String,
    pub title: Option<String>,
    pub description: String,
    pub method: String,
    pub input: Value,
    pub output: Option<Value>,
    pub annotations: Annotations,
    pub conditional: bool,
    pub authorized: bool,
    pub dispatches: bool,
    pub completion: Option<CompletionDescriptor>,
    pub timeout: Option<Duration>,
    pub concurrency: Option<usize>,
    pub open: bool,
    pub coerce: bool,
}
impl CapabilityDescriptor {
    pub fn new(name: &str, description: &str) -> Self {
        Self { name: name.into(), description: description.into(), ..Default::default() }
    }
}
#[derive(Clone, Debug, Default)]
pub struct ResourceDescriptor {
    pub name: String,
    pub title: Option<String>,
    pub description: String,
    pub uri: String,
    pub schema: Option<Value>,
    pub authorized: bool,
}
impl ResourceDescriptor {
    pub fn new(name: &str, description: &str) -> Self {
        Self {
            name: name.into(),
            description: description.into(),
            uri: format!("app://{name}"),
            ..Default::default()
        }
    }
}
#[derive(Clone, Debug)]
pub struct ContextDescriptor {
    pub description: String,
    pub schema: Option<Value>,
}

//! From what schemars generates to what every client and model provider accepts.
//!
//! Two forms come out of this module. The *exact* form is canonical: every schema in it is `{}`, one
//! `type` with its keywords, an `enum`, an `anyOf` or a local `$ref`. Composition (`allOf`, `$ref` with
//! siblings, an object beside a union) has been multiplied out, so that each object knows all of its
//! members and can be closed where it stands. `shape` compiles it. The *advertised* form (`advertise`)
//! is the exact one with what providers refuse taken out.

mod advertise;
mod blend;
mod build;
mod merge;
mod references;
mod typed;
mod union;

use schemars::JsonSchema;
use schemars::generate::{Contract, SchemaSettings};
use serde_json::{Map, Value};

use super::error::SchemaError;
pub(super) use advertise::advertise;
pub(super) use references::local_name as reference_name;

/// A schema in canonical form.
#[derive(Debug)]
pub(super) struct Exact {
    pub(super) root: Value,
    /// The recursive types, and all named ones where inlining them would be too large.
    pub(super) definitions: Map<String, Value>,
    /// Whether the type is `()` or a unit struct, which is written as the empty object (B27).
    pub(super) unit: bool,
    pub(super) recursive: bool,
}

/// Which way values travel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Direction {
    /// From the caller; `open` lets undeclared members through.
    Input {
        /// Whether undeclared members are allowed.
        open: bool,
    },
    /// To the caller.
    Output,
}

impl Direction {
    fn is_input(self) -> bool {
        matches!(self, Self::Input { .. })
    }
}

impl Exact {
    pub(super) fn of<T: JsonSchema>(direction: Direction) -> Result<Self, SchemaError> {
        let mut settings = SchemaSettings::draft2020_12();
        settings.contract =
            if direction.is_input() { Contract::Deserialize } else { Contract::Serialize };
        let mut generator = settings.into_generator();
        let root = T::json_schema(&mut generator).to_value();
        build::build(&root, &generator.take_definitions(false), direction)
    }
}

impl Exact {
    /// Makes a member of the object at this place required.
    pub(super) fn require(&mut self, pointer: &str, member: String) {
        let object = match pointer.strip_prefix("/$defs/") {
            None => self.root.pointer_mut(pointer),
            Some(inside) => {
                let (name, rest) = inside.split_at(inside.find('/').unwrap_or(inside.len()));
                self.definitions.get_mut(name).and_then(|schema| schema.pointer_mut(rest))
            }
        };
        let Some(object) = object.and_then(Value::as_object_mut) else { return };
        let required = object.entry("required").or_insert_with(|| Value::Array(Vec::new()));
        if let Some(required) = required.as_array_mut() {
            required.push(member.into());
        }
    }

    /// Whether any value will do.
    pub(super) fn says_nothing(&self) -> bool {
        is_any(&self.root)
    }
}

/// Where the descriptions of an enum's variants wait until the schema is advertised. A field's own
/// description replaces the one of its type, but these belong to both.
const VARIANTS: &str = "x-agent-mcp-variants";

/// Says something about a schema without restricting it.
fn is_annotation(keyword: &str) -> bool {
    matches!(keyword, "title" | "description" | "default" | "examples" | "deprecated")
        || keyword.starts_with("x-")
}

/// Whether a schema restricts nothing.
fn is_any(schema: &Value) -> bool {
    schema.as_object().is_some_and(|schema| schema.keys().all(|key| is_annotation(key)))
}

fn is_null(schema: &Value) -> bool {
    schema.get("type").is_some_and(|kind| kind == "null")
}

/// A schema that nothing satisfies.
fn never() -> Value {
    serde_json::json!({ "enum": [] })
}

/// The annotations on top of a schema; they replace its own.
fn annotate(schema: Value, annotations: Map<String, Value>) -> Value {
    match schema {
        Value::Object(mut schema) => {
            schema.extend(annotations);
            Value::Object(schema)
        }
        other => other,
    }
}

fn split_annotations(schema: Map<String, Value>) -> (Map<String, Value>, Map<String, Value>) {
    schema.into_iter().partition(|(key, _)| is_annotation(key))
}

#[cfg(test)]
mod tests;

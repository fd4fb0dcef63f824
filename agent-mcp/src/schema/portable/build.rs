//! Builds the exact form.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::blend::blend;
use super::merge::{restrict, types};
use super::references::{References, local_name};
use super::union::{choice, union};
use super::{Direction, Exact, annotate, is_annotation, is_any, is_null, never, split_annotations};
use crate::contract::HEADER;
use crate::schema::error::{Path, SchemaError};

/// A union is multiplied out into at most this many objects.
const MAX_BRANCHES: usize = 64;

/// How many references and `allOf`s may stand between a schema and its keywords.
const MAX_CHAIN: usize = 64;

pub(super) fn build(
    root: &Value,
    definitions: &Map<String, Value>,
    direction: Direction,
) -> Result<Exact, SchemaError> {
    let mut builder = Builder {
        references: References::new(root, definitions),
        direction,
        names: BTreeMap::new(),
        pending: Vec::new(),
    };
    let mut exact = builder.schema(root, &Path::default())?;
    let mut definitions = Map::new();
    loop {
        while let Some((reference, name)) = builder.pending.pop() {
            let path = Path::default().member(&name);
            let target = builder.references.resolve(&reference, &path)?;
            let definition = builder.schema(target, &path)?;
            definitions.insert(name, definition);
        }
        if let Some(name) = defined_by_itself(&definitions) {
            return Err(endless(&Path::default().member(name), name));
        }
        // The root of a document is not a reference, even where the type is a recursive one.
        let Some(reference) = exact.get("$ref").and_then(Value::as_str) else { break };
        let name = local_name(reference).unwrap_or(reference).to_owned();
        let Some(definition) = definitions.get(&name).cloned() else { break };
        exact = match exact {
            Value::Object(map) => {
                annotate(definition, map.into_iter().filter(|(key, _)| key != "$ref").collect())
            }
            other => other,
        };
    }
    let recursive = builder.references.are_recursive();
    let exact = Exact { root: exact, definitions, unit: false, recursive };
    if direction.is_input() { exact.into_arguments(direction) } else { Ok(exact) }
}

/// A definition that is a reference to itself, be it through others.
fn defined_by_itself(definitions: &Map<String, Value>) -> Option<&str> {
    let next = |name: &str| definitions.get(name)?.get("$ref")?.as_str().and_then(local_name);
    definitions.keys().map(String::as_str).find(|start| {
        let mut steps = std::iter::successors(next(start), |name| next(name));
        steps.by_ref().take(definitions.len()).any(|name| name == *start)
    })
}

impl Exact {
    /// Arguments are an object: nothing is the empty one, anything is any object.
    fn into_arguments(mut self, direction: Direction) -> Result<Self, SchemaError> {
        if is_null(&self.root) {
            self.unit = true;
            self.root = json!({ "type": "object" });
            if direction != (Direction::Input { open: true }) {
                self.root["additionalProperties"] = false.into();
            }
        } else if is_any(&self.root) {
            self.root["type"] = "object".into();
            self.root["additionalProperties"] = json!({});
        }
        match self.objects() {
            Some(_) => Ok(self),
            None => Err(SchemaError::NotAnObject { found: found(&self.root) }),
        }
    }

    /// The objects that the root is a union of, if it is one.
    pub(super) fn objects(&self) -> Option<Vec<Map<String, Value>>> {
        let branches = match self.root.get("anyOf").and_then(Value::as_array) {
            Some(branches) => branches.as_slice(),
            None => std::slice::from_ref(&self.root),
        };
        let object = |branch: &Value| {
            let name = branch.get("$ref").and_then(Value::as_str).and_then(local_name);
            let branch = match name {
                Some(name) => self.definitions.get(name)?,
                None => branch,
            };
            let is_object = branch.get("type").is_some_and(|kind| kind == "object");
            is_object.then(|| branch.as_object().cloned()).flatten()
        };
        branches.iter().map(object).collect()
    }
}

fn found(schema: &Value) -> String {
    match schema.get("type").and_then(Value::as_str) {
        Some("array") => "a list".to_owned(),
        Some("integer") => "an integer".to_owned(),
        Some(kind) => format!("a {kind}"),
        None => "a choice between several things, not all of them objects".to_owned(),
    }
}

pub(super) struct Builder<'a> {
    references: References<'a>,
    pub(super) direction: Direction,
    /// The names given to the references that stay.
    names: BTreeMap<String, String>,
    /// Definitions that are named but not built yet.
    pending: Vec<(String, String)>,
}

/// One schema with its composition taken apart.
#[derive(Default)]
struct Parts {
    keywords: Map<String, Value>,
    unions: Vec<Vec<Value>>,
    never: bool,
}

impl Builder<'_> {
    pub(super) fn schema(&mut self, raw: &Value, path: &Path) -> Result<Value, SchemaError> {
        if let Some(kept) = self.kept_reference(raw, path)? {
            return Ok(kept);
        }
        let mut parts = Parts::default();
        self.collect(raw, &mut parts, path, 0)?;
        if parts.never {
            return Ok(never());
        }
        match parts.unions.len() {
            0 => self.plain(parts.keywords, path),
            1 if parts.keywords.keys().all(|key| is_annotation(key)) => {
                let branches = parts.unions.remove(0);
                let branches = branches.iter().map(|branch| self.schema(branch, path));
                Ok(union(branches.collect::<Result<_, _>>()?, parts.keywords))
            }
            _ => self.multiply(parts, path),
        }
    }

    /// A reference to a recursive type, as it will stand in the result.
    fn kept_reference(&mut self, raw: &Value, path: &Path) -> Result<Option<Value>, SchemaError> {
        let Some(map) = raw.as_object() else { return Ok(None) };
        let Some(reference) = map.get("$ref").and_then(Value::as_str) else { return Ok(None) };
        let only = map.keys().all(|key| key == "$ref" || is_annotation(key));
        if !only || !self.references.stays(reference) {
            return Ok(None);
        }
        self.references.resolve(reference, path)?;
        let mut kept = map.clone();
        kept.insert("$ref".to_owned(), format!("#/$defs/{}", self.name(reference)).into());
        Ok(Some(Value::Object(kept)))
    }

    /// A name that needs no escaping anywhere.
    fn name(&mut self, reference: &str) -> String {
        if let Some(name) = self.names.get(reference) {
            return name.clone();
        }
        let last = reference.rsplit('/').next().filter(|last| *last != "#").unwrap_or("Root");
        let plain: String =
            last.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
        let mut name = plain.clone();
        let mut number = 2;
        while self.names.values().any(|taken| *taken == name) {
            name = format!("{plain}{number}");
            number += 1;
        }
        self.names.insert(reference.to_owned(), name.clone());
        self.pending.push((reference.to_owned(), name.clone()));
        name
    }

    /// Takes a schema apart; outer keywords come first, so that they win.
    fn collect(
        &self,
        raw: &Value,
        parts: &mut Parts,
        path: &Path,
        depth: usize,
    ) -> Result<(), SchemaError> {
        let map = match raw {
            Value::Object(map) => map,
            other => {
                parts.never |= *other == Value::Bool(false);
                return Ok(());
            }
        };
        for (keyword, value) in map {
            match keyword.as_str() {
                "$ref" | "allOf" => {}
                "oneOf" | "anyOf" => {
                    parts.unions.extend(value.as_array().cloned());
                }
                "const" => restrict(&mut parts.keywords, "enum", &json!([value])),
                "unevaluatedProperties" => {
                    restrict(&mut parts.keywords, "additionalProperties", value);
                }
                // A type may be argument and result, and only arguments are repeated.
                HEADER if !self.direction.is_input() => {}
                keyword => restrict(&mut parts.keywords, keyword, value),
            }
        }
        if let Some(reference) = map.get("$ref").and_then(Value::as_str) {
            if depth > MAX_CHAIN {
                return Err(endless(path, reference));
            }
            let target = self.references.resolve(reference, path)?;
            self.collect(target, parts, path, depth + 1)?;
        }
        for part in map.get("allOf").and_then(Value::as_array).into_iter().flatten() {
            self.collect(part, parts, path, depth + 1)?;
        }
        Ok(())
    }

    /// An object (or other restriction) beside unions: one branch for each combination.
    fn multiply(&mut self, parts: Parts, path: &Path) -> Result<Value, SchemaError> {
        let (annotations, keywords) = split_annotations(parts.keywords);
        let combinations =
            parts.unions.iter().try_fold(1usize, |n, union| n.checked_mul(union.len()));
        if combinations.is_none_or(|n| n > MAX_BRANCHES) {
            return self.approximate(keywords, parts.unions, annotations, path);
        }
        let mut rows: Vec<Vec<Value>> = vec![vec![Value::Object(keywords)]];
        for union in parts.unions {
            rows = rows
                .iter()
                .flat_map(|row| {
                    union.iter().map(|b| [row.as_slice(), std::slice::from_ref(b)].concat())
                })
                .collect();
        }
        let branches = rows.iter().map(|row| self.schema(&json!({ "allOf": row }), path));
        Ok(union(branches.collect::<Result<_, _>>()?, annotations))
    }

    /// Too many combinations to write down: one object with all members. It is more lenient than
    /// the type, which then has the last word.
    fn approximate(
        &mut self,
        keywords: Map<String, Value>,
        unions: Vec<Vec<Value>>,
        annotations: Map<String, Value>,
        path: &Path,
    ) -> Result<Value, SchemaError> {
        let mut row = vec![Value::Object(keywords)];
        for union in unions {
            let branches = union.iter().map(|branch| self.schema(branch, path));
            let branches = branches.collect::<Result<Vec<_>, _>>()?;
            let objects: Vec<_> = branches.iter().filter_map(Value::as_object).cloned().collect();
            row.push(blend(&objects, Map::new()));
        }
        Ok(annotate(self.schema(&json!({ "allOf": row }), path)?, annotations))
    }

    /// A schema without composition.
    fn plain(&mut self, keywords: Map<String, Value>, path: &Path) -> Result<Value, SchemaError> {
        let kinds: Vec<String> = match keywords.get("type") {
            Some(kinds) => types(kinds).into_iter().map(str::to_owned).collect(),
            None => implied_type(&keywords).into_iter().map(str::to_owned).collect(),
        };
        if let Some(Value::Array(values)) = keywords.get("enum") {
            let admitted = |value: &&Value| {
                kinds.is_empty() || kinds.iter().any(|kind| is_of_type(value, kind))
            };
            let values = values.iter().filter(admitted).cloned().collect();
            return Ok(choice(values, split_annotations(keywords).0));
        }
        match kinds.as_slice() {
            [] if keywords.contains_key("type") => Ok(never()),
            [] => Ok(Value::Object(split_annotations(keywords).0)),
            [kind] => self.typed(kind, keywords, path),
            many => {
                let (annotations, keywords) = split_annotations(keywords);
                let branches = many.iter().map(|kind| self.typed(kind, keywords.clone(), path));
                Ok(union(branches.collect::<Result<_, _>>()?, annotations))
            }
        }
    }
}

fn endless(path: &Path, reference: &str) -> SchemaError {
    SchemaError::EndlessReference { path: path.clone(), reference: reference.to_owned() }
}

/// The type that a hand-written schema forgot to name.
fn implied_type(keywords: &Map<String, Value>) -> Option<&'static str> {
    keywords.keys().find_map(|keyword| match keyword.as_str() {
        "properties" | "required" | "additionalProperties" | "patternProperties" => Some("object"),
        "items" | "prefixItems" | "minItems" | "maxItems" => Some("array"),
        "pattern" | "minLength" | "maxLength" => Some("string"),
        "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" | "multipleOf" => {
            Some("number")
        }
        _ => None,
    })
}

fn is_of_type(value: &Value, kind: &str) -> bool {
    match kind {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "string" => value.is_string(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        "integer" => value.as_f64().is_some_and(|number| number.fract() == 0.0),
        _ => value.is_number(),
    }
}

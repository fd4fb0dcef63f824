//! The `$ref`s of a generated schema: where they lead, which are recursive, what inlining costs.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value};

use crate::schema::error::{Path, SchemaError};

/// Up to this many bytes of schema are inlined; beyond it named types stay in `$defs`.
const INLINE_LIMIT: usize = 32 * 1024;

/// The name in a reference of the exact form.
pub(in crate::schema) fn local_name(reference: &str) -> Option<&str> {
    reference.strip_prefix("#/$defs/")
}

pub(super) struct References<'a> {
    root: &'a Value,
    definitions: &'a Map<String, Value>,
    recursive: BTreeSet<String>,
    inline: bool,
}

impl<'a> References<'a> {
    pub(super) fn new(root: &'a Value, definitions: &'a Map<String, Value>) -> Self {
        let mut references = Self { root, definitions, recursive: BTreeSet::new(), inline: true };
        let mut edges = BTreeMap::new();
        references.follow(root, &mut edges);
        references.recursive =
            edges.keys().filter(|r| reaches_itself(r, &edges)).cloned().collect();
        references.inline = references.size(root, &mut BTreeMap::new()) <= INLINE_LIMIT;
        references
    }

    /// Whether this reference stays one.
    pub(super) fn stays(&self, reference: &str) -> bool {
        !self.inline || self.recursive.contains(reference)
    }

    pub(super) fn are_recursive(&self) -> bool {
        !self.recursive.is_empty()
    }

    pub(super) fn resolve(&self, reference: &str, path: &Path) -> Result<&'a Value, SchemaError> {
        if let Some(target) = self.lookup(reference) {
            return Ok(target);
        }
        let (path, reference) = (path.clone(), reference.to_owned());
        Err(if reference.starts_with('#') {
            SchemaError::UnresolvedReference { path, reference }
        } else {
            SchemaError::OutsideReference { path, reference }
        })
    }

    fn lookup(&self, reference: &str) -> Option<&'a Value> {
        let pointer = unescape(reference.strip_prefix('#')?);
        let name =
            pointer.strip_prefix("/$defs/").or_else(|| pointer.strip_prefix("/definitions/"));
        if let Some(name) = name
            && let Some(target) = self.definitions.get(&name.replace("~1", "/").replace("~0", "~"))
        {
            return Some(target);
        }
        self.root.pointer(&pointer)
    }

    fn follow(&self, schema: &Value, edges: &mut BTreeMap<String, BTreeSet<String>>) {
        for reference in mentioned(schema) {
            if edges.contains_key(&reference) {
                continue;
            }
            let target = self.lookup(&reference);
            edges.insert(reference, target.map(mentioned).unwrap_or_default());
            if let Some(target) = target {
                self.follow(target, edges);
            }
        }
    }

    /// How large a schema is with its non-recursive references inlined.
    fn size(&self, schema: &Value, known: &mut BTreeMap<String, usize>) -> usize {
        let mut total = schema.to_string().len();
        every_reference(schema, &mut |reference| {
            if self.recursive.contains(reference) {
                return;
            }
            let size = match known.get(reference) {
                Some(size) => *size,
                None => {
                    let target = self.lookup(reference);
                    let size = target.map_or(0, |target| self.size(target, known));
                    known.insert(reference.to_owned(), size);
                    size
                }
            };
            total = total.saturating_add(size);
        });
        total
    }
}

fn mentioned(schema: &Value) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    every_reference(schema, &mut |reference| {
        found.insert(reference.to_owned());
    });
    found
}

fn every_reference(value: &Value, visit: &mut dyn FnMut(&str)) {
    match value {
        Value::Object(map) => {
            for (key, value) in map {
                match value {
                    Value::String(reference) if key == "$ref" => visit(reference),
                    value => every_reference(value, visit),
                }
            }
        }
        Value::Array(list) => list.iter().for_each(|value| every_reference(value, visit)),
        _ => {}
    }
}

fn reaches_itself(start: &str, edges: &BTreeMap<String, BTreeSet<String>>) -> bool {
    let mut seen = BTreeSet::new();
    let mut open = vec![start];
    while let Some(reference) = open.pop() {
        for next in edges.get(reference).into_iter().flatten() {
            if next == start {
                return true;
            }
            if seen.insert(next) {
                open.push(next);
            }
        }
    }
    false
}

/// Undoes the percent-encoding of a fragment.
fn unescape(fragment: &str) -> String {
    let mut bytes = Vec::with_capacity(fragment.len());
    let mut rest = fragment.as_bytes();
    while let [first, tail @ ..] = rest {
        let hex = tail.get(..2).and_then(|hex| std::str::from_utf8(hex).ok());
        match hex.and_then(|hex| u8::from_str_radix(hex, 16).ok()) {
            Some(byte) if *first == b'%' => {
                bytes.push(byte);
                rest = &tail[2..];
            }
            _ => {
                bytes.push(*first);
                rest = tail;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

//! Unions: one `anyOf` without nesting, and one `enum` for what is only names.

use serde_json::{Map, Value, json};

use super::{VARIANTS, annotate, is_any, is_null, never, split_annotations};

/// The union of some branches in exact form.
pub(super) fn union(branches: Vec<Value>, annotations: Map<String, Value>) -> Value {
    let mut flat: Vec<Value> = Vec::new();
    for branch in branches {
        match branch {
            // A nested union with nothing to say about itself is the same union.
            Value::Object(mut map) if map.len() == 1 && map.contains_key("anyOf") => {
                if let Some(Value::Array(inner)) = map.remove("anyOf") {
                    flat.extend(inner);
                }
            }
            branch if branch == never() => {}
            branch => flat.push(branch),
        }
    }
    if flat.iter().any(is_any) {
        return Value::Object(annotations);
    }
    let mut names = Names::default();
    let mut kept: Vec<Value> = Vec::new();
    for branch in flat {
        let first = names.values.is_empty();
        if names.take(&branch) {
            if first {
                kept.push(Value::Null);
            }
        } else if !kept.contains(&branch) {
            kept.push(branch);
        }
    }
    if let Some(place) = kept.iter_mut().find(|branch| branch.is_null()) {
        *place = names.into_schema();
    }
    match kept.len() {
        0 => annotate(never(), annotations),
        1 => annotate(kept.remove(0), annotations),
        _ => annotate(json!({ "anyOf": kept }), annotations),
    }
}

/// A schema without the `null` that stands for "absent" in the generated one.
pub(super) fn without_null(schema: Value) -> Value {
    let Value::Object(mut map) = schema else { return schema };
    if map.get("default").is_some_and(Value::is_null) {
        map.remove("default");
    }
    let Some(Value::Array(branches)) = map.get_mut("anyOf") else { return Value::Object(map) };
    branches.retain(|branch| !is_null(branch));
    if branches.len() != 1 {
        return Value::Object(map);
    }
    let only = branches.remove(0);
    map.remove("anyOf");
    annotate(only, map)
}

/// The branches that are nothing but names.
#[derive(Default)]
struct Names {
    branches: Vec<Value>,
    values: Vec<Value>,
    docs: Vec<String>,
}

impl Names {
    fn take(&mut self, branch: &Value) -> bool {
        let Some(values) = branch.get("enum").and_then(Value::as_array) else { return false };
        if values.is_empty() || !values.iter().all(Value::is_string) {
            return false;
        }
        if let Some(docs) = branch.get(VARIANTS).and_then(Value::as_str) {
            self.docs.push(docs.to_owned());
        }
        if let ([Value::String(name)], Some(docs)) =
            (values.as_slice(), branch.get("description").and_then(Value::as_str))
        {
            self.docs.push(variant_line(name, docs));
        }
        for value in values {
            if !self.values.contains(value) {
                self.values.push(value.clone());
            }
        }
        self.branches.push(branch.clone());
        true
    }

    fn into_schema(mut self) -> Value {
        if self.branches.len() == 1 {
            return self.branches.remove(0);
        }
        let mut schema = json!({ "type": "string", "enum": self.values });
        if !self.docs.is_empty() {
            schema[VARIANTS] = self.docs.join("\n").into();
        }
        schema
    }
}

/// One line of an enum's description.
pub(super) fn variant_line(name: &str, docs: &str) -> String {
    let docs = docs.split_whitespace().collect::<Vec<_>>().join(" ");
    format!("- `{name}`: {docs}")
}

/// An `enum` in exact form; `null` among the values becomes a branch of its own.
pub(super) fn choice(values: Vec<Value>, annotations: Map<String, Value>) -> Value {
    let (nulls, values): (Vec<_>, Vec<_>) = values.into_iter().partition(Value::is_null);
    let mut schema = Map::new();
    if !values.is_empty() && values.iter().all(Value::is_string) {
        schema.insert("type".to_owned(), "string".into());
    } else if !values.is_empty() && values.iter().all(|value| value.is_i64() || value.is_u64()) {
        schema.insert("type".to_owned(), "integer".into());
    }
    let only_null = values.is_empty() && !nulls.is_empty();
    schema.insert("enum".to_owned(), values.into());
    if nulls.is_empty() {
        return annotate(Value::Object(schema), annotations);
    }
    let null = json!({ "type": "null" });
    if only_null {
        return annotate(null, annotations);
    }
    union(vec![Value::Object(schema), null], split_annotations(annotations).0)
}

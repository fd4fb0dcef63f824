//! One object that holds every member of several: what is advertised for a union of objects where
//! a union is not allowed, that is at the root (case schema-8a1).

use serde_json::{Map, Value, json};

use super::union::{union, variant_line};
use super::{VARIANTS, annotate};

/// Blends objects in exact form. What satisfies one of them satisfies the result.
pub(super) fn blend(branches: &[Map<String, Value>], annotations: Map<String, Value>) -> Value {
    let mut properties = Map::new();
    let names: Vec<&String> = branches.iter().flat_map(|b| members(b).map(|(n, _)| n)).collect();
    for name in names {
        if properties.contains_key(name) {
            continue;
        }
        let holders: Vec<_> = branches
            .iter()
            .filter_map(|branch| Some((branch, branch.get("properties")?.get(name)?.clone())))
            .collect();
        let is_tag = holders.len() == branches.len();
        let schemas = holders
            .into_iter()
            .map(
                |(branch, schema)| if is_tag { describe_tag(name, branch, schema) } else { schema },
            )
            .collect();
        properties.insert(name.clone(), union(schemas, Map::new()));
    }
    let required: Vec<&String> = properties
        .keys()
        .filter(|name| branches.iter().all(|branch| requires(branch, name)))
        .collect();
    let mut schema = json!({ "type": "object", "properties": properties });
    if !required.is_empty() {
        schema["required"] = json!(required);
    }
    let mut rest = branches.iter().map(|branch| branch.get("additionalProperties"));
    if rest.all(|rest| rest == Some(&Value::Bool(false))) {
        schema["additionalProperties"] = false.into();
    }
    annotate(schema, annotations)
}

fn members(branch: &Map<String, Value>) -> impl Iterator<Item = (&String, &Value)> {
    branch.get("properties").and_then(Value::as_object).into_iter().flatten()
}

fn requires(branch: &Map<String, Value>, name: &str) -> bool {
    let required = branch.get("required").and_then(Value::as_array);
    required.is_some_and(|required| required.iter().any(|other| other == name))
}

/// Says beside the tag what a variant is for and which members it goes with.
fn describe_tag(name: &str, branch: &Map<String, Value>, mut schema: Value) -> Value {
    let Some([Value::String(tag)]) =
        schema.get("enum").and_then(Value::as_array).map(Vec::as_slice)
    else {
        return schema;
    };
    let needed: Vec<String> = members(branch)
        .map(|(other, _)| other)
        .filter(|other| *other != name && requires(branch, other))
        .map(|other| format!("`{other}`"))
        .collect();
    let mut docs = branch.get("description").and_then(Value::as_str).unwrap_or("").to_owned();
    if !needed.is_empty() {
        let gap = if docs.is_empty() { "" } else { " " };
        docs.push_str(&format!("{gap}(needs {})", needed.join(", ")));
    }
    if !docs.is_empty() {
        schema[VARIANTS] = variant_line(tag, &docs).into();
    }
    if let Some(schema) = schema.as_object_mut() {
        schema.remove("description");
    }
    schema
}

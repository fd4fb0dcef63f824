//! The last step: out of the exact form, what clients refuse or read badly.

use serde_json::{Map, Value, json};

use super::blend::blend;
use super::{Exact, VARIANTS, is_null, split_annotations};

/// Beyond this the bound of an integer is left out. Several clients keep bounds in a double or in a
/// signed 64-bit integer, and those of `u64` and `i64` overflow there.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// The schema as it is published.
pub(in crate::schema) fn advertise(exact: &Exact) -> Value {
    let mut root = match exact.objects() {
        Some(branches) if exact.root.get("anyOf").is_some() => {
            let annotations = exact.root.as_object().cloned().unwrap_or_default();
            blend(&branches, split_annotations(annotations).0)
        }
        _ => exact.root.clone(),
    };
    publish(&mut root);
    if root.get("type").is_some_and(|kind| kind == "object") && root.get("properties").is_none() {
        root["properties"] = json!({});
    }
    let mut definitions = exact.definitions.clone();
    if !definitions.is_empty() && root.is_object() {
        definitions.values_mut().for_each(publish);
        root["$defs"] = Value::Object(definitions);
    }
    root
}

fn publish(schema: &mut Value) {
    let Value::Object(map) = schema else { return };
    integer_keys(map);
    for keyword in ["properties", "patternProperties"] {
        if let Some(Value::Object(members)) = map.get_mut(keyword) {
            members.values_mut().for_each(publish);
        }
    }
    for keyword in ["items", "additionalProperties"] {
        if let Some(part) = map.get_mut(keyword) {
            publish(part);
        }
    }
    for keyword in ["prefixItems", "anyOf"] {
        if let Some(Value::Array(parts)) = map.get_mut(keyword) {
            parts.iter_mut().for_each(publish);
        }
    }
    if map.get("format").is_some_and(|format| format != "date-time") {
        map.remove("format");
    }
    for keyword in ["minimum", "maximum"] {
        if map.get(keyword).and_then(Value::as_f64).is_some_and(|bound| bound.abs() > EXACT) {
            map.remove(keyword);
        }
    }
    if let Some(mut default) = map.remove("default") {
        absent_members(map, &mut default);
        map.insert("default".to_owned(), default);
    }
    variants(map);
    nullable(map);
}

/// Takes out of a default what its schema would refuse: `null` where a member is merely optional, which
/// means that it is absent.
fn absent_members(schema: &Map<String, Value>, default: &mut Value) {
    let Value::Object(members) = default else { return };
    let properties = schema.get("properties").and_then(Value::as_object);
    members.retain(|name, value| {
        let Some(Value::Object(schema)) = properties.and_then(|all| all.get(name)) else {
            return true;
        };
        absent_members(schema, value);
        // What takes `null` says so by a union or a list of types; a plain type does not.
        !(value.is_null()
            && schema.get("type").is_some_and(|kind| kind.is_string() && kind != "null"))
    });
}

/// Integer keys travel as strings, and any string is what providers can say about a key (schema-23d).
fn integer_keys(map: &mut Map<String, Value>) {
    let closed = map.get("additionalProperties") == Some(&Value::Bool(false));
    let Some(Value::Object(patterns)) = map.get_mut("patternProperties") else { return };
    if !closed || patterns.len() != 1 {
        return;
    }
    if let Some(value) = patterns.remove(r"^\d+$").or_else(|| patterns.remove(r"^-?\d+$")) {
        map.remove("patternProperties");
        map.insert("additionalProperties".to_owned(), value);
    }
}

/// The descriptions of the variants go below the description of the enum or the field.
fn variants(map: &mut Map<String, Value>) {
    let Some(Value::String(variants)) = map.remove(VARIANTS) else { return };
    let description = match map.get("description").and_then(Value::as_str) {
        Some(description) => format!("{description}\n{variants}"),
        None => variants,
    };
    map.insert("description".to_owned(), description.into());
}

/// A scalar or `null` as a list of types, which is shorter than a union and as widely understood.
fn nullable(map: &mut Map<String, Value>) {
    let Some(Value::Array(branches)) = map.get("anyOf") else { return };
    let [value, null] = branches.as_slice() else { return };
    let (value, null) = if is_null(value) { (null, value) } else { (value, null) };
    let kind = value.get("type").and_then(Value::as_str).map(str::to_owned);
    let scalar = matches!(kind.as_deref(), Some("string" | "number" | "integer" | "boolean"));
    if !is_null(null) || !scalar || value.get("enum").is_some() {
        return;
    }
    let Some(mut value) = value.as_object().cloned() else { return };
    value.insert("type".to_owned(), json!([kind, "null"]));
    map.remove("anyOf");
    for (key, value) in value {
        map.entry(key).or_insert(value);
    }
}

//! The intersection of two schemas, keyword by keyword.

use serde_json::{Map, Value, json};

use crate::schema::number::Number;

/// Restricts a schema by one more keyword. Where two cannot both be kept the one that was there first
/// wins: it is the outer one.
pub(super) fn restrict(schema: &mut Map<String, Value>, keyword: &str, value: &Value) {
    let Some(old) = schema.get_mut(keyword) else {
        schema.insert(keyword.to_owned(), value.clone());
        return;
    };
    match (keyword, old, value) {
        ("properties" | "patternProperties", Value::Object(old), Value::Object(new)) => {
            for (name, new) in new {
                match old.get_mut(name) {
                    None => {
                        old.insert(name.clone(), new.clone());
                    }
                    Some(old) if old == new => {}
                    Some(old) => *old = json!({ "allOf": [old.take(), new] }),
                }
            }
        }
        ("required", Value::Array(old), Value::Array(new)) => {
            for name in new {
                if !old.contains(name) {
                    old.push(name.clone());
                }
            }
        }
        ("enum", Value::Array(old), Value::Array(new)) => old.retain(|value| new.contains(value)),
        ("type", old, new) => *old = common_types(old, new),
        // A map that is flattened into an object, or the other way round, opens the whole.
        ("additionalProperties", old @ Value::Bool(false), new) => *old = new.clone(),
        (
            "minimum" | "exclusiveMinimum" | "minLength" | "minItems" | "minProperties",
            Value::Number(old),
            Value::Number(new),
        ) if is_less(old, new) => *old = new.clone(),
        (
            "maximum" | "exclusiveMaximum" | "maxLength" | "maxItems" | "maxProperties",
            Value::Number(old),
            Value::Number(new),
        ) if is_less(new, old) => *old = new.clone(),
        _ => {}
    }
}

fn is_less(left: &serde_json::Number, right: &serde_json::Number) -> bool {
    Number::parse(&left.to_string()) < Number::parse(&right.to_string())
}

fn common_types(left: &Value, right: &Value) -> Value {
    let (left, right) = (types(left), types(right));
    let admits = |types: &[&str], kind: &str| {
        types.contains(&kind) || (kind == "integer" && types.contains(&"number"))
    };
    let mut common: Vec<&str> = left.iter().copied().filter(|kind| admits(&right, kind)).collect();
    for kind in right {
        if admits(&left, kind) && !common.contains(&kind) {
            common.push(kind);
        }
    }
    match common.as_slice() {
        [one] => json!(one),
        many => json!(many),
    }
}

pub(super) fn types(value: &Value) -> Vec<&str> {
    match value {
        Value::String(kind) => vec![kind],
        Value::Array(kinds) => kinds.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    }
}

//! Whether a default is one of the values that its schema describes.

use regex_lite::Regex;
use serde_json::{Map, Value};

/// Whether the default of `schema`, if it has one, satisfies what the schema says of itself. What stands in
/// other schemas, such as those of members, is theirs to judge.
pub(super) fn fits(schema: &Map<String, Value>) -> bool {
    let Some(default) = schema.get("default") else { return true };
    is_of_type(schema, default) && is_listed(schema, default) && is_within(schema, default)
}

fn is_of_type(schema: &Map<String, Value>, value: &Value) -> bool {
    let is = |kind: &str| match kind {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "string" => value.is_string(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        "number" => value.is_number(),
        "integer" => value.as_f64().is_some_and(|number| number.fract() == 0.0),
        _ => true,
    };
    match schema.get("type") {
        Some(Value::String(kind)) => is(kind),
        Some(Value::Array(kinds)) => kinds.iter().filter_map(Value::as_str).any(is),
        _ => true,
    }
}

fn is_listed(schema: &Map<String, Value>, value: &Value) -> bool {
    let listed = schema.get("enum").and_then(Value::as_array);
    listed.is_none_or(|values| values.contains(value))
        && schema.get("const").is_none_or(|only| only == value)
}

fn is_within(schema: &Map<String, Value>, value: &Value) -> bool {
    let limit = |keyword: &str| schema.get(keyword).and_then(Value::as_f64);
    let sized = |size: usize, least: &str, most: &str| {
        let size = size as f64;
        limit(least).is_none_or(|least| size >= least)
            && limit(most).is_none_or(|most| size <= most)
    };
    match value {
        Value::Number(number) => number.as_f64().is_none_or(|number| {
            limit("minimum").is_none_or(|least| number >= least)
                && limit("maximum").is_none_or(|most| number <= most)
                && limit("exclusiveMinimum").is_none_or(|least| number > least)
                && limit("exclusiveMaximum").is_none_or(|most| number < most)
        }),
        Value::String(text) => {
            let pattern = schema.get("pattern").and_then(Value::as_str);
            sized(text.chars().count(), "minLength", "maxLength")
                && pattern
                    .and_then(|pattern| Regex::new(pattern).ok())
                    .is_none_or(|pattern| pattern.is_match(text))
        }
        Value::Array(items) => sized(items.len(), "minItems", "maxItems"),
        Value::Object(members) => sized(members.len(), "minProperties", "maxProperties"),
        _ => true,
    }
}

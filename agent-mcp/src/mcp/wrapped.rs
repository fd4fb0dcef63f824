//! Structured output that is no object, where only objects will do (TOOL-8).

use serde_json::{Value, json};

/// Whether structured output of that schema is put under `result` where only objects will do.
///
/// The schema decides for all values, so that schema and value agree (TOOL-8).
pub(crate) fn wraps(schema: &Value) -> bool {
    schema.get("type").is_none_or(|kind| kind != "object")
}

/// The schema of an object that holds such a value; `None` where the references of a schema that is written
/// by hand would lead elsewhere there.
pub(crate) fn wrapped(schema: &Value) -> Option<Value> {
    // References are from the root.
    const AT_ROOT: [&str; 3] = ["$schema", "$defs", "definitions"];
    let mut inner = schema.clone();
    let mut moved = serde_json::Map::new();
    // What has an id of its own is a root of its own.
    if let Some(inner) = inner.as_object_mut().filter(|inner| !inner.contains_key("$id")) {
        moved.extend(AT_ROOT.iter().filter_map(|key| inner.remove_entry(*key)));
        if !inner.values().chain(moved.values()).all(refers_to_definitions) {
            return None;
        }
    }
    let mut outer =
        json!({"type": "object", "properties": {"result": inner}, "required": ["result"]});
    if let Some(outer) = outer.as_object_mut() {
        outer.extend(moved);
    }
    Some(outer)
}

/// Whether references go to definitions and anchors alone.
fn refers_to_definitions(schema: &Value) -> bool {
    match schema {
        Value::Array(items) => items.iter().all(refers_to_definitions),
        Value::Object(members) => members.iter().all(|(key, value)| match value.as_str() {
            Some(target) if key == "$ref" || key == "$dynamicRef" => {
                let path = target.strip_prefix("#/");
                let root = target == "#";
                !root
                    && path.is_none_or(|path| {
                        path.starts_with("$defs/") || path.starts_with("definitions/")
                    })
            }
            _ => refers_to_definitions(value),
        }),
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tool_8_definitions_stay_at_the_root_of_what_is_wrapped() {
        let list = json!({
            "$defs": {"Point": {"type": "object"}},
            "type": "array",
            "items": {"$ref": "#/$defs/Point"},
        });
        assert!(wraps(&list) && !wraps(&json!({"type": "object"})) && wraps(&json!({})));
        assert_eq!(
            wrapped(&list).unwrap(),
            json!({
                "type": "object",
                "properties": {"result": {"type": "array", "items": {"$ref": "#/$defs/Point"}}},
                "required": ["result"],
                "$defs": {"Point": {"type": "object"}},
            })
        );
    }

    #[test]
    fn tool_8_a_schema_that_refers_to_its_own_root_is_left_out() {
        assert_eq!(wrapped(&json!({"type": "array", "items": {"$ref": "#"}})), None);
        assert_eq!(wrapped(&json!({"items": [{"$ref": "#/items/1"}, {}]})), None);
        assert!(wrapped(&json!({"items": {"$ref": "#item"}})).is_some());
        let own = json!({"$id": "urn:list", "type": "array", "items": {"$ref": "#"}});
        assert_eq!(wrapped(&own).unwrap()["properties"]["result"], own);
    }
}

//! The shapes that were tried before this module was written, and hand-written schemas.

use std::collections::HashMap;

use schemars::JsonSchema;
use serde_json::{Value, json};

use super::*;
use crate::schema::shape::Shape;

fn closed<T: JsonSchema>() -> Value {
    advertise(&Exact::of::<T>(Direction::Input { open: false }).unwrap())
}

fn by_hand(schema: Value) -> Result<Value, SchemaError> {
    let schema = json!({ "type": "object", "properties": { "x": schema }, "required": ["x"] });
    let exact = build::build(&schema, &Map::new(), Direction::Input { open: false })?;
    Shape::compile(&exact)?;
    Ok(advertise(&exact)["properties"]["x"].clone())
}

/// Checks one shape: what it takes, and that it takes no member more.
fn check<T: JsonSchema>(good: &[Value]) {
    #[derive(JsonSchema)]
    #[allow(dead_code)]
    struct Argument<T> {
        field: T,
    }
    let schema = closed::<Argument<T>>();
    let validator = jsonschema::draft202012::new(&schema).unwrap();
    for value in good {
        assert!(validator.is_valid(&json!({ "field": value })), "{value} {schema:#}");
        let mut more = value.clone();
        let object = match &mut more {
            Value::Array(list) => list[0].as_object_mut(),
            other => other.as_object_mut(),
        };
        object.unwrap().insert("undeclared".to_owned(), json!("x"));
        assert!(!validator.is_valid(&json!({ "field": more })), "{more} {schema:#}");
    }
    assert!(!validator.is_valid(&json!({ "field": null })));
    assert!(!schema.to_string().contains("unevaluated"), "{schema:#}");
}

#[derive(JsonSchema)]
#[allow(dead_code)]
struct Inner {
    a: u8,
}

#[derive(JsonSchema)]
#[serde(tag = "kind")]
#[allow(dead_code)]
enum Tagged {
    Struct { b: u8 },
    Newtype(Inner),
}

#[derive(JsonSchema)]
#[serde(untagged)]
#[allow(dead_code)]
enum Untagged {
    A(Inner),
    B { b: u8 },
}

#[derive(JsonSchema)]
#[allow(dead_code)]
struct Flat<T> {
    id: u8,
    #[serde(flatten)]
    inner: T,
}

#[test]
fn nine_shapes_are_closed_where_they_stand() {
    check::<Inner>(&[json!({ "a": 1 })]);
    check::<Vec<Inner>>(&[json!([{ "a": 1 }])]);
    check::<Flat<Inner>>(&[json!({ "id": 1, "a": 1 })]);
    check::<Untagged>(&[json!({ "a": 1 }), json!({ "b": 1 })]);
    check::<Tagged>(&[json!({ "kind": "Struct", "b": 1 }), json!({ "kind": "Newtype", "a": 1 })]);
    check::<Flat<Tagged>>(&[
        json!({ "id": 1, "kind": "Struct", "b": 1 }),
        json!({ "id": 1, "kind": "Newtype", "a": 1 }),
    ]);
    check::<Flat<Flat<Untagged>>>(&[json!({ "id": 1, "b": 1 })]);
    check::<Flat<HashMap<String, u8>>>(&[json!({ "id": 1, "more": 2 })]);
    check::<Option<Inner>>(&[json!({ "a": 1 })]);
}

#[test]
fn an_open_input_keeps_only_what_the_type_itself_closes() {
    #[derive(JsonSchema)]
    #[serde(deny_unknown_fields)]
    #[allow(dead_code)]
    struct Denies {
        inner: Inner,
    }
    let open = advertise(&Exact::of::<Denies>(Direction::Input { open: true }).unwrap());
    assert_eq!(open["additionalProperties"], false);
    assert_eq!(open["properties"]["inner"].get("additionalProperties"), None);
}

#[test]
fn too_many_combinations_become_one_object() {
    #[derive(JsonSchema)]
    #[allow(dead_code)]
    struct Many {
        #[serde(flatten)]
        a: A,
        #[serde(flatten)]
        b: B,
        #[serde(flatten)]
        c: C,
    }
    macro_rules! five {
        ($($name:ident $tag:literal),*) => {$(
            #[derive(JsonSchema)]
            #[serde(tag = $tag)]
            #[allow(dead_code)]
            enum $name { V1 { v1: u8 }, V2 { v2: u8 }, V3, V4, V5 }
        )*};
    }
    five!(A "ta", B "tb", C "tc");
    let schema = closed::<Many>();
    assert_eq!(schema["required"], json!(["ta", "tb", "tc"]));
    assert_eq!(schema["additionalProperties"], false);
    assert_eq!(schema["properties"]["ta"]["enum"], json!(["V1", "V2", "V3", "V4", "V5"]));
}

#[test]
fn hand_written_schemas_pass_as_far_as_they_are_portable() {
    for (written, published) in [
        (json!(true), json!({})),
        (json!({ "const": "a" }), json!({ "type": "string", "enum": ["a"] })),
        (
            json!({ "enum": [1, 2], "uniqueItems": true }),
            json!({ "type": "integer", "enum": [1, 2] }),
        ),
        (json!({ "minLength": 2, "format": "email" }), json!({ "type": "string", "minLength": 2 })),
        (json!({ "type": "array" }), json!({ "type": "array", "items": {} })),
        (json!({ "type": "array", "items": true }), json!({ "type": "array", "items": {} })),
        (
            json!({ "type": ["string", "null"], "description": "d" }),
            json!({ "type": ["string", "null"], "description": "d" }),
        ),
        (
            json!({ "allOf": [{ "type": "number", "minimum": 1 }, { "type": "integer", "minimum": 3 }] }),
            json!({ "type": "integer", "minimum": 3 }),
        ),
        (
            json!({ "oneOf": [{ "type": "string" }, { "type": "boolean" }], "not": {} }),
            json!({ "anyOf": [{ "type": "string" }, { "type": "boolean" }] }),
        ),
        (
            json!({ "type": "object", "additionalProperties": true }),
            json!({ "type": "object", "additionalProperties": {} }),
        ),
        (
            json!({
                "type": "object",
                "properties": { "a": { "type": "string" }, "b": { "type": "string" } },
                "anyOf": [{ "required": ["a"] }, { "required": ["b"] }]
            }),
            json!({ "anyOf": [
                {
                    "type": "object",
                    "properties": { "a": { "type": "string" }, "b": { "type": "string" } },
                    "required": ["a"],
                    "additionalProperties": false
                },
                {
                    "type": "object",
                    "properties": { "a": { "type": "string" }, "b": { "type": "string" } },
                    "required": ["b"],
                    "additionalProperties": false
                }
            ] }),
        ),
        (
            json!({ "type": "string", "x-mcp-header": "Region", "examples": ["eu"] }),
            json!({ "type": "string", "x-mcp-header": "Region", "examples": ["eu"] }),
        ),
    ] {
        assert_eq!(by_hand(written.clone()).unwrap(), published, "{written}");
    }
}

#[test]
fn hand_written_mistakes_are_errors_that_name_the_place() {
    let error = by_hand(json!({ "type": "string", "pattern": "(?=a)" })).unwrap_err();
    assert!(
        error.to_string().starts_with("`x` has a pattern that cannot be used, `(?=a)`:"),
        "{error}"
    );
    let error = by_hand(json!({ "$ref": "#/properties/x" })).unwrap_err();
    assert!(matches!(error, SchemaError::EndlessReference { .. }), "{error}");
    let error = by_hand(json!({ "items": { "$ref": "other.json#/x" } })).unwrap_err();
    assert_eq!(
        error.to_string(),
        "`x[]` refers to `other.json#/x` outside of its schema, which is never fetched; write that \
         schema in its place"
    );
}

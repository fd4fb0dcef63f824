//! Schemas that every client accepts, and the decoder that agrees with them: the cases `schema-*`,
//! `output-*` and `args-*` as far as they concern types, without a protocol.

#![allow(clippy::unwrap_used)]

use std::collections::{BTreeMap, HashMap};

use agent_mcp::schema::{
    FaultKind, Faults, Id, InputOptions, InputSchema, OutputSchema, SchemaError,
};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

fn input<T: JsonSchema + DeserializeOwned>() -> InputSchema {
    InputSchema::of::<T>(InputOptions::default()).unwrap()
}

fn schema<T: JsonSchema + DeserializeOwned>() -> Value {
    input::<T>().json().clone()
}

fn decode<T: JsonSchema + DeserializeOwned>(text: &str) -> Result<T, Faults> {
    input::<T>().decode(text.as_bytes())
}

fn faults<T: JsonSchema + DeserializeOwned>(text: &str) -> Faults {
    match decode::<T>(text) {
        Ok(_) => panic!("{text} was accepted"),
        Err(faults) => faults,
    }
}

fn says<T: JsonSchema + DeserializeOwned>(text: &str) -> String {
    faults::<T>(text).to_string()
}

fn accepts(schema: &Value, value: &Value) -> bool {
    jsonschema::draft202012::is_valid(schema, value)
}

/// Every place in a schema that holds a schema.
fn every_schema(schema: &Value, visit: &mut dyn FnMut(&Value)) {
    visit(schema);
    let each = |key: &str| schema.get(key).and_then(Value::as_object).into_iter().flatten();
    for key in ["properties", "patternProperties", "$defs"] {
        each(key).for_each(|(_, part)| every_schema(part, visit));
    }
    for key in ["items", "additionalProperties"] {
        schema
            .get(key)
            .filter(|part| part.is_object())
            .into_iter()
            .for_each(|part| every_schema(part, visit));
    }
    for key in ["prefixItems", "anyOf"] {
        let parts = schema.get(key).and_then(Value::as_array);
        parts.into_iter().flatten().for_each(|part| every_schema(part, visit));
    }
}

/// What holds for every schema that is advertised as an input.
fn assert_portable(schema: &Value) {
    assert!(jsonschema::meta::is_valid(schema), "{schema:#}");
    assert_eq!(schema["type"], "object");
    assert!(schema["properties"].is_object());
    for keyword in ["oneOf", "anyOf", "allOf", "$ref", "$schema", "title"] {
        assert!(schema.get(keyword).is_none(), "{keyword} at the root: {schema:#}");
    }
    every_schema(schema, &mut |part| {
        let part = part.as_object().unwrap_or_else(|| panic!("not an object: {part}"));
        for keyword in ["nullable", "oneOf", "allOf", "const", "not", "uniqueItems", "title"] {
            assert!(!part.contains_key(keyword), "{keyword}: {schema:#}");
        }
        assert!(part.get("format").is_none_or(|format| format == "date-time"), "{schema:#}");
        assert!(part.get("required").is_none_or(|required| *required != json!([])));
        if let Some(reference) = part.get("$ref").and_then(Value::as_str) {
            assert!(schema.pointer(&reference[1..]).is_some(), "{reference}: {schema:#}");
        }
        if part.contains_key("properties") {
            assert!(part.contains_key("additionalProperties"), "open: {schema:#}");
        }
    });
}

#[derive(Debug, PartialEq, Deserialize, JsonSchema)]
struct Empty {}

#[derive(Debug, PartialEq, Deserialize, JsonSchema)]
struct Unit;

#[test]
fn schema_2cf_tool_without_arguments() {
    let exactly = json!({ "type": "object", "properties": {}, "additionalProperties": false });
    assert_eq!(schema::<Empty>(), exactly);
    assert_eq!(schema::<Unit>(), exactly);
    assert_eq!(schema::<()>(), exactly);
}

#[test]
fn b27_no_arguments_are_exactly_the_empty_object() {
    assert_eq!(decode::<Empty>("{}"), Ok(Empty {}));
    assert_eq!(decode::<Unit>(" { } "), Ok(Unit));
    assert_eq!(decode::<()>("{}"), Ok(()));
    for wrong in ["[]", "[1]", "null", "\"\"", "0", "{\"a\":1}", "{}{}", "{", ""] {
        assert!(decode::<Empty>(wrong).is_err(), "{wrong}");
        assert!(decode::<Unit>(wrong).is_err(), "{wrong}");
        assert!(decode::<()>(wrong).is_err(), "{wrong}");
    }
}

#[test]
fn schema_0a0_free_form_argument() {
    #[derive(Debug, Deserialize, JsonSchema)]
    struct NoteArgs {
        payload: Value,
    }
    let schema = schema::<NoteArgs>();
    assert_portable(&schema);
    assert_eq!(schema["properties"]["payload"], json!({}));
    let note: NoteArgs = decode(r#"{"payload": {"a": [1.0, null]}}"#).unwrap();
    assert_eq!(note.payload, json!({ "a": [1.0, null] }));
}

#[derive(Debug, PartialEq, Deserialize, JsonSchema)]
struct Page {
    limit: Option<u32>,
}

#[test]
fn schema_a73_optional_number() {
    let schema = schema::<Page>();
    assert_portable(&schema);
    assert_eq!(schema.get("required"), None);
    let limit = &schema["properties"]["limit"];
    assert_eq!(limit["type"], "integer");
    assert_eq!(limit.get("anyOf"), None);
    assert_eq!(decode("{}"), Ok(Page { limit: None }));
    assert_eq!(decode(r#"{"limit":null}"#), Ok(Page { limit: None }));
    assert_eq!(decode(r#"{"limit":7}"#), Ok(Page { limit: Some(7) }));
}

#[test]
fn schema_547_a_default_holds_no_null_where_its_schema_has_none() {
    #[derive(Default, serde::Serialize, Deserialize, JsonSchema)]
    #[allow(dead_code)]
    struct Filters {
        author: Option<String>,
        year: Option<u16>,
    }
    #[derive(Deserialize, JsonSchema)]
    #[allow(dead_code)]
    struct Search {
        #[serde(default)]
        filters: Filters,
    }
    let schema = InputSchema::of::<Search>(InputOptions::default()).unwrap();
    assert_eq!(schema.json()["properties"]["filters"]["default"], json!({}));
}

#[test]
fn schema_547_null_and_defaults() {
    fn ten() -> u32 {
        10
    }
    #[derive(Debug, PartialEq, Deserialize, JsonSchema)]
    struct Q {
        #[serde(default = "ten")]
        size: u32,
        cursor: Option<String>,
    }
    let schema = schema::<Q>();
    assert_portable(&schema);
    assert_eq!(schema.get("required"), None);
    assert_eq!(schema["properties"]["size"]["default"], 10);
    let absent = Q { size: 10, cursor: None };
    for text in ["{}", r#"{"size":null}"#, r#"{"size":null,"cursor":null}"#, r#"{"size":10.0}"#] {
        assert_eq!(decode::<Q>(text).as_ref(), Ok(&absent), "{text}");
    }
}

#[test]
fn schema_cbb_unit_enum_with_documented_variants() {
    #[derive(Debug, Deserialize, JsonSchema)]
    #[serde(rename_all = "snake_case")]
    enum Lane {
        /// for parcels
        Slow,
        /// for letters
        Fast,
    }
    #[derive(Debug, Deserialize, JsonSchema)]
    #[allow(dead_code)]
    struct Ship {
        lane: Lane,
        /// The way back.
        back: Option<Lane>,
    }
    let schema = schema::<Ship>();
    assert_portable(&schema);
    assert_eq!(
        schema["properties"],
        json!({
            "lane": {
                "type": "string",
                "enum": ["slow", "fast"],
                "description": "- `slow`: for parcels\n- `fast`: for letters"
            },
            "back": {
                "type": "string",
                "enum": ["slow", "fast"],
                "description": "The way back.\n- `slow`: for parcels\n- `fast`: for letters"
            }
        })
    );
    assert!(decode::<Ship>(r#"{"lane":"slow"}"#).is_ok());
    // serde's other spelling of a unit variant is in no schema.
    assert!(decode::<Ship>(r#"{"lane":{"slow":null}}"#).is_err());
    assert_eq!(
        says::<Ship>(r#"{"lane":"fsat"}"#),
        "`lane`: expected one of `slow`, `fast`, got another string, did you mean `fast`?"
    );
}

#[test]
fn schema_8a1_tagged_enum_as_the_whole_argument() {
    #[derive(Debug, PartialEq, Deserialize, JsonSchema)]
    #[serde(tag = "mode")]
    enum Find {
        /// By its number.
        ById {
            id: String,
        },
        ByName {
            name: String,
            exact: Option<bool>,
        },
    }
    let schema = schema::<Find>();
    assert_portable(&schema);
    assert_eq!(schema["required"], json!(["mode"]));
    assert_eq!(schema["additionalProperties"], false);
    assert_eq!(
        schema["properties"]["mode"],
        json!({
            "type": "string",
            "enum": ["ById", "ByName"],
            "description": "- `ById`: By its number. (needs `id`)\n- `ByName`: (needs `name`)"
        })
    );
    assert_eq!(schema["properties"]["id"], json!({ "type": "string" }));

    assert_eq!(decode(r#"{"id":"7","mode":"ById"}"#), Ok(Find::ById { id: "7".into() }));
    assert_eq!(
        says::<Find>(r#"{"mode":"ById","name":"x"}"#),
        "`name` is not declared (expected one of `id`, `mode`)\n`id` is required: expected a string"
    );
    assert_eq!(
        says::<Find>(r#"{"mode":"byName","name":"x"}"#),
        "`mode`: expected one of `ById`, `ByName`, got another string, did you mean `ByName`?"
    );
    assert_eq!(
        says::<Find>(r#"{"name":"x"}"#),
        "`mode` is required: expected one of `ById`, `ByName`"
    );
}

#[derive(Debug, PartialEq, Deserialize, JsonSchema)]
struct Address {
    street: String,
}

#[derive(Debug, PartialEq, Deserialize, JsonSchema)]
struct Line {
    item: String,
    count: u8,
}

#[derive(Debug, PartialEq, Deserialize, JsonSchema)]
struct Order {
    to: Address,
    lines: Vec<Line>,
}

#[test]
fn schema_9f2_nested_types() {
    let schema = schema::<Order>();
    assert_portable(&schema);
    let text = schema.to_string();
    assert!(!text.contains("$ref") && !text.contains("$defs"), "{text}");
    for object in [&schema["properties"]["to"], &schema["properties"]["lines"]["items"]] {
        assert_eq!(object["type"], "object");
        assert!(object["properties"].is_object());
        assert_eq!(object["additionalProperties"], false);
    }
}

#[test]
fn b26_undeclared_members_are_faults_at_every_depth() {
    assert_eq!(
        says::<Order>(
            r#"{"to":{"street":"x","zip":1},"lines":[{"item":"a","count":1,"cuont":2}],"x":[]}"#
        ),
        "`to.zip` is not declared (expected `street`)\n\
         `lines[0].cuont` is not declared, did you mean `count`? (expected one of `count`, `item`)\n\
         `x` is not declared (expected one of `lines`, `to`)"
    );
}

#[test]
fn o51_an_array_is_never_an_object() {
    assert!(decode::<Order>(r#"{"to":{"street":"x"},"lines":[]}"#).is_ok());
    assert_eq!(
        says::<Order>(r#"{"to":["x"],"lines":[["a",1]]}"#),
        "`to`: expected an object, got an array\n`lines[0]`: expected an object, got an array"
    );
    assert_eq!(
        says::<Order>(r#"[{"street":"x"},[]]"#),
        "the arguments: expected an object, got an array"
    );
}

#[test]
fn schema_176_recursive_argument_type() {
    #[derive(Debug, Deserialize, JsonSchema)]
    #[allow(dead_code)]
    struct Node {
        label: String,
        children: Vec<Node>,
        next: Option<Box<Node>>,
    }
    let schema = schema::<Node>();
    assert_portable(&schema);
    assert!(schema.to_string().len() < 64 * 1024);
    assert!(schema["$defs"]["Node"].is_object(), "{schema:#}");
    let good = r#"{"label":"a","children":[{"label":"b","children":[]}],"next":null}"#;
    assert!(decode::<Node>(good).is_ok());
    assert_eq!(
        says::<Node>(r#"{"label":"a","children":[{"label":1,"children":[],"x":1}]}"#),
        "`children[0].label`: expected a string, got a number\n\
         `children[0].x` is not declared (expected one of `children`, `label`, `next`)"
    );
    let deep =
        format!("{}{}", r#"{"label":"","children":[],"next":"#.repeat(5000), "}".repeat(5000));
    assert!(decode::<Node>(&deep).is_err());
}

#[test]
fn schema_176_shared_types_do_not_multiply() {
    macro_rules! levels {
        ($($outer:ident $inner:ident),*) => {$(
            #[derive(Debug, Deserialize, JsonSchema)]
            #[allow(dead_code)]
            struct $outer { left: $inner, right: $inner }
        )*};
    }
    levels!(A B, B C, C D, D E, E F, F G, G H, H I, I J, J K, K L, L M, M N, N O, O P);
    #[derive(Debug, Deserialize, JsonSchema)]
    #[allow(dead_code)]
    struct P {
        x: u8,
    }
    let schema = schema::<A>();
    assert_portable(&schema);
    assert!(schema.to_string().len() < 64 * 1024);
}

#[test]
fn schema_23d_maps() {
    #[derive(Debug, PartialEq, Deserialize, JsonSchema)]
    struct M {
        counts: HashMap<String, u32>,
        by_id: BTreeMap<u64, String>,
        any: HashMap<String, Value>,
    }
    let schema = schema::<M>();
    assert_portable(&schema);
    let properties = &schema["properties"];
    assert_eq!(
        properties["by_id"],
        json!({ "type": "object", "additionalProperties": { "type": "string" } })
    );
    assert_eq!(properties["any"], json!({ "type": "object", "additionalProperties": {} }));
    assert_eq!(properties["counts"]["additionalProperties"]["type"], "integer");
    let m: M =
        decode(r#"{"counts":{"a":1},"by_id":{"9007199254740993":"x"},"any":{"n":null}}"#).unwrap();
    assert_eq!(m.by_id[&9007199254740993], "x");
    assert_eq!(
        says::<M>(r#"{"counts":{"a":1,"a":2},"by_id":{"x":"y"},"any":{}}"#),
        "`counts.a` is there more than once: expected each member once\n\
         `by_id.x` is not declared (expected no members)"
    );
}

#[derive(Debug, Deserialize, JsonSchema)]
#[allow(dead_code)]
struct Formats {
    site: url::Url,
    at: chrono::DateTime<chrono::Utc>,
    key: uuid::Uuid,
}

#[test]
fn schema_a14_string_formats() {
    let schema = schema::<Formats>();
    assert_portable(&schema);
    assert_eq!(
        schema["properties"],
        json!({
            "site": { "type": "string" },
            "at": { "type": "string", "format": "date-time" },
            "key": { "type": "string" }
        })
    );
    let good = r#"{"site":"https://a.example","at":"2026-01-31T12:00:00Z","key":"67e55044-10b1-426f-9247-bb680e5fe0c8"}"#;
    assert!(decode::<Formats>(good).is_ok());
    assert_eq!(
        says::<Formats>(&good.replace("67e", "secret")),
        "`key`: expected a UUID, got a string"
    );
    assert_eq!(
        says::<Formats>(&good.replace("https:", "")),
        "`site`: expected a URL, got a string"
    );
}

#[derive(Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
struct Row {
    #[serde(with = "Id::<u64>")]
    id: u64,
    #[serde(with = "Id::<Option<i64>>", default)]
    parent: Option<i64>,
}

#[test]
fn schema_42e_64_bit_identifiers() {
    #[derive(Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
    struct Plain {
        id: u64,
    }
    let plain: Plain = decode(r#"{"id":9007199254740993}"#).unwrap();
    assert_eq!(serde_json::to_string(&plain).unwrap(), r#"{"id":9007199254740993}"#);
    assert_eq!(decode(r#"{"id":9007199254740993.0}"#), Ok(plain));

    let schema = schema::<Row>();
    assert_portable(&schema);
    assert_eq!(schema["properties"]["id"], json!({ "type": "string", "pattern": "^[0-9]+$" }));
    assert_eq!(schema["required"], json!(["id"]));
    let output = OutputSchema::of::<Row>().unwrap().unwrap();
    assert_eq!(output.json()["properties"]["id"]["type"], "string");

    let row = Row { id: 9007199254740993, parent: Some(-3) };
    for text in [
        r#"{"id":"9007199254740993","parent":"-3"}"#,
        r#"{"id":9007199254740993,"parent":-3}"#,
        r#"{"id":9007199254740993.0,"parent":"-3"}"#,
    ] {
        assert_eq!(decode::<Row>(text).as_ref(), Ok(&row), "{text}");
    }
    assert_eq!(
        serde_json::to_value(&row).unwrap(),
        json!({ "id": "9007199254740993", "parent": "-3" })
    );
    for wrong in ["\"x\"", "\"\"", "\"-1\"", "\"+1\"", "1.5", "-1", "\"99999999999999999999\""] {
        let text = format!(r#"{{"id":{wrong}}}"#);
        let said = says::<Row>(&text);
        assert!(said.starts_with("`id`: expected an id: a string of digits"), "{wrong}: {said}");
    }
}

#[test]
fn schema_73e_references_that_lead_outside() {
    fn outside(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "$ref": "https://schemas.example/x.json" })
    }
    fn nowhere(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "$ref": "#/$defs/Nowhere" })
    }
    #[derive(Debug, Deserialize, JsonSchema)]
    #[allow(dead_code)]
    struct Outside {
        #[schemars(schema_with = "outside")]
        x: Value,
    }
    #[derive(Debug, Deserialize, JsonSchema)]
    #[allow(dead_code)]
    struct Nowhere {
        #[schemars(schema_with = "nowhere")]
        x: Value,
    }
    let error = InputSchema::of::<Outside>(InputOptions::default()).unwrap_err();
    assert!(matches!(&error, SchemaError::OutsideReference { .. }));
    assert!(
        error.to_string().starts_with("`x` refers to `https://schemas.example/x.json`"),
        "{error}"
    );
    let error = InputSchema::of::<Nowhere>(InputOptions::default()).unwrap_err();
    assert!(matches!(error, SchemaError::UnresolvedReference { .. }));
    assert!(OutputSchema::of::<Outside>().is_err());
}

#[test]
fn schema_637_long_property_names() {
    #[derive(Debug, Deserialize, JsonSchema)]
    #[allow(dead_code)]
    struct Inner {
        #[serde(rename = "a234567890123456789012345678901234567890123456789012345678901234567890")]
        x: u8,
    }
    #[derive(Debug, Deserialize, JsonSchema)]
    #[allow(dead_code)]
    struct Long {
        inner: Vec<Inner>,
    }
    let error = InputSchema::of::<Long>(InputOptions::default()).unwrap_err();
    assert!(matches!(error, SchemaError::LongName { length: 70, .. }));
    assert!(error.to_string().contains("`inner[].a234"), "{error}");
}

#[test]
fn a_type_that_is_no_object_is_refused_in_words() {
    let refused = |error: SchemaError| error.to_string();
    let error = InputSchema::of::<Vec<u8>>(InputOptions::default()).unwrap_err();
    assert_eq!(
        refused(error),
        "the arguments are a list, but a call carries an object; put them into a struct"
    );
    assert!(InputSchema::of::<String>(InputOptions::default()).is_err());
    assert!(InputSchema::of::<Option<Page>>(InputOptions::default()).is_err());
    assert!(InputSchema::of::<serde_json::Map<String, Value>>(InputOptions::default()).is_ok());
}

#[test]
fn output_802_a_number_is_not_an_object() {
    let output = OutputSchema::of::<i64>().unwrap().unwrap();
    assert_eq!(*output.json(), json!({ "type": "integer" }));
    assert!(!output.is_object());
}

#[test]
fn output_8ab_a_struct_is_an_object_and_null_stays_where_it_is_written() {
    #[derive(Serialize, JsonSchema)]
    struct Card {
        name: String,
        note: Option<String>,
        owner: Option<Owner>,
    }
    #[derive(Serialize, JsonSchema)]
    struct Owner {
        name: String,
    }
    let output = OutputSchema::of::<Card>().unwrap().unwrap();
    assert!(output.is_object());
    let card = Card { name: "a".into(), note: None, owner: None };
    assert!(accepts(output.json(), &serde_json::to_value(card).unwrap()), "{:#}", output.json());
    let card =
        Card { name: "a".into(), note: Some("b".into()), owner: Some(Owner { name: "c".into() }) };
    assert!(accepts(output.json(), &serde_json::to_value(card).unwrap()), "{:#}", output.json());
}

#[test]
fn output_824_recursive_and_meaningless_types_have_no_schema() {
    #[derive(Serialize, JsonSchema)]
    struct Node {
        children: Vec<Node>,
    }
    assert_eq!(OutputSchema::of::<Node>().unwrap(), None);
    assert_eq!(OutputSchema::of::<Value>().unwrap(), None);
    assert!(OutputSchema::of::<Vec<Value>>().unwrap().is_some());
}

#[test]
fn an_output_union_of_objects_is_one_object() {
    #[derive(Serialize, JsonSchema)]
    #[serde(tag = "kind")]
    enum Event {
        Opened { by: String },
        Closed { by: u32, why: Option<String> },
    }
    let output = OutputSchema::of::<Event>().unwrap().unwrap();
    assert!(output.is_object());
    assert!(output.json().get("anyOf").is_none());
    for event in [Event::Opened { by: "a".into() }, Event::Closed { by: 1, why: None }] {
        assert!(
            accepts(output.json(), &serde_json::to_value(event).unwrap()),
            "{:#}",
            output.json()
        );
    }
}

#[test]
fn args_5f7_arguments_of_the_wrong_shape() {
    for text in ["[1,2]", "\"text\"", "null", "3"] {
        assert!(
            says::<Page>(text).starts_with("the arguments: expected an object, got "),
            "{text}"
        );
    }
}

#[test]
fn args_909_number_sent_as_text() {
    #[derive(Debug, PartialEq, Deserialize, JsonSchema)]
    struct Args {
        limit: u32,
        name: Option<String>,
        on: Option<bool>,
        list: Option<Vec<u8>>,
        to: Option<Address>,
    }
    let strict = input::<Args>();
    let coerce =
        InputSchema::of::<Args>(InputOptions { coerce: true, ..Default::default() }).unwrap();
    assert_eq!(strict.json(), coerce.json());
    for schema in [&strict, &coerce] {
        assert_eq!(schema.decode::<Args>(br#"{"limit":5}"#).unwrap().limit, 5);
        for wrong in ["five", "-1", "5.5", "", " 5", "+5", "0x5", "4294967296"] {
            let text = json!({ "limit": wrong }).to_string();
            let said = schema.decode::<Args>(text.as_bytes()).unwrap_err().to_string();
            assert!(
                said.starts_with("`limit`: expected an integer from 0 to 4294967295"),
                "{said}"
            );
        }
        let kept = schema.decode::<Args>(br#"{"limit":5,"name":"5"}"#).unwrap();
        assert_eq!(kept.name.as_deref(), Some("5"));
    }
    assert_eq!(
        strict.decode::<Args>(br#"{"limit":"5"}"#).unwrap_err().to_string(),
        "`limit`: expected an integer from 0 to 4294967295, got a string"
    );
    let text = br#"{"limit":"5","on":"true","list":"[1,\"2\"]","to":"{\"street\":\"7\"}"}"#;
    assert!(strict.decode::<Args>(text).is_err());
    let args = coerce.decode::<Args>(text).unwrap();
    assert_eq!(
        args,
        Args {
            limit: 5,
            name: None,
            on: Some(true),
            list: Some(vec![1, 2]),
            to: Some(Address { street: "7".into() })
        }
    );
    assert!(coerce.decode::<Args>(br#"{"limit":5,"list":"1,2"}"#).is_err());
}

#[derive(Debug, PartialEq, Deserialize, JsonSchema)]
struct Search {
    query: Option<String>,
    #[serde(default)]
    max_depth: u8,
}

#[test]
fn args_4fc_unknown_argument() {
    let faults = faults::<Search>(r#"{"maxDepth":3}"#);
    let fault = faults.iter().next().unwrap();
    assert_eq!(fault.kind, FaultKind::Unknown);
    assert_eq!(fault.suggestion.as_deref(), Some("max_depth"));
    assert_eq!(
        faults.to_string(),
        "`maxDepth` is not declared, did you mean `max_depth`? (expected one of `max_depth`, `query`)"
    );
    assert_eq!(schema::<Search>()["additionalProperties"], false);
}

#[test]
fn args_4fc_open_lifts_it_at_every_depth() {
    let open = InputSchema::of::<Order>(InputOptions { open: true, ..Default::default() }).unwrap();
    let text =
        br#"{"to":{"street":"x","zip":1},"lines":[{"item":"a","count":1,"x":{"y":[]}}],"z":1}"#;
    assert!(open.decode::<Order>(text).is_ok());
    assert!(!open.json().to_string().contains("additionalProperties"), "{:#}", open.json());
    assert!(open.decode::<Order>(br#"{"to":["x"],"lines":[]}"#).is_err());
}

#[test]
fn args_555_missing_required_argument() {
    #[derive(Debug, Deserialize, JsonSchema)]
    #[allow(dead_code)]
    struct City {
        city: String,
    }
    let faults = faults::<City>("{}");
    assert_eq!(faults.to_string(), "`city` is required: expected a string");
    assert_eq!(
        serde_json::to_value(&faults).unwrap(),
        json!([{ "path": "city", "kind": "missing", "expected": "a string", "got": "nothing" }])
    );
}

#[test]
fn args_755_left_out_arguments_are_the_empty_object() {
    assert_eq!(decode("{}"), Ok(Search { query: None, max_depth: 0 }));
}

#[test]
fn o30_received_values_are_never_repeated() {
    let secret = "hunter2-hunter2";
    for text in [
        format!(r#"{{"query":["{secret}"],"max_depth":"{secret}"}}"#),
        format!(r#"{{"query":{{"{secret}":1}}}}"#),
        format!(r#""{secret}""#),
        format!(r#"{{"query":"{secret}""#),
    ] {
        let faults = faults::<Search>(&text);
        assert!(!faults.to_string().contains("hunter2"), "{faults}");
        assert!(!serde_json::to_string(&faults).unwrap().contains("hunter2"));
    }
}

#[test]
fn o53_duplicates_are_faults_wherever_they_are() {
    #[derive(Debug, Deserialize, JsonSchema)]
    #[allow(dead_code)]
    struct All {
        page: Page,
        map: HashMap<String, u8>,
        any: Value,
    }
    let good = r#"{"page":{"limit":1},"map":{"a":1},"any":{"b":{"c":1}}}"#;
    assert!(decode::<All>(good).is_ok());
    for (from, to, path) in [
        ("\"limit\":1", "\"limit\":1,\"limit\":1", "page.limit"),
        ("\"a\":1", "\"a\":1,\"\\u0061\":1", "map.a"),
        ("\"c\":1", "\"c\":1,\"c\":1", "any.b.c"),
        ("\"map\":", "\"page\":{},\"map\":", "page"),
    ] {
        let said = says::<All>(&good.replace(from, to));
        assert_eq!(said, format!("`{path}` is there more than once: expected each member once"));
    }
}

#[test]
fn a_name_that_only_an_alias_knows_is_not_declared() {
    #[derive(Debug, Deserialize, JsonSchema)]
    #[allow(dead_code)]
    struct Aliased {
        #[serde(alias = "q")]
        query: String,
    }
    assert!(decode::<Aliased>(r#"{"query":""}"#).is_ok());
    assert!(decode::<Aliased>(r#"{"q":""}"#).is_err());
}

#[test]
fn what_the_decoder_demands_is_required() {
    /// `with` takes away what serde otherwise does for an `Option`.
    #[derive(Debug, Deserialize, JsonSchema)]
    #[allow(dead_code)]
    struct Inner {
        #[serde(with = "Id::<Option<u64>>")]
        id: Option<u64>,
        other: Option<u64>,
    }
    #[derive(Debug, Deserialize, JsonSchema)]
    #[allow(dead_code)]
    struct Outer {
        list: Vec<Inner>,
    }
    let schema = schema::<Outer>();
    assert_eq!(schema["properties"]["list"]["items"]["required"], json!(["id"]));
    assert!(decode::<Outer>(r#"{"list":[{"id":"7"}]}"#).is_ok());
    assert!(says::<Outer>(r#"{"list":[{}]}"#).starts_with("`list[0].id` is required"));
}

#[test]
fn constraints_are_enforced() {
    #[derive(Debug, Deserialize, JsonSchema)]
    #[allow(dead_code)]
    struct Limits {
        #[schemars(range(min = 1, max = 10))]
        count: u32,
        #[schemars(length(min = 2, max = 3))]
        word: String,
        #[schemars(regex(pattern = "^[a-z]+$"))]
        name: Option<String>,
        #[schemars(length(max = 2))]
        list: Vec<u8>,
        #[schemars(extend("exclusiveMinimum" = 0))]
        size: Option<f64>,
        even: Option<std::num::NonZeroI32>,
    }
    let schema = schema::<Limits>();
    assert_portable(&schema);
    assert!(
        decode::<Limits>(
            r#"{"count":10,"word":"äöü","name":"x","list":[1,2],"size":0.1,"even":-1}"#
        )
        .is_ok()
    );
    assert_eq!(
        says::<Limits>(r#"{"count":11,"word":"a","name":"X","list":[1,2,3],"size":0,"even":0}"#),
        "`count`: expected an integer from 1 to 10, got another number\n\
         `word`: expected a string of 2 to 3 characters, got another string\n\
         `name`: expected a string that matches `^[a-z]+$`, got another string\n\
         `list`: expected an array of at most 2 items, got another array\n\
         `size`: expected a number greater than 0, got another number\n\
         `even`: expected an integer from -2147483648 to -1 or an integer from 1 to 2147483647, got another number"
    );
}

/// Recursive values that can be read in more than one way, and their look-alikes that serde tells apart.
#[allow(dead_code)] // The values are only decoded.
mod ambiguous {
    use super::*;

    #[derive(Debug, Deserialize, JsonSchema)]
    #[serde(untagged)]
    enum Sum {
        Add { left: Box<Self>, add: u8 },
        Take { left: Box<Self>, take: u8 },
        Leaf(u8),
    }

    #[derive(Debug, Deserialize, JsonSchema)]
    #[serde(untagged)]
    enum Pair {
        Number((Box<Self>, u8)),
        Text((Box<Self>, String)),
        Leaf(u8),
    }

    #[derive(Debug, Deserialize, JsonSchema)]
    #[serde(tag = "is", rename_all = "snake_case")]
    enum Tagged {
        Leaf { value: u8 },
        Not { of: Box<Self> },
        And { of: Vec<Self> },
    }

    #[derive(Debug, Deserialize, JsonSchema)]
    #[serde(rename_all = "snake_case")]
    enum Named {
        Leaf(u8),
        Not(Box<Self>),
        And(Vec<Self>),
    }

    #[derive(Debug, Deserialize, JsonSchema)]
    struct Of<T> {
        it: T,
    }

    fn decode<T: JsonSchema + DeserializeOwned>(
        open: &str,
        leaf: &str,
        close: &str,
        depth: usize,
    ) -> Result<Of<T>, Faults> {
        let schema = InputSchema::of::<Of<T>>(InputOptions::default()).unwrap();
        let text = format!(r#"{{"it":{}{leaf}{}}}"#, open.repeat(depth), close.repeat(depth));
        schema.decode(text.as_bytes())
    }

    // 5.3
    #[test]
    fn a_value_that_serde_would_read_for_ever_is_a_fault_at_once() {
        let hopeless = [
            decode::<Sum>(r#"{"left":"#, "1", r#","take":1}"#, 50).map(drop),
            // Serde reads on where the schema says no at once.
            decode::<Sum>(r#"{"take":1,"left":"#, "1", "}", 50).map(drop),
            decode::<Pair>("[", "1", r#","x"]"#, 50).map(drop),
        ];
        for faults in hopeless {
            let text = faults.unwrap_err().to_string();
            assert!(text.contains("less nesting"), "{text}");
        }
        assert!(decode::<Sum>(r#"{"left":"#, "1", r#","take":1}"#, 8).is_ok());
        assert!(decode::<Sum>(r#"{"left":"#, "1", r#","add":1}"#, 50).is_ok());
        assert!(decode::<Pair>("[", "1", r#","x"]"#, 8).is_ok());
    }

    #[test]
    fn a_value_with_tags_is_read_at_any_depth() {
        assert!(
            decode::<Tagged>(r#"{"is":"not","of":"#, r#"{"is":"leaf","value":1}"#, "}", 50).is_ok()
        );
        assert!(
            decode::<Tagged>(r#"{"of":["#, r#"{"is":"leaf","value":1}"#, r#"],"is":"and"}"#, 25)
                .is_ok()
        );
        assert!(decode::<Named>(r#"{"not":"#, r#"{"leaf":1}"#, "}", 50).is_ok());
        assert!(decode::<Named>(r#"{"and":["#, r#"{"leaf":1}"#, "]}", 25).is_ok());
    }
}

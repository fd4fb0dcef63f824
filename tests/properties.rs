//! The decoder and the advertised schema agree: what validates decodes, what decodes validates. The
//! `jsonschema` crate says what validates.

#![allow(clippy::unwrap_used)]

use std::cell::Cell;
use std::collections::{BTreeMap, HashMap};
use std::fmt::Debug;

use agent_mcp::schema::{Id, InputOptions, InputSchema};
use proptest::prelude::*;
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

/// Choices that proptest can shrink: each takes one byte, and there is always another.
struct Choices<'a>(std::slice::Iter<'a, u8>);

impl Choices<'_> {
    fn below(&mut self, limit: usize) -> usize {
        usize::from(self.0.next().copied().unwrap_or(0)) % limit.max(1)
    }

    fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == n - 1
    }

    fn of<'t, T>(&mut self, list: &'t [T]) -> &'t T {
        &list[self.below(list.len())]
    }
}

/// Writes values that are right in most places and wrong in some.
struct Writer<'a> {
    schema: &'a Value,
    /// The names of undeclared members.
    keys: &'a [&'a str],
    choices: Choices<'a>,
}

impl Writer<'_> {
    fn value(&mut self, schema: &Value, depth: usize) -> Value {
        if self.choices.one_in(14) {
            return self.anything(depth);
        }
        if let Some(reference) = schema.get("$ref").and_then(Value::as_str) {
            let target = self.schema.pointer(&reference[1..]).unwrap().clone();
            return self.value(&target, depth);
        }
        if let Some(values) = schema.get("enum").and_then(Value::as_array) {
            return self.choices.of(values).clone();
        }
        if let Some(branches) = schema.get("anyOf").and_then(Value::as_array) {
            let branch = self.choices.of(branches).clone();
            return self.value(&branch, depth);
        }
        let kind = match schema.get("type") {
            Some(Value::Array(kinds)) => self.choices.of(kinds).clone(),
            Some(kind) => kind.clone(),
            None => Value::Null,
        };
        match kind.as_str() {
            Some("boolean") => json!(self.choices.one_in(2)),
            Some("integer") => self.integer(),
            Some("number") => {
                if self.choices.one_in(2) {
                    json!(0.5)
                } else {
                    self.integer()
                }
            }
            Some("string") => json!(self.choices.of(&["x", "", "abc", "5", "äöü", "a b"])),
            Some("array") => self.array(schema, depth),
            Some("object") => self.object(schema, depth),
            Some("null") => Value::Null,
            _ => self.anything(depth),
        }
    }

    fn integer(&mut self) -> Value {
        const LARGE: u64 = (1 << 53) + 1;
        let whole = [json!(0), json!(1), json!(7), json!(-1), json!(255), json!(256), json!(65536)];
        let rare = [json!(1.0), json!(2e2), json!(-0.0), json!(LARGE), json!(-129), json!(1.5)];
        if self.choices.one_in(4) {
            self.choices.of(&rare).clone()
        } else {
            self.choices.of(&whole).clone()
        }
    }

    fn array(&mut self, schema: &Value, depth: usize) -> Value {
        let least = schema.get("minItems").and_then(Value::as_u64).unwrap_or(0) as usize;
        let more = if depth > 6 { 0 } else { self.choices.below(3) };
        let length = if schema.get("maxItems") == schema.get("minItems") && least > 0 {
            least + usize::from(self.choices.one_in(12)) - usize::from(self.choices.one_in(12))
        } else {
            least + more
        };
        let any = json!({});
        let item = |place: usize| {
            let first = schema.get("prefixItems").and_then(|first| first.get(place));
            first.or(schema.get("items")).unwrap_or(&any).clone()
        };
        (0..length).map(|place| self.value(&item(place), depth + 1)).collect()
    }

    fn object(&mut self, schema: &Value, depth: usize) -> Value {
        let mut object = Map::new();
        let required = schema.get("required").and_then(Value::as_array);
        for (name, property) in
            schema.get("properties").and_then(Value::as_object).into_iter().flatten()
        {
            let needed = required.is_some_and(|required| required.iter().any(|r| r == name));
            let there =
                if needed { !self.choices.one_in(16) } else { depth < 5 && self.choices.one_in(2) };
            if there {
                object.insert(name.clone(), self.value(property, depth + 1));
            }
        }
        if let Some(rest @ Value::Object(_)) = schema.get("additionalProperties") {
            for _ in 0..self.choices.below(3) {
                let name = *self.choices.of(self.keys);
                let value = self.value(rest, depth + 1);
                object.entry(name).or_insert(value);
            }
        } else if self.choices.one_in(16) {
            let name = *self.choices.of(self.keys);
            object.entry(name).or_insert(json!(1));
        }
        Value::Object(object)
    }

    /// Anything but `null`, which counts as absent in some places and has a test of its own.
    fn anything(&mut self, depth: usize) -> Value {
        match self.choices.below(9) {
            0 => json!(true),
            1 => json!("x"),
            2 => json!([]),
            3 => json!({}),
            4 => json!([1]),
            5 if depth < 6 => json!({ self.keys[0]: self.anything(depth + 1) }),
            6 if depth < 6 => json!([self.anything(depth + 1), self.anything(depth + 1)]),
            _ => self.integer(),
        }
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Agreement {
    /// In both directions.
    Full,
    /// The advertised schema may be wider than the decoder.
    Wider,
}

fn agree<T: JsonSchema + DeserializeOwned + Debug>(keys: &[&str], agreement: Agreement) {
    let input = InputSchema::of::<T>(InputOptions::default()).unwrap();
    let oracle = jsonschema::draft202012::new(input.json()).unwrap();
    let (valid, invalid) = (Cell::new(0), Cell::new(0));
    let config = ProptestConfig { cases: 1000, failure_persistence: None, ..Default::default() };
    let mut runner = proptest::test_runner::TestRunner::new(config);
    let outcome = runner.run(&proptest::collection::vec(any::<u8>(), 0..160), |bytes| {
        let choices = Choices(bytes.iter());
        let value = Writer { schema: input.json(), keys, choices }.value(input.json(), 0);
        let decoded = input.decode::<T>(value.to_string().as_bytes());
        let says = oracle.is_valid(&value);
        let count = if says { &valid } else { &invalid };
        count.set(count.get() + 1);
        if agreement == Agreement::Full {
            prop_assert!(!says || decoded.is_ok(), "validates only: {value} {decoded:?}");
        }
        prop_assert!(says || decoded.is_err(), "decodes only: {value} {decoded:?}");
        Ok(())
    });
    if let Err(error) = outcome {
        panic!("{error}\n{:#}", input.json());
    }
    let (valid, invalid) = (valid.get(), invalid.get());
    assert!(valid > 4 && invalid > 4, "{valid} valid, {invalid} invalid: the test says nothing");
}

macro_rules! agreements {
    ($($name:ident: $type:ty, $keys:expr, $agreement:ident;)*) => {$(
        #[test]
        fn $name() {
            agree::<$type>(&$keys, Agreement::$agreement);
        }
    )*};
}

const WORDS: [&str; 4] = ["extra", "a", "kind", "x"];

agreements! {
    nested_structs: Nested, WORDS, Full;
    a_flattened_struct: FlatStruct, WORDS, Full;
    a_flattened_tagged_enum: Field<FlatTagged>, WORDS, Full;
    a_flattened_external_enum: Field<FlatExternal>, WORDS, Full;
    a_flattened_option: FlatOption, WORDS, Full;
    a_flattened_map: FlatMap, WORDS, Full;
    two_flattened_enums: Field<FlatTwo>, WORDS, Full;
    a_flattened_enum_at_the_root: FlatTagged, WORDS, Wider;
    an_untagged_enum: Field<Untagged>, WORDS, Full;
    an_internally_tagged_enum: Field<Figure>, WORDS, Full;
    an_adjacently_tagged_enum: Field<Adjacent>, WORDS, Full;
    an_externally_tagged_enum: Field<External>, WORDS, Full;
    a_list_of_enums: Field<Vec<Option<External>>>, WORDS, Full;
    an_internally_tagged_enum_at_the_root: Figure, WORDS, Wider;
    an_externally_tagged_enum_at_the_root: Command, WORDS, Wider;
    a_recursive_struct: Tree, WORDS, Full;
    a_recursive_enum: Field<Expression>, WORDS, Full;
    a_recursive_untagged_enum: Field<Json>, WORDS, Full;
    maps: Field<HashMap<String, Inner>>, WORDS, Full;
    maps_with_integer_keys: Field<BTreeMap<u16, u8>>, ["7", "0", "65535"], Full;
    maps_with_other_keys_than_integers: Field<BTreeMap<u16, u8>>, ["x", "7", "-1", "1.0"], Wider;
    maps_with_enum_keys: Field<BTreeMap<Lane, u8>>, ["slow", "x"], Full;
    tuples: Tuples, WORDS, Full;
    defaults: Defaults, WORDS, Full;
    constraints: Constraints, WORDS, Full;
    scalars: Scalars, WORDS, Full;
    free_values: Field<Value>, WORDS, Full;
    free_objects: Map<String, Value>, WORDS, Full;
    closed_by_the_user: Denies, WORDS, Full;
    a_struct_behind_another_type: Field<Converted>, WORDS, Full;
}

#[derive(Debug, Deserialize, JsonSchema)]
#[allow(dead_code)]
struct Field<T> {
    field: T,
    other: Option<u8>,
}

#[derive(Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
struct Inner {
    a: u8,
    b: Option<i16>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[allow(dead_code)]
struct Nested {
    name: String,
    inner: Inner,
    list: Vec<Inner>,
    maybe: Option<Vec<Inner>>,
    holes: Vec<Option<u8>>,
    boxes: Option<Box<Field<Inner>>>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[allow(dead_code)]
struct FlatStruct {
    x: u8,
    #[serde(flatten)]
    inner: Inner,
    more: Vec<Field<Inner>>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(tag = "kind")]
#[allow(dead_code)]
enum Figure {
    Circle { r: f64 },
    Square(Inner),
    Point,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[allow(dead_code)]
struct FlatTagged {
    id: u8,
    #[serde(flatten)]
    figure: Figure,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[allow(dead_code)]
struct FlatExternal {
    id: u8,
    #[serde(flatten)]
    command: Command,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[allow(dead_code)]
struct FlatOption {
    id: u8,
    #[serde(flatten)]
    inner: Option<Inner>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[allow(dead_code)]
struct FlatMap {
    id: u8,
    #[serde(flatten)]
    rest: HashMap<String, u16>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[allow(dead_code)]
struct FlatTwo {
    #[serde(flatten)]
    figure: Figure,
    #[serde(flatten)]
    command: Command,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(untagged)]
#[allow(dead_code)]
enum Untagged {
    Number(u8),
    Text(String),
    One { x: u8 },
    Two { x: u8, a: Option<bool> },
    List(Vec<u8>),
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(tag = "kind", content = "a")]
#[allow(dead_code)]
enum Adjacent {
    Unit,
    New(u8),
    Struct { x: u8 },
    Pair(u8, bool),
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[allow(dead_code)]
enum External {
    Unit,
    Other,
    New(Inner),
    Pair(u8, bool),
    Struct { x: u8, y: Option<u8> },
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[allow(dead_code)]
enum Command {
    Add { x: u8 },
    Remove(Inner),
}

#[derive(Debug, Deserialize, JsonSchema)]
#[allow(dead_code)]
struct Tree {
    a: u8,
    children: Vec<Tree>,
    next: Option<Box<Tree>>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "lowercase")]
#[allow(dead_code)]
enum Expression {
    Number { x: u8 },
    Not { x: Box<Expression> },
    All { x: Vec<Expression>, a: Option<Box<Expression>> },
    Tree(Tree),
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(untagged)]
#[allow(dead_code)]
enum Json {
    Bool(bool),
    Text(String),
    Whole(i64),
    List(Vec<Json>),
    Pair { a: Box<Json>, x: Box<Json> },
    Single { a: Box<Json> },
}

#[derive(Debug, Deserialize, JsonSchema, PartialEq, Eq, PartialOrd, Ord)]
#[serde(rename_all = "lowercase")]
enum Lane {
    Slow,
    Fast,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[allow(dead_code)]
struct Tuples {
    pair: (u8, String),
    three: [u8; 3],
    nested: Vec<(bool, (u8, Lane))>,
    wrapped: Wrapper,
    two: Two,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[allow(dead_code)]
struct Wrapper(u8);

#[derive(Debug, Deserialize, JsonSchema)]
#[allow(dead_code)]
struct Two(u8, Inner);

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
struct Defaults {
    size: u32,
    tags: Vec<String>,
    inner: Inner,
    lane: Option<u8>,
}

impl Default for Defaults {
    fn default() -> Self {
        Self { size: 10, tags: vec!["x".into()], inner: Inner { a: 1, b: None }, lane: Some(3) }
    }
}

#[derive(Debug, Deserialize, JsonSchema)]
#[allow(dead_code)]
struct Constraints {
    #[schemars(range(min = 1, max = 255))]
    count: u32,
    #[schemars(length(min = 1, max = 3))]
    word: String,
    #[schemars(regex(pattern = "^[a-z]*$"))]
    name: Option<String>,
    #[schemars(length(min = 1, max = 2))]
    list: Vec<u8>,
    #[schemars(range(min = 0.5))]
    ratio: f64,
    nonzero: Option<std::num::NonZeroI8>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[allow(dead_code)]
struct Scalars {
    a: i8,
    b: u16,
    c: i32,
    d: u64,
    e: i64,
    f: f32,
    g: char,
    h: bool,
    i: (),
    j: Option<()>,
    k: Option<f64>,
    l: Option<char>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[allow(dead_code)]
struct Denies {
    a: u8,
    inner: Field<Inner>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(from = "Inner")]
struct Converted(#[allow(dead_code)] u8);

impl From<Inner> for Converted {
    fn from(inner: Inner) -> Self {
        Self(inner.a)
    }
}

fn decodes<T: JsonSchema + DeserializeOwned>(value: &str) -> bool {
    let input = InputSchema::of::<T>(InputOptions::default()).unwrap();
    input.decode::<T>(value.as_bytes()).is_ok()
}

fn validates<T: JsonSchema + DeserializeOwned>(value: &str) -> bool {
    let input = InputSchema::of::<T>(InputOptions::default()).unwrap();
    jsonschema::draft202012::is_valid(input.json(), &serde_json::from_str(value).unwrap())
}

#[test]
fn exception_null_for_an_optional_member_counts_as_absent() {
    let values = [r#"{"a":1,"b":null}"#, r#"{"a":1}"#];
    assert!(values.iter().all(|value| decodes::<Inner>(value)));
    assert!(!validates::<Inner>(values[0]) && validates::<Inner>(values[1]));
    for value in [r#"{"size":null,"tags":null,"inner":null,"lane":null}"#, "{}"] {
        let input = InputSchema::of::<Defaults>(InputOptions::default()).unwrap();
        let defaults: Defaults = input.decode(value.as_bytes()).unwrap();
        assert_eq!((defaults.size, defaults.inner), (10, Inner { a: 1, b: None }));
    }
    // Where serde buffers as well.
    assert!(decodes::<FlatTagged>(r#"{"id":1,"kind":"Square","a":1,"b":null}"#));
    // A required member is another matter.
    assert!(!decodes::<Inner>(r#"{"a":null}"#));
}

#[test]
fn exception_an_id_is_read_from_a_number_too() {
    #[derive(Deserialize, JsonSchema)]
    #[allow(dead_code)]
    struct Row {
        #[serde(with = "Id::<u64>")]
        id: u64,
    }
    assert!(decodes::<Row>(r#"{"id":"7"}"#) && validates::<Row>(r#"{"id":"7"}"#));
    assert!(decodes::<Row>(r#"{"id":7}"#) && !validates::<Row>(r#"{"id":7}"#));
}

#[test]
fn exception_coerce_reads_strings_where_none_is_due() {
    let input =
        InputSchema::of::<Inner>(InputOptions { coerce: true, ..Default::default() }).unwrap();
    let value = r#"{"a":"7"}"#;
    assert!(input.decode::<Inner>(value.as_bytes()).is_ok() && !validates::<Inner>(value));
}

#[test]
fn exception_a_union_at_the_root_is_checked_more_closely_than_it_says() {
    let value = r#"{"kind":"Circle","a":1}"#;
    assert!(validates::<Figure>(value) && !decodes::<Figure>(value));
}

#[test]
fn exception_integer_keys_are_checked_more_closely_than_they_say() {
    let value = r#"{"field":{"x":1}}"#;
    assert!(validates::<Field<BTreeMap<u16, u8>>>(value));
    assert!(!decodes::<Field<BTreeMap<u16, u8>>>(value));
}

/// What a `Value` cannot hold, and the leniencies of derived code, for one type of each kind.
#[test]
fn nothing_that_derived_code_lets_through_gets_through() {
    let inner = r#"{"a":1,"b":2}"#;
    for (good, replacements) in [
        (inner, vec![]),
        ("[]", vec!["[1,2]", "[1]", "[]", r#"{"a":1,"a":1}"#, r#"{"a":1,"z":1}"#]),
    ] {
        let nested = |inner: &str| {
            [
                format!(r#"{{"name":"","inner":{inner},"list":[],"holes":[]}}"#),
                format!(r#"{{"name":"","inner":{{"a":1}},"list":[{inner}],"holes":[]}}"#),
                format!(
                    r#"{{"name":"","inner":{{"a":1}},"list":[],"holes":[],"maybe":[{inner}]}}"#
                ),
            ]
        };
        for text in nested(good) {
            assert_eq!(decodes::<Nested>(&text), good == inner, "{text}");
        }
        for text in replacements.iter().flat_map(|inner| nested(inner)) {
            assert!(!decodes::<Nested>(&text), "{text}");
        }
    }
    let good = r#"{"field":{"kind":"Square","a":1}}"#;
    assert!(decodes::<Field<Figure>>(good));
    for (from, to) in [
        (r#""a":1"#, r#""a":1,"a":1"#),
        (r#""a":1"#, r#""a":1,"z":1"#),
        (r#""kind":"Square""#, r#""kind":"Square","kind":"Square""#),
        (r#"{"kind":"Square","a":1}"#, r#"["Square",1]"#),
        (r#"{"kind":"Square","a":1}"#, r#"["Point"]"#),
    ] {
        let text = good.replace(from, to);
        assert!(!decodes::<Field<Figure>>(&text), "{text}");
    }
}

#[test]
fn ambiguous_nesting_takes_no_exponential_time() {
    let mut value = "true".to_owned();
    for _ in 0..100 {
        value = format!(r#"{{"a":{value},"q":1}}"#);
    }
    assert!(!decodes::<Field<Json>>(&format!(r#"{{"field":{value}}}"#)));
}

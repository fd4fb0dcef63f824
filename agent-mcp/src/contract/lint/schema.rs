//! What is odd about an advertised schema.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::{LintLevel, Lints, default};

/// Providers refuse longer names of properties.
const LONG_PROPERTY: usize = 64;
/// Providers refuse schemas that are nested deeper.
const DEEP: usize = 10;
/// Each schema is read again with every request.
const LARGE: usize = 16 * 1024;
/// What is named of a longer list.
const NAMED: usize = 3;

/// Keywords that no provider accepts at the root of arguments.
const NOT_AT_ROOT: [&str; 8] = ["oneOf", "anyOf", "allOf", "not", "enum", "const", "if", "$ref"];

pub(super) fn input(lints: &mut Lints, subject: &str, schema: &Value) {
    root(lints, subject, schema);
    undescribed(lints, subject, schema);
    let found = Found::within(schema);
    found.report(lints, subject, "the input", true);
}

/// Names the arguments that a model has to guess the meaning of.
fn undescribed(lints: &mut Lints, subject: &str, schema: &Value) {
    let properties = schema.get("properties").and_then(Value::as_object);
    let is_silent = |schema: &Value| {
        let description = schema.get("description").and_then(Value::as_str);
        description.is_none_or(|text| text.trim().is_empty())
    };
    let silent = properties.into_iter().flatten().filter(|(_, schema)| is_silent(schema));
    let names: Vec<_> = silent.map(|(name, _)| name.clone()).collect();
    if !names.is_empty() {
        let message = format!(
            "nothing is said of {}, so a model has to guess: put a doc comment above the parameter",
            listed(&names)
        );
        lints.advise("argument-undescribed", subject, message);
    }
}

pub(super) fn output(lints: &mut Lints, subject: &str, schema: &Value) {
    Found::within(schema).report(lints, subject, "the output", false);
}

fn root(lints: &mut Lints, subject: &str, schema: &Value) {
    let problem = match schema.as_object() {
        None => Some("is not an object".to_owned()),
        Some(root) if root.get("type").and_then(Value::as_str) != Some("object") => {
            Some("does not say `\"type\": \"object\"`".to_owned())
        }
        Some(root) if !root.get("properties").is_some_and(Value::is_object) => Some(
            "has no `properties`, which strict clients ask for even where there are none"
                .to_owned(),
        ),
        Some(root) => {
            NOT_AT_ROOT.iter().find(|keyword| root.contains_key(**keyword)).map(|keyword| {
                format!("has `{keyword}` at its root, for which providers refuse the whole request")
            })
        }
    };
    if let Some(problem) = problem {
        let message = format!("the input schema {problem}: take one struct with named fields");
        lints.push("schema-root", subject, message);
    }
}

/// Paths by what was found there.
#[derive(Default)]
struct Found {
    paths: BTreeMap<Oddity, Vec<String>>,
    depth: usize,
    bytes: usize,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Oddity {
    LongProperty,
    PropertyCharacters,
    Boolean,
    Reference,
    OutsideReference,
    Nullable,
    Format,
    Required,
    Default,
    Pattern,
}

impl Oddity {
    const fn code(self) -> &'static str {
        match self {
            Self::LongProperty => "property-name-long",
            Self::PropertyCharacters => "property-name-characters",
            Self::Boolean => "schema-boolean",
            Self::Reference => "schema-reference",
            Self::OutsideReference => "schema-reference-outside",
            Self::Nullable => "schema-nullable",
            Self::Format => "schema-format",
            Self::Required => "schema-required",
            Self::Default => "schema-default",
            Self::Pattern => "pattern-without-length",
        }
    }

    const fn advice(self) -> &'static str {
        match self {
            // schema-637.
            Self::LongProperty => {
                "a name of more than 64 characters, which providers refuse: shorten it"
            }
            Self::PropertyCharacters => {
                "a name with more than letters, digits, `_`, `-` and `.`, which providers refuse: \
                 rename it"
            }
            // schema-0a0.
            Self::Boolean => {
                "`true` or `false` in place of a schema, for which clients drop every tool of the \
                 server: write `{}`"
            }
            // schema-176.
            Self::Reference => {
                "a `$ref`, which some clients do not follow: avoid types that contain themselves"
            }
            // schema-73e.
            Self::OutsideReference => {
                "a `$ref` that leaves the schema or leads nowhere, which nobody resolves: write \
                 the schema out"
            }
            // schema-a73.
            Self::Nullable => {
                "`nullable`, which is not JSON Schema: leave the member out of `required`"
            }
            // schema-a14.
            Self::Format => {
                "a `format` that some providers refuse: say it in the description or as a `pattern`"
            }
            Self::Required => "a required member that is not among the properties: declare it",
            Self::Default => {
                "a default that its own schema refuses, so a model that writes it out fails: change \
                 the default or the constraint"
            }
            Self::Pattern => {
                "a `pattern` and no `maxLength`, so text as long as a message is searched: say how \
                 long it may be, which is looked at first"
            }
        }
    }

    /// What matters in arguments only: what a model has to write.
    const fn input_only(self) -> bool {
        matches!(
            self,
            Self::LongProperty
                | Self::PropertyCharacters
                | Self::Format
                | Self::Required
                | Self::Default
                | Self::Pattern
        )
    }

    /// Everything works all the same.
    const fn level(self) -> LintLevel {
        match self {
            Self::Pattern => LintLevel::Advice,
            _ => LintLevel::Warning,
        }
    }
}

impl Found {
    fn within(schema: &Value) -> Self {
        let mut found = Self { bytes: schema.to_string().len(), ..Self::default() };
        // A list instead of recursion: a schema may be nested as deep as it likes.
        let path = String::new();
        let mut pending = vec![Node { path, depth: 0, schema, around: Vec::new() }];
        while let Some(node) = pending.pop() {
            found.look(&node, schema);
            let children = pending.len();
            node.children(&mut pending);
            // In the order of the document.
            pending[children..].reverse();
        }
        found
    }

    fn look(&mut self, node: &Node<'_>, root: &Value) {
        self.depth = self.depth.max(node.depth);
        let Some(schema) = node.schema.as_object() else {
            self.note(Oddity::Boolean, &node.path);
            return;
        };
        if let Some(reference) = schema.get("$ref") {
            let local = reference.as_str().and_then(|reference| reference.strip_prefix('#'));
            let found = local.is_some_and(|pointer| root.pointer(pointer).is_some());
            let oddity = if found { Oddity::Reference } else { Oddity::OutsideReference };
            self.note(oddity, &node.path);
        }
        if schema.contains_key("$dynamicRef") || schema.contains_key("$recursiveRef") {
            self.note(Oddity::Reference, &node.path);
        }
        if schema.contains_key("nullable") {
            self.note(Oddity::Nullable, &node.path);
        }
        if schema.get("format").is_some_and(|format| format != "date-time") {
            self.note(Oddity::Format, &node.path);
        }
        let pattern = schema.get("pattern").and_then(Value::as_str);
        if pattern.is_some_and(has_no_end) && !schema.contains_key("maxLength") {
            self.note(Oddity::Pattern, &node.path);
        }
        if !default::fits(schema) {
            self.note(Oddity::Default, &node.path);
        }
        let properties = schema.get("properties").and_then(Value::as_object);
        for name in properties.into_iter().flat_map(Map::keys) {
            let path = node.member(name);
            if name.chars().count() > LONG_PROPERTY {
                self.note(Oddity::LongProperty, &path);
            }
            if !name.chars().all(|c| c.is_ascii_alphanumeric() || "_-.".contains(c)) {
                self.note(Oddity::PropertyCharacters, &path);
            }
        }
        let required = schema.get("required").and_then(Value::as_array);
        for name in required.into_iter().flatten().filter_map(Value::as_str) {
            let mut declared = properties.into_iter().chain(node.around.iter().copied());
            if !declared.any(|properties| properties.contains_key(name)) {
                self.note(Oddity::Required, &node.member(name));
            }
        }
    }

    fn note(&mut self, oddity: Oddity, path: &str) {
        let path = if path.is_empty() { "the root" } else { path };
        self.paths.entry(oddity).or_default().push(path.to_owned());
    }

    fn report(self, lints: &mut Lints, subject: &str, which: &str, input: bool) {
        for (oddity, paths) in self.paths {
            if input || !oddity.input_only() {
                let message = format!("{which} has, at {}, {}", listed(&paths), oddity.advice());
                lints.add(oddity.code(), oddity.level(), subject, message);
            }
        }
        if self.depth > DEEP {
            let message = format!(
                "{which} schema is nested {} levels deep, and providers refuse more than {DEEP}: \
                 flatten it",
                self.depth
            );
            lints.push("schema-deep", subject, message);
        }
        if self.bytes > LARGE {
            let message = format!(
                "{which} schema has {} bytes, which each request pays for; keep it under {LARGE}: \
                 divide the capability, or shorten what it describes",
                self.bytes
            );
            lints.push("schema-large", subject, message);
        }
    }
}

/// Whether text of any length may match, as far as one can see, and it takes long to say that it does not.
fn has_no_end(pattern: &str) -> bool {
    // What an id looks like: the first character that is no digit ends the search.
    if ["^[0-9]+$", "^-?[0-9]+$"].contains(&pattern) {
        return false;
    }
    let whole = pattern.starts_with('^') && pattern.ends_with('$');
    !whole || ["*", "+", ",}", "|"].iter().any(|open| pattern.contains(open))
}

fn listed(paths: &[String]) -> String {
    let named: Vec<_> = paths.iter().take(NAMED).map(|path| format!("`{path}`")).collect();
    match paths.len().saturating_sub(NAMED) {
        0 => named.join(", "),
        more => format!("{} and {more} more places", named.join(", ")),
    }
}

/// A schema within a schema.
struct Node<'a> {
    /// As a reader writes it: `lines[].sku`.
    path: String,
    /// How many objects and lists it is inside of.
    depth: usize,
    schema: &'a Value,
    /// What schemas around it declare of the same value.
    around: Vec<&'a Map<String, Value>>,
}

impl<'a> Node<'a> {
    fn member(&self, name: &str) -> String {
        if self.path.is_empty() { name.to_owned() } else { format!("{}.{name}", self.path) }
    }

    fn children(&self, into: &mut Vec<Self>) {
        let Some(schema) = self.schema.as_object() else { return };
        let mut around = self.around.clone();
        around.extend(schema.get("properties").and_then(Value::as_object));
        for (keyword, value) in schema {
            let mut push = |path: String, deeper: usize, schema: &'a Value| {
                let is_of_same = ["anyOf", "oneOf", "allOf", "not", "if", "then", "else"]
                    .contains(&keyword.as_str());
                let around = if is_of_same { around.clone() } else { Vec::new() };
                into.push(Node { path, depth: self.depth + deeper, schema, around });
            };
            match (keyword.as_str(), value) {
                ("properties" | "patternProperties", Value::Object(members)) => {
                    members.iter().for_each(|(name, schema)| push(self.member(name), 1, schema));
                }
                (
                    "$defs" | "definitions" | "dependentSchemas" | "dependencies",
                    Value::Object(members),
                ) => {
                    let path = |name: &str| self.member(&format!("{keyword}.{name}"));
                    // `dependencies` may also be lists of names.
                    let schemas = members.iter().filter(|(_, schema)| !schema.is_array());
                    schemas.for_each(|(name, schema)| push(path(name), 0, schema));
                }
                // Open or closed: said everywhere, understood everywhere.
                (
                    "additionalProperties"
                    | "unevaluatedProperties"
                    | "additionalItems"
                    | "unevaluatedItems",
                    Value::Bool(_),
                ) => {}
                ("additionalProperties" | "unevaluatedProperties", schema) => {
                    push(self.member("*"), 1, schema);
                }
                ("items" | "prefixItems", Value::Array(schemas)) => {
                    schemas.iter().for_each(|schema| push(format!("{}[]", self.path), 1, schema));
                }
                ("items" | "additionalItems" | "unevaluatedItems" | "contains", schema) => {
                    push(format!("{}[]", self.path), 1, schema);
                }
                ("contentSchema" | "not" | "if" | "then" | "else" | "propertyNames", schema) => {
                    push(self.path.clone(), 0, schema);
                }
                ("anyOf" | "oneOf" | "allOf", Value::Array(schemas)) => {
                    schemas.iter().for_each(|schema| push(self.path.clone(), 0, schema));
                }
                _ => {}
            }
        }
    }
}

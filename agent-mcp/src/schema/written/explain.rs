//! The faults that a validator finds, in the words in which ours are told.
//!
//! The validator's own texts are not used: they repeat what was received (O30).

use jsonschema::{
    JsonType, ValidationError,
    error::{TypeKind, ValidationErrorKind as Kind},
    paths::{Location, LocationSegment},
};
use serde_json::Value;

use crate::schema::{
    faults::{Fault, FaultKind, item_path, list_names, member_path},
    near::nearest,
};

/// After so many faults nobody reads on.
pub(super) const ENOUGH: usize = 64;

/// How much the several kinds of faults weigh when the nearest of several forms is looked for.
mod weight {
    pub(super) const TAG: u32 = 1000;
    pub(super) const TYPE: u32 = 50;
    pub(super) const LIMIT: u32 = 5;
    pub(super) const MEMBER: u32 = 2;
}

/// Adds the faults behind an error of the validator.
pub(super) fn explain(root: &Value, error: &ValidationError<'_>, faults: &mut Vec<Fault>) {
    let path = path(error.instance_path());
    let around = outwards(root, error.schema_path()).next();
    match error.kind() {
        Kind::Required { property } => {
            let name = property.as_str().unwrap_or_default();
            // `then` and the like demand what a schema around them describes.
            let member = outwards(root, error.schema_path())
                .find_map(|schema| schema.get("properties")?.get(name));
            faults.push(Fault {
                path: member_path(&path, name),
                kind: FaultKind::Missing,
                expected: member.map_or_else(|| "a value".to_owned(), described),
                got: "nothing",
                suggestion: None,
            });
        }
        Kind::AdditionalProperties { unexpected } | Kind::UnevaluatedProperties { unexpected } => {
            let known = around.and_then(|schema| schema.get("properties")?.as_object());
            let names: Vec<&str> =
                known.into_iter().flatten().map(|(name, _)| name.as_str()).collect();
            let got = |name: &str| error.instance().get(name).map_or("a value", word);
            faults.extend(unexpected.iter().map(|name| Fault {
                path: member_path(&path, name),
                kind: FaultKind::Unknown,
                expected: match names.len() {
                    0 => "no further members".to_owned(),
                    1 => list_names(names.iter().copied()),
                    _ => format!("one of {}", list_names(names.iter().copied())),
                },
                got: got(name),
                suggestion: nearest(name, names.iter().copied()).map(str::to_owned),
            }));
        }
        Kind::AnyOf { context } | Kind::OneOfNotValid { context } => {
            let near = context.iter().min_by_key(|errors| distance(errors));
            match near.filter(|errors| !errors.is_empty()) {
                Some(errors) => errors.iter().for_each(|error| explain(root, error, faults)),
                None => faults.push(invalid(path, error, "one of several forms".to_owned())),
            }
        }
        _ => faults.push(invalid(path, error, expected(error))),
    }
}

fn invalid(path: String, error: &ValidationError<'_>, expected: String) -> Fault {
    let suggestion = match (error.kind(), &**error.instance()) {
        (Kind::Enum { options }, Value::String(text)) => {
            let options = options.as_array().into_iter().flatten().filter_map(Value::as_str);
            nearest(text, options).map(str::to_owned)
        }
        _ => None,
    };
    Fault { path, kind: FaultKind::Invalid, expected, got: word(error.instance()), suggestion }
}

/// How far a value is from one of several forms.
fn distance(errors: &[ValidationError<'_>]) -> u32 {
    let weigh = |error: &ValidationError<'_>| match error.kind() {
        Kind::Constant { .. } => weight::TAG,
        Kind::Type { .. } | Kind::Enum { .. } => weight::TYPE,
        Kind::Required { .. } | Kind::AdditionalProperties { .. } => weight::MEMBER,
        Kind::AnyOf { context } | Kind::OneOfNotValid { context } => {
            context.iter().map(|errors| distance(errors)).min().unwrap_or(weight::LIMIT)
        }
        _ => weight::LIMIT,
    };
    errors.iter().map(weigh).fold(0, u32::saturating_add)
}

/// What the schema wants at the place of an error.
fn expected(error: &ValidationError<'_>) -> String {
    match error.kind() {
        Kind::Type { kind: TypeKind::Single(kind) } => type_name(*kind).to_owned(),
        Kind::Type { kind: TypeKind::Multiple(kinds) } => {
            kinds.iter().map(type_name).collect::<Vec<_>>().join(" or ")
        }
        Kind::Enum { options } => match options.as_array().map(Vec::as_slice) {
            Some([only]) => format!("`{only}`"),
            Some(all) => {
                let all: Vec<String> = all.iter().map(ToString::to_string).collect();
                format!("one of {}", list_names(all.iter().map(String::as_str)))
            }
            None => "one of the values of `enum`".to_owned(),
        },
        Kind::Constant { expected_value } => format!("`{expected_value}`"),
        Kind::Minimum { limit } => format!("a number of at least {limit}"),
        Kind::Maximum { limit } => format!("a number of at most {limit}"),
        Kind::ExclusiveMinimum { limit } => format!("a number above {limit}"),
        Kind::ExclusiveMaximum { limit } => format!("a number below {limit}"),
        Kind::MultipleOf { multiple_of } => format!("a multiple of {multiple_of}"),
        Kind::MinLength { limit } => format!("a string of at least {limit} characters"),
        Kind::MaxLength { limit } => format!("a string of at most {limit} characters"),
        Kind::Pattern { pattern } => format!("a string that matches `{pattern}`"),
        Kind::Format { format } => format!("a string of the format `{format}`"),
        Kind::MinItems { limit } => format!("an array of at least {limit} items"),
        Kind::MaxItems { limit } => format!("an array of at most {limit} items"),
        Kind::AdditionalItems { limit } => format!("an array of at most {limit} items"),
        Kind::UniqueItems => "an array without the same item twice".to_owned(),
        Kind::Contains => "an array with other items".to_owned(),
        Kind::MinProperties { limit } => format!("an object of at least {limit} members"),
        Kind::MaxProperties { limit } => format!("an object of at most {limit} members"),
        Kind::PropertyNames { .. } => "an object with other names of members".to_owned(),
        Kind::FalseSchema => "nothing".to_owned(),
        Kind::OneOfMultipleValid { .. } => "exactly one of several forms".to_owned(),
        Kind::Not { .. } => "a value outside of what `not` excludes".to_owned(),
        other => format!("a value that `{}` allows", other.keyword()),
    }
}

/// The schema whose keyword has found an error, then what is around it.
fn outwards<'a>(root: &'a Value, keyword: &'a Location) -> impl Iterator<Item = &'a Value> {
    let outer = |pointer: &&'a str| Some(&pointer[..pointer.rfind('/')?]);
    let places = std::iter::successors(outer(&keyword.as_str()), outer);
    places.filter_map(|pointer| root.pointer(pointer))
}

fn path(location: &Location) -> String {
    location.into_iter().fold(String::new(), |path, step| match step {
        LocationSegment::Property(name) => member_path(&path, &name),
        LocationSegment::Index(place) => item_path(&path, place),
    })
}

/// A schema in a word or two, from what it says itself.
fn described(schema: &Value) -> String {
    let name = |kind: &Value| {
        kind.as_str().map(|kind| match kind {
            "null" => "null".to_owned(),
            "array" | "integer" | "object" => format!("an {kind}"),
            other => format!("a {other}"),
        })
    };
    match schema.get("type") {
        Some(Value::Array(kinds)) => kinds.iter().filter_map(name).collect::<Vec<_>>().join(" or "),
        Some(kind) => name(kind).unwrap_or_else(|| "a value".to_owned()),
        None => "a value".to_owned(),
    }
}

fn type_name(kind: JsonType) -> &'static str {
    match kind {
        JsonType::Null => "null",
        JsonType::Boolean => "a boolean",
        JsonType::Integer => "an integer",
        JsonType::Number => "a number",
        JsonType::String => "a string",
        JsonType::Array => "an array",
        JsonType::Object => "an object",
    }
}

fn word(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    }
}

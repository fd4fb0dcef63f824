//! Values of a form's fields, where no nesting and no union makes things hard: what is expected is said in the words
//! that the arguments of a call have.

use serde_json::Value;

use super::{
    format,
    number::Number,
    review::describe,
    shape::{Limit, Range, Text},
};

/// A text of so many characters, in one of the formats that forms know.
pub(crate) fn text(
    value: &Value,
    format: Option<&str>,
    min: Option<u32>,
    max: Option<u32>,
) -> Result<(), String> {
    let rule = Text {
        min: min.unwrap_or_default() as usize,
        max: max.map(|max| max as usize),
        pattern: None,
        format: format.map(str::to_owned),
        digits: false,
    };
    let fits = value.as_str().is_some_and(|text| {
        rule.holds(text) && format.is_none_or(|format| format::holds(format, text))
    });
    if fits { Ok(()) } else { Err(describe::text(&rule)) }
}

/// A number between two limits.
pub(crate) fn number(
    value: &Value,
    whole: bool,
    min: Option<&serde_json::Number>,
    max: Option<&serde_json::Number>,
) -> Result<(), String> {
    let read = |number: &serde_json::Number| Number::parse(&number.to_string());
    let limit = |number| Some(Limit { value: read(number?)?, included: true });
    let range = Range { whole, min: limit(min), max: limit(max), step: None };
    let fits = value.as_number().and_then(read).is_some_and(|number| range.holds(number));
    if fits { Ok(()) } else { Err(describe::number(&range)) }
}

/// How many there are of something.
pub(crate) fn count(min: Option<u32>, max: Option<u32>, unit: &str) -> String {
    describe::size(min.unwrap_or_default() as usize, max.map(|max| max as usize), unit)
}

/// The type of a value, in words.
pub(crate) fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    }
}

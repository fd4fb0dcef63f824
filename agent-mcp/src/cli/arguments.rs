//! The arguments of a call, as somebody types them.

use std::io::Read;

use serde_json::{Map, Value};

/// Reads arguments: an object of JSON, from standard input where they are `-`; null where there are none.
pub(super) fn read(typed: Option<String>) -> Result<Value, String> {
    let text = match typed.as_deref() {
        None => return Ok(Value::Null),
        Some("-") => {
            let mut text = String::new();
            let read = std::io::stdin().read_to_string(&mut text);
            read.map_err(|error| format!("standard input cannot be read: {error}"))?;
            text
        }
        Some(text) => text.to_owned(),
    };
    match serde_json::from_str(&text) {
        Ok(arguments @ Value::Object(_)) => Ok(arguments),
        Ok(_) => Err(r#"the arguments are not an object, such as {"title": "milk"}"#.to_owned()),
        Err(error) => Err(format!("the arguments are no JSON: {}", shown(&text, &error))),
    }
}

/// The arguments of a prompt are texts; a number that was typed without quotes means its digits.
pub(super) fn as_texts(arguments: Value) -> Value {
    let Value::Object(members) = arguments else { return arguments };
    let text = |value| match value {
        Value::Number(_) | Value::Bool(_) => Value::String(value.to_string()),
        other => other,
    };
    members.into_iter().map(|(name, value)| (name, text(value))).collect::<Map<_, _>>().into()
}

/// What is wrong, and where.
fn shown(text: &str, error: &serde_json::Error) -> String {
    let line = text.lines().nth(error.line().saturating_sub(1)).unwrap_or_default();
    // Columns are bytes. What is shown is the part of a long line that matters.
    let before = line.get(..error.column().saturating_sub(1)).unwrap_or(line);
    let skipped = before.chars().count().saturating_sub(60);
    let part: String = line.chars().skip(skipped).take(76).collect();
    let place = before.chars().count() - skipped;
    format!("{error}\n  {part}\n  {}^", " ".repeat(place))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(text: &str) -> String {
        read(Some(text.to_owned())).unwrap_err()
    }

    #[test]
    fn a_mistake_is_shown_where_it_is() {
        let missing = error(r#"{"title": "milk" "done": true}"#);
        assert!(missing.starts_with("the arguments are no JSON: expected `,` or `}`"), "{missing}");
        let lines: Vec<_> = missing.lines().skip(1).collect();
        assert_eq!(lines, [r#"  {"title": "milk" "done": true}"#, "                   ^"]);
        let second = error("{\n  \"ü\": tea}");
        assert!(second.ends_with("\n    \"ü\": tea}\n          ^"), "{second}");
        let long = error(&format!("{{\"a\": \"{}\" 1}}", "z".repeat(500)));
        assert!(long.lines().all(|line| line.len() < 100), "{long}");
        assert!(error("").contains("EOF"));
    }

    #[test]
    fn arguments_are_an_object() {
        assert!(error("[1]").contains("not an object"));
        assert_eq!(read(None), Ok(Value::Null));
        assert_eq!(read(Some("{}".to_owned())), Ok(Value::Object(Map::new())));
        let texts = as_texts(serde_json::json!({"hours": 3, "first": "tea"}));
        assert_eq!(texts, serde_json::json!({"hours": "3", "first": "tea"}));
    }
}

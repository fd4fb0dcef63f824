//! A form, filled in on the terminal.

use std::io::Write;

use serde_json::{Map, Value};
use tokio::sync::oneshot;

use crate::client::{Answer, Question};

/// Asks for each field. The end of the input (Ctrl-D) gives no answer.
pub(super) async fn form(question: Question) -> Answer {
    eprintln!("{}", question.message());
    let schema = &question.params["requestedSchema"];
    let required = schema["required"].as_array();
    let mut content = Map::new();
    for (name, field) in schema["properties"].as_object().into_iter().flatten() {
        let is_required = required.is_some_and(|all| all.iter().any(|it| it == name));
        loop {
            eprint!("{}", prompt(name, field));
            let _ = std::io::stderr().flush();
            let Some(line) = line().await else {
                eprintln!();
                return Answer::cancel();
            };
            match read(line.trim(), field, is_required) {
                Ok(None) => break,
                Ok(Some(value)) => {
                    content.insert(name.clone(), value);
                    break;
                }
                Err(why) => eprintln!("  {why}"),
            }
        }
    }
    Answer::accept(content)
}

/// A line of standard input. It is read on a thread of its own, which nobody waits for when the call is given up.
async fn line() -> Option<String> {
    let (sender, receiver) = oneshot::channel();
    std::thread::spawn(move || {
        let mut line = String::new();
        let read = std::io::stdin().read_line(&mut line);
        let _ = sender.send(read.is_ok_and(|bytes| bytes > 0).then_some(line));
    });
    receiver.await.ok().flatten()
}

/// The choices of a field: what is sent, and what people read.
fn choices(field: &Value) -> Vec<(Value, String)> {
    let shown = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let titled = field["oneOf"].as_array().or_else(|| field["anyOf"].as_array());
    if let Some(titled) = titled {
        let choice = |it: &Value| {
            (
                it["const"].clone(),
                it["title"].as_str().map_or_else(|| shown(&it["const"]), str::to_owned),
            )
        };
        return titled.iter().map(choice).collect();
    }
    let names = field["enumNames"].as_array();
    let plain = field["enum"].as_array().into_iter().flatten().enumerate();
    plain
        .map(|(place, value)| {
            let name = names.and_then(|names| names.get(place)?.as_str()).map(str::to_owned);
            (value.clone(), name.unwrap_or_else(|| shown(value)))
        })
        .collect()
}

fn prompt(name: &str, field: &Value) -> String {
    let title = field["title"].as_str().unwrap_or(name);
    let mut prompt = format!("  {title}");
    if let Some(description) = field["description"].as_str().filter(|it| *it != title) {
        prompt.push_str(&format!(" - {description}"));
    }
    let of = if field["type"] == "array" { &field["items"] } else { field };
    let choices: Vec<_> = choices(of).into_iter().map(|(_, title)| title).collect();
    if field["type"] == "boolean" {
        prompt.push_str(match field["default"].as_bool() {
            Some(true) => " [Y/n]",
            Some(false) => " [y/N]",
            None => " [y/n]",
        });
    } else {
        if !choices.is_empty() {
            let several = if field["type"] == "array" { "some of " } else { "" };
            prompt.push_str(&format!(" ({several}{})", choices.join(", ")));
        }
        match &field["default"] {
            Value::Null => {}
            Value::String(text) => prompt.push_str(&format!(" [{text}]")),
            other => prompt.push_str(&format!(" [{other}]")),
        }
    }
    prompt + ": "
}

/// The value that was typed; nothing where the field may be left out.
fn read(typed: &str, field: &Value, is_required: bool) -> Result<Option<Value>, String> {
    if typed.is_empty() {
        return match &field["default"] {
            Value::Null if is_required => Err("this is needed".to_owned()),
            Value::Null => Ok(None),
            default => Ok(Some(default.clone())),
        };
    }
    let value = match field["type"].as_str() {
        Some("boolean") => match typed.to_lowercase().as_str() {
            "y" | "yes" | "true" => true.into(),
            "n" | "no" | "false" => false.into(),
            _ => return Err("type y or n".to_owned()),
        },
        Some("integer") => {
            typed.parse::<i64>().map_err(|_| "type a whole number".to_owned())?.into()
        }
        Some("number") => {
            let number = typed.parse::<f64>().ok().and_then(serde_json::Number::from_f64);
            number.ok_or("type a number")?.into()
        }
        Some("array") => {
            let items = typed.split(',').map(|item| choice(item.trim(), &field["items"]));
            items.collect::<Result<Vec<_>, _>>()?.into()
        }
        _ => choice(typed, field)?,
    };
    Ok(Some(value))
}

/// A text, or one of the choices.
fn choice(typed: &str, field: &Value) -> Result<Value, String> {
    let choices = choices(field);
    if choices.is_empty() {
        return Ok(typed.into());
    }
    let meant = |(value, title): &&(Value, String)| {
        title.eq_ignore_ascii_case(typed) || value.as_str() == Some(typed)
    };
    match choices.iter().find(meant) {
        Some((value, _)) => Ok(value.clone()),
        None => {
            let titles: Vec<_> = choices.iter().map(|(_, title)| title.as_str()).collect();
            Err(format!("type one of {}", titles.join(", ")))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_is_typed_becomes_a_value() {
        let yes = json!({"type": "boolean", "title": "Sure", "default": false});
        assert_eq!(prompt("sure", &yes), "  Sure [y/N]: ");
        assert_eq!(read("Y", &yes, true), Ok(Some(json!(true))));
        assert_eq!(read("", &yes, true), Ok(Some(json!(false))));
        assert!(read("maybe", &yes, true).is_err());

        let number = json!({"type": "integer", "description": "How many"});
        assert_eq!(prompt("count", &number), "  count - How many: ");
        assert_eq!(read("12", &number, true), Ok(Some(json!(12))));
        assert!(read("a dozen", &number, true).is_err());
        assert_eq!(read("", &number, false), Ok(None));
        assert!(read("", &number, true).is_err());

        let colours = json!([{"const": "r", "title": "Red"}, {"const": "b", "title": "Blue"}]);
        let colour = json!({"type": "string", "oneOf": colours, "default": "r"});
        assert_eq!(prompt("colour", &colour), "  colour (Red, Blue) [r]: ");
        assert_eq!(read("blue", &colour, true), Ok(Some(json!("b"))));
        assert_eq!(read("green", &colour, true), Err("type one of Red, Blue".to_owned()));

        let several = json!({"type": "array", "items": {"anyOf": colours}});
        assert_eq!(prompt("colours", &several), "  colours (some of Red, Blue): ");
        assert_eq!(read("red, b", &several, true), Ok(Some(json!(["r", "b"]))));
        assert_eq!(read("tea", &json!({"type": "string"}), true), Ok(Some(json!("tea"))));
    }
}

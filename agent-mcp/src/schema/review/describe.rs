//! What a node expects, in words.

use crate::schema::faults::list_names;
use crate::schema::shape::{List, Node, NodeId, Object, Range, Shape, Text};

pub(super) fn describe(shape: &Shape, id: NodeId) -> String {
    match shape.node(id) {
        Node::Any => "any value".to_owned(),
        Node::Null => "null".to_owned(),
        Node::Bool => "a boolean".to_owned(),
        Node::Number(range) => number(range),
        Node::Text(rule) => text(rule),
        Node::Choice(values) => choices(values.iter()),
        Node::List(list) => array(list),
        Node::Object(rule) => object(rule),
        Node::Union(branches) => {
            let mut words: Vec<String> = Vec::new();
            for branch in branches {
                // A union that leads to itself says nothing new.
                let word = match shape.node(*branch) {
                    Node::Union(_) => continue,
                    _ => describe(shape, *branch),
                };
                if !words.contains(&word) {
                    words.push(word);
                }
            }
            if words.is_empty() { "no value at all".to_owned() } else { words.join(" or ") }
        }
    }
}

/// The words for a value that the schema admits and the type does not.
pub(super) fn describe_valid(shape: &Shape, id: NodeId) -> String {
    let described = describe(shape, id);
    match shape.node(id) {
        Node::Text(Text { format: Some(format), .. }) if format_name(format).is_some() => described,
        _ => format!("{described} that is valid here"),
    }
}

pub(super) fn choices<'v>(values: impl Iterator<Item = &'v serde_json::Value>) -> String {
    let names: Vec<String> =
        values.map(|v| v.as_str().map_or_else(|| v.to_string(), str::to_owned)).collect();
    let list = list_names(names.iter().map(String::as_str));
    if names.len() == 1 { list } else { format!("one of {list}") }
}

pub(in crate::schema) fn number(range: &Range) -> String {
    let mut words = if range.whole { "an integer" } else { "a number" }.to_owned();
    match (&range.min, &range.max) {
        (Some(min), Some(max)) if min.included && max.included => {
            words.push_str(&format!(" from {} to {}", min.value, max.value));
        }
        (min, max) => {
            if let Some(min) = min {
                let word = if min.included { "of at least" } else { "greater than" };
                words.push_str(&format!(" {word} {}", min.value));
            }
            if let Some(max) = max {
                let and = if min.is_some() { " and" } else { "" };
                let word = if max.included { "of at most" } else { "less than" };
                words.push_str(&format!("{and} {word} {}", max.value));
            }
        }
    }
    if let Some(step) = range.step {
        words.push_str(&format!(", a multiple of {step}"));
    }
    words
}

pub(in crate::schema) fn text(rule: &Text) -> String {
    let name = rule.format.as_deref().and_then(format_name);
    let mut words = name.unwrap_or("a string").to_owned();
    if rule.digits {
        return "an id: a string of digits".to_owned();
    }
    words.push_str(&size(rule.min, rule.max, "character"));
    if let Some(pattern) = &rule.pattern {
        words.push_str(&format!(" that matches `{}`", pattern.as_str()));
    }
    words
}

fn format_name(format: &str) -> Option<&'static str> {
    Some(match format {
        "uuid" => "a UUID",
        "email" => "an e-mail address",
        "uri" | "url" => "a URL",
        "date-time" => "a date and time like `2026-01-31T12:00:00Z`",
        "date" => "a date like `2026-01-31`",
        "time" | "partial-time" => "a time like `12:00:00`",
        "partial-date-time" => "a date and time like `2026-01-31T12:00:00`",
        "ip" => "an IP address",
        "ipv4" => "an IPv4 address",
        "ipv6" => "an IPv6 address",
        _ => return None,
    })
}

fn array(list: &List) -> String {
    format!("an array{}", size(list.min, list.max, "item"))
}

fn object(object: &Object) -> String {
    if object.members.is_empty() && object.rest.is_none() && object.patterns.is_empty() {
        return "an empty object".to_owned();
    }
    let max = object.max;
    format!("an object{}", size(object.min, max, "member"))
}

pub(in crate::schema) fn size(min: usize, max: Option<usize>, unit: &str) -> String {
    let s = |n: usize| if n == 1 { "" } else { "s" };
    match (min, max) {
        (0, None) => String::new(),
        (min, Some(max)) if min == max => format!(" of {max} {unit}{}", s(max)),
        (min, None) => format!(" of at least {min} {unit}{}", s(min)),
        (0, Some(max)) => format!(" of at most {max} {unit}{}", s(max)),
        (min, Some(max)) => format!(" of {min} to {max} {unit}s"),
    }
}

//! Results for people.

use serde_json::Value;

use crate::client::Reply;

/// The result or the error, as the protocol has it.
pub(super) fn bare(reply: &Reply) -> Value {
    match reply.result() {
        Some(result) => result.clone(),
        None => serde_json::json!({ "error": reply.message["error"] }),
    }
}

/// The content of a result. The messages of a prompt say whose they are.
pub(super) fn result(reply: &Reply, with_roles: bool) -> String {
    let Some(result) = reply.result() else { return String::new() };
    let blocks = ["content", "contents", "messages"].iter().find_map(|key| result[key].as_array());
    let blocks = blocks.into_iter().flatten().map(|block| {
        let role = block["role"].as_str().filter(|_| with_roles);
        let content = if block["content"].is_object() { &block["content"] } else { block };
        let text = content_text(content);
        role.map_or_else(|| text.clone(), |role| format!("{role}: {text}"))
    });
    let mut text = blocks.collect::<Vec<_>>().join("\n");
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    text
}

fn content_text(content: &Value) -> String {
    let word = |key: &str| content[key].as_str();
    let kind = word("mimeType").unwrap_or("data");
    match (word("type"), word("text")) {
        (_, Some(text)) => readable(text),
        (Some("resource"), None) => content_text(&content["resource"]),
        (Some("resource_link"), None) => format!("<{}>", word("uri").unwrap_or_default()),
        _ => {
            let bytes = word("data").or_else(|| word("blob")).unwrap_or_default();
            let padding = bytes.bytes().rev().take_while(|byte| *byte == b'=').count();
            format!("<{} bytes of {kind}; --json shows them>", bytes.len() / 4 * 3 - padding)
        }
    }
}

/// A value is indented; a text is a text.
fn readable(text: &str) -> String {
    let value = serde_json::from_str::<Value>(text).ok();
    let value = value.filter(|value| value.is_object() || value.is_array());
    value.map_or_else(|| text.to_owned(), |value| format!("{value:#}"))
}

/// A line for each tool.
pub(super) fn tools(tools: &[Value]) -> String {
    let word = |tool: &Value, key: &str| tool[key].as_str().unwrap_or_default().to_owned();
    let names = tools.iter().map(|tool| word(tool, "name").chars().count());
    let width = names.max().unwrap_or_default();
    let lines = tools.iter().map(|tool| {
        let description = word(tool, "description");
        let first = description.lines().next().unwrap_or_default();
        format!("{:width$}  {first}\n", word(tool, "name"))
    });
    lines.collect()
}

/// What a tool is, and what it takes.
pub(super) fn tool(tool: &Value) -> String {
    let mut text = format!("{}\n", tool["description"].as_str().unwrap_or_default());
    let input = &tool["inputSchema"];
    let required = input["required"].as_array();
    let is_required = |name: &str| required.is_some_and(|all| all.iter().any(|it| it == name));
    for (name, schema) in input["properties"].as_object().into_iter().flatten() {
        let kind = schema["type"].as_str().unwrap_or("value");
        let optional = if is_required(name) { "" } else { ", optional" };
        let description = schema["description"].as_str().unwrap_or_default();
        text.push_str(&format!("\n  {name} ({kind}{optional})  {description}"));
    }
    text.push_str(&format!("\n\n{input:#}\n"));
    text
}

//! The contract as a page that a person reads.

use std::fmt::Write as _;

use serde_json::Value;

use super::{
    CapabilityDescriptor, CompletionKind, ContextDescriptor, Contract, ResourceDescriptor, TaskMode,
};

impl Contract {
    /// The contract as Markdown: a table, then a section for each capability with its exact
    /// schemas.
    // B105.
    #[must_use]
    pub fn markdown(&self) -> String {
        let mut page = Page(String::new());
        page.heading(1, self.title.as_ref().unwrap_or(&self.name));
        if let Some(version) = &self.version {
            page.paragraph(&format!("Version {version}."));
        }
        if let Some(instructions) = &self.instructions {
            page.paragraph(instructions);
        }
        page.heading(2, "Capabilities");
        if self.capabilities.is_empty() {
            page.paragraph("This agent has no capabilities.");
        } else {
            page.table(["Capability", "Description", "Conditions"], &self.capabilities, row);
            for capability in &self.capabilities {
                page.capability(capability);
            }
        }
        if !self.resources.is_empty() {
            page.heading(2, "Resources");
            page.table(["Resource", "Description", "Uri"], &self.resources, |resource| {
                [code(&resource.name), resource.description.clone(), code(&resource.uri)]
            });
            for resource in &self.resources {
                page.resource(resource);
            }
        }
        if !self.prompts.is_empty() {
            page.heading(2, "Prompts");
            page.table(["Prompt", "Description", "Arguments"], &self.prompts, |prompt| {
                let arguments = prompt.arguments.iter().map(|argument| {
                    let optional = if argument.required { "" } else { " (optional)" };
                    format!("{}{optional}", code(&argument.name))
                });
                let arguments: Vec<_> = arguments.collect();
                [code(&prompt.name), prompt.description.clone(), arguments.join(", ")]
            });
        }
        if let Some(context) = &self.context {
            page.context(context);
        }
        page.0
    }
}

fn row(capability: &CapabilityDescriptor) -> [String; 3] {
    let conditions = [
        (capability.conditional, "conditional"),
        (capability.authorized, "authorized"),
        (!capability.scopes.is_empty(), "scoped"),
        (capability.completion.is_some(), "completes"),
    ];
    let conditions: Vec<_> =
        conditions.into_iter().filter(|(holds, _)| *holds).map(|(_, word)| word).collect();
    [code(&capability.name), capability.description.clone(), conditions.join(", ")]
}

/// What a caller should know besides the schemas.
fn sentences(capability: &CapabilityDescriptor) -> Vec<String> {
    let said = capability.annotations;
    let flags = [
        (capability.conditional, "It is available only in some states of the application."),
        (capability.authorized, "Each call is authorized by who makes it."),
        (said.read_only == Some(true), "It changes nothing."),
        (said.destructive == Some(true), "It may destroy something."),
        (
            said.idempotent == Some(true),
            "A second call with the same arguments changes nothing more.",
        ),
        (said.open_world == Some(true), "It reaches beyond the application."),
        (capability.open, "Arguments that are not declared are accepted."),
        (capability.coerce, "Arguments are converted where that is exact."),
        (
            capability.dispatches && capability.completion.is_none(),
            "It sends a Message and does not wait for what follows.",
        ),
    ];
    let mut sentences: Vec<_> =
        flags.into_iter().filter(|(holds, _)| *holds).map(|(_, text)| text.to_owned()).collect();
    sentences.extend(needs(&capability.scopes));
    if let Some(completion) = capability.completion {
        let fact = match completion.kind {
            CompletionKind::Message => "when the application reports it",
            CompletionKind::State => "when the application is in the state it asks for",
        };
        sentences.push(format!(
            "It sends a Message and completes {fact}, within {:?}.",
            completion.timeout
        ));
    }
    if let Some(timeout) = capability.timeout {
        sentences.push(format!("It runs for at most {timeout:?}."));
    }
    if let Some(limit) = capability.concurrency {
        let calls = if limit == 1 { "call runs" } else { "calls run" };
        sentences.push(format!("At most {limit} {calls} at once."));
    }
    match capability.task {
        Some(TaskMode::Optional) => {
            sentences.push("A call can go on as a task.".to_owned());
        }
        Some(TaskMode::Required) => sentences.push("A call goes on as a task.".to_owned()),
        None => {}
    }
    sentences
}

/// What a caller's credentials must carry.
fn needs(scopes: &[String]) -> Option<String> {
    let list: Vec<_> = scopes.iter().map(|scope| code(scope)).collect();
    let noun = if list.len() == 1 { "scope" } else { "scopes" };
    (!list.is_empty()).then(|| format!("It needs the {noun} {}.", list.join(", ")))
}

struct Page(String);

impl Page {
    /// A block, with an empty line before it.
    fn paragraph(&mut self, text: &str) {
        if !self.0.is_empty() {
            self.0.push('\n');
        }
        self.0.push_str(text.trim());
        self.0.push('\n');
    }

    fn heading(&mut self, level: usize, text: &str) {
        self.paragraph(&format!("{} {}", "#".repeat(level), flat(text)));
    }

    fn table<T>(&mut self, head: [&str; 3], items: &[T], row: impl Fn(&T) -> [String; 3]) {
        let mut table = format!("| {} |\n| --- | --- | --- |\n", head.join(" | "));
        for item in items {
            let cells = row(item).map(|text| cell(&text));
            // Writing to a `String` cannot fail.
            let _ = writeln!(table, "| {} |", cells.join(" | "));
        }
        self.paragraph(&table);
    }

    fn schema(&mut self, what: &str, schema: &Value) {
        // Within JSON a line cannot begin with backticks, so nothing ends the block early.
        self.paragraph(&format!("{what}:\n\n```json\n{schema:#}\n```"));
    }

    fn capability(&mut self, capability: &CapabilityDescriptor) {
        self.heading(3, &code(&capability.name));
        if let Some(title) = &capability.title {
            self.paragraph(&format!("**{}**", flat(title)));
        }
        self.paragraph(&capability.description);
        let sentences = sentences(capability);
        if !sentences.is_empty() {
            self.paragraph(&sentences.join(" "));
        }
        self.schema("Input", &capability.input);
        if let Some(output) = &capability.output {
            self.schema("Output", output);
        }
    }

    fn resource(&mut self, resource: &ResourceDescriptor) {
        let flags = [
            (resource.conditional, "It is there only in some states of the application."),
            (resource.authorized, "Each read is authorized by who makes it."),
        ];
        let flags = flags.into_iter().filter(|(holds, _)| *holds).map(|(_, text)| text.to_owned());
        let sentences: Vec<_> = flags.chain(needs(&resource.scopes)).collect();
        if sentences.is_empty() && resource.schema.is_none() && resource.variables.is_none() {
            return;
        }
        self.heading(3, &code(&resource.name));
        if !sentences.is_empty() {
            self.paragraph(&sentences.join(" "));
        }
        if let Some(schema) = &resource.variables {
            self.schema("Variables", schema);
        }
        if let Some(schema) = &resource.schema {
            self.schema("Content", schema);
        }
    }

    fn context(&mut self, context: &ContextDescriptor) {
        self.heading(2, "Context");
        self.paragraph(&context.description);
        let place = format!("It is read at {}.", code(ContextDescriptor::URI));
        let sentences: Vec<_> = std::iter::once(place).chain(needs(&context.scopes)).collect();
        self.paragraph(&sentences.join(" "));
        if let Some(schema) = &context.schema {
            self.schema("Content", schema);
        }
    }
}

fn code(text: &str) -> String {
    format!("`{text}`")
}

/// On one line.
fn flat(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// On one line, without ending the cell.
fn cell(text: &str) -> String {
    let mut cell = String::with_capacity(text.len());
    let mut backslashes = 0;
    for character in flat(text).chars() {
        if character == '|' {
            // A backslash of the text's own must not take the escape's place.
            cell.extend(std::iter::repeat_n('\\', backslashes + 1));
        }
        backslashes = if character == '\\' { backslashes + 1 } else { 0 };
        cell.push(character);
    }
    cell
}

#[cfg(test)]
mod tests {
    use super::cell;

    #[test]
    fn b105_a_cell_is_one_line_and_keeps_its_pipes_to_itself() {
        assert_eq!(cell("a | b\n\n  c"), r"a \| b c");
        assert_eq!(cell(r"a \| b \\"), r"a \\\| b \\");
    }
}

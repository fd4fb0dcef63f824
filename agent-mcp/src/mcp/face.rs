//! How a contract shows itself at one revision: bytes that are written once.

use bytes::Bytes;
use serde_json::json;

use super::{
    content,
    handler::HandlerOptions,
    list::List,
    offered::Listed,
    reply::{Cache, Reply},
    revision::Revision,
    tasks, views,
    wrapped::{wrapped, wraps},
    writer::Writer,
};
use crate::contract::{
    Annotations, CapabilityDescriptor, ContextDescriptor, Contract, Extras, PromptDescriptor,
    ResourceDescriptor, VIEW_META, without_headers,
};
use crate::runtime::Tells;

/// Which parts of the protocol the server offers (VER-20).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Offers {
    pub(crate) tools: bool,
    pub(crate) resources: bool,
    pub(crate) logging: bool,
    pub(crate) prompts: bool,
    /// There are arguments that a person fills in.
    pub(crate) completions: bool,
    /// Some tool has to do with a view.
    pub(crate) views: bool,
    /// There are skills.
    #[cfg(feature = "skills")]
    pub(crate) skills: bool,
    /// Some call can become a task.
    pub(crate) tasks: bool,
    /// What the hosts tell of.
    pub(crate) tells: Tells,
    /// Whether legacy clients have a stream for what belongs to no request.
    pub(crate) standing_streams: bool,
}

impl Offers {
    /// Whether clients of a revision are told when the entries of a list come and go.
    pub(crate) fn changes(self, list: Listed, revision: Revision) -> bool {
        let tells = match list {
            Listed::Tools => self.tells.capabilities,
            Listed::Resources => self.tells.resources,
            Listed::Prompts => self.tells.prompts,
        };
        tells && self.has_streams(revision)
    }

    /// Whether clients of a revision can subscribe to resources.
    pub(crate) fn updates(self, revision: Revision) -> bool {
        self.tells.reads && self.has_streams(revision)
    }

    /// Whether clients of a revision are told of anything.
    pub(crate) fn tells(self, revision: Revision) -> bool {
        self.tasks && revision.is_modern()
            || self.updates(revision)
            || Listed::ALL.into_iter().any(|list| self.changes(list, revision))
    }

    fn has_streams(self, revision: Revision) -> bool {
        revision.is_modern() || self.standing_streams
    }
}

/// The bytes of one revision. Nothing in it depends on a caller or a request.
pub(crate) struct Face {
    pub(crate) revision: Revision,
    /// Name and version of the server, as JSON.
    pub(crate) server: String,
    capabilities: String,
    instructions: Option<String>,
    tools: List,
    /// The same for clients that show views, where some tool has one.
    tools_with_views: Option<List>,
    pub(crate) resources: List,
    pub(crate) templates: List,
    pub(crate) prompts: List,
}

impl Face {
    pub(crate) fn new(
        revision: Revision,
        contract: &Contract,
        offers: Offers,
        options: &HandlerOptions,
    ) -> Self {
        let tools = |views: bool| {
            let tools = contract.capabilities.iter();
            List::new("tools", tools.map(|tool| (&*tool.name, entry(revision, tool, views))))
        };
        let with_views = revision.has_entity_meta() && offers.views;
        #[allow(unused_mut)] // without the feature
        let mut resources = resources(contract);
        // They have no number: they are always there.
        #[cfg(feature = "skills")]
        resources.extend(
            options
                .skills
                .iter()
                .flat_map(|skills| super::skills::resources(skills))
                .map(|skill| (None, skill)),
        );
        let (templates, resources): (Vec<_>, Vec<_>) =
            resources.iter().partition(|(_, resource)| resource.is_template());
        let readable = |member, entries: Vec<&(Option<usize>, ResourceDescriptor)>| {
            let numbers = entries.iter().map(|(number, _)| *number).collect();
            let entries = entries
                .into_iter()
                .map(|(_, resource)| (&*resource.uri, resource_entry(revision, resource)));
            List::new(member, entries).numbered(numbers)
        };
        Self {
            revision,
            server: server(revision, contract, options),
            capabilities: capabilities(revision, offers),
            instructions: contract.instructions.clone(),
            tools: tools(false),
            tools_with_views: with_views.then(|| tools(true)),
            resources: readable("resources", resources),
            // RES-3.
            templates: readable("resourceTemplates", templates),
            prompts: List::new(
                "prompts",
                contract
                    .prompts
                    .iter()
                    .map(|prompt| (&*prompt.name, prompt_entry(revision, prompt))),
            ),
        }
    }

    /// The tools, for a client that shows views or one that does not.
    pub(crate) fn tools(&self, views: bool) -> &List {
        self.tools_with_views.as_ref().filter(|_| views).unwrap_or(&self.tools)
    }

    /// Whether the list of tools is another one for clients that show views.
    pub(crate) fn has_views(&self) -> bool {
        self.tools_with_views.is_some()
    }

    /// The answer to `initialize` (VER-1).
    pub(crate) fn welcome(&self, id: &str) -> Bytes {
        let mut reply = Reply::new(id, self, self.capabilities.len() + 256);
        reply.key("protocolVersion").word(self.revision.as_str());
        reply.key("capabilities").raw(&self.capabilities);
        reply.key("serverInfo").raw(&self.server);
        if let Some(instructions) = &self.instructions {
            reply.key("instructions").text(instructions);
        }
        reply.end()
    }

    /// The answer to `server/discover` (VER-6).
    pub(crate) fn discovery(&self, id: &str, offered: &[Revision], ttl_ms: u64) -> Bytes {
        let mut reply = Reply::new(id, self, self.capabilities.len() + 256);
        reply.key("supportedVersions").value(offered);
        reply.key("capabilities").raw(&self.capabilities);
        if let Some(instructions) = &self.instructions {
            reply.key("instructions").text(instructions);
        }
        reply.cache(Cache { ttl_ms, public: true });
        reply.end()
    }
}

/// Everything that can be read, the context first (B126), with its number in the contract.
fn resources(contract: &Contract) -> Vec<(Option<usize>, ResourceDescriptor)> {
    let mut all = Vec::new();
    if let Some(context) = &contract.context {
        // B127: a resource that is declared at the context's place has it, here and when it is read.
        if contract.resources.iter().all(|resource| resource.uri != ContextDescriptor::URI) {
            let mut entry = ResourceDescriptor::new("context", &context.description);
            entry.schema.clone_from(&context.schema);
            entry.mime_type.clone_from(&context.mime_type);
            all.push((None, entry));
        }
    }
    let numbered = contract.resources.iter().cloned().enumerate();
    all.extend(numbered.map(|(number, resource)| (Some(number), resource)));
    all
}

fn server(revision: Revision, contract: &Contract, options: &HandlerOptions) -> String {
    let mut server = json!({
        "name": contract.name,
        "version": contract.version.as_deref().unwrap_or("0.0.0"),
    });
    let mut add = |key: &str, value: &Option<String>| {
        if let Some(value) = value {
            server[key] = value.as_str().into();
        }
    };
    if revision.has_titles() {
        add("title", &contract.title);
    }
    if revision.describes_servers() {
        add("description", &options.description);
        add(
            "websiteUrl",
            options.website_url.as_ref().map_or(&contract.website, |_| &options.website_url),
        );
    }
    if revision.has_icons() && !contract.icons.is_empty() {
        server["icons"] = json!(contract.icons);
    }
    let mut writer = Writer::new(128);
    writer.value(&server);
    writer.into_text()
}

fn capabilities(revision: Revision, offers: Offers) -> String {
    let mut writer = Writer::new(64);
    writer.open('{');
    if offers.tools {
        let member = writer.key("tools").open('{');
        if offers.changes(Listed::Tools, revision) {
            member.key("listChanged").raw("true");
        }
        member.close('}');
    }
    if offers.resources {
        // RES-1.
        let member = writer.key("resources").open('{');
        if offers.updates(revision) {
            member.key("subscribe").raw("true");
        }
        if offers.changes(Listed::Resources, revision) {
            member.key("listChanged").raw("true");
        }
        member.close('}');
    }
    if offers.prompts {
        let member = writer.key("prompts").open('{');
        if offers.changes(Listed::Prompts, revision) {
            member.key("listChanged").raw("true");
        }
        member.close('}');
    }
    if offers.completions && revision.has_completions() {
        writer.key("completions").raw("{}");
    }
    if offers.logging {
        writer.key("logging").raw("{}");
    }
    let extensions = [
        (offers.tasks, tasks::EXTENSION, "{}"), // TSK-1
        (offers.views, views::EXTENSION, "{}"),
        #[cfg(feature = "skills")]
        (offers.skills, super::skills::EXTENSION, super::skills::SETTINGS),
    ];
    let mut extensions = extensions.into_iter().filter(|(offered, ..)| *offered).peekable();
    // VER-17, TSK-18: extensions are of the modern era.
    if revision.is_modern() && extensions.peek().is_some() {
        writer.key("extensions").open('{');
        extensions.for_each(|(_, name, settings)| {
            writer.key(name).raw(settings);
        });
        writer.close('}');
    }
    writer.close('}');
    writer.into_text()
}

/// A capability as an entry of `tools/list`.
fn entry(revision: Revision, tool: &CapabilityDescriptor, views: bool) -> Bytes {
    let mut entry = Writer::new(512);
    entry.raw("{");
    entry.key("name").text(&tool.name);
    if let (true, Some(title)) = (revision.has_titles(), &tool.title) {
        entry.key("title").text(title);
    }
    entry.key("description").text(&tool.description);
    let input = entry.key("inputSchema");
    if revision.repeats_arguments() {
        input.value(&tool.input);
    } else {
        input.value(&*without_headers(&tool.input));
    }
    if let (true, Some(schema)) = (revision.has_structured_output(), &tool.output) {
        if !(revision.wraps_scalars() && wraps(schema)) {
            entry.key("outputSchema").value(schema);
        } else if let Some(schema) = wrapped(schema) {
            entry.key("outputSchema").value(&schema);
        }
    }
    let title = tool.title.as_deref().filter(|_| !revision.has_titles());
    if revision.has_annotations() && (title.is_some() || !tool.annotations.is_empty()) {
        annotations(entry.key("annotations"), title, tool.annotations);
    }
    match views::of_tool(tool).filter(|_| views) {
        None => extras(&mut entry, revision, &tool.extras),
        Some(view) => {
            let mut with_view = tool.extras.clone();
            with_view.meta.insert(VIEW_META.to_owned(), view);
            extras(&mut entry, revision, &with_view);
        }
    }
    entry.raw("}");
    entry.finish()
}

fn annotations(writer: &mut Writer, title: Option<&str>, hints: Annotations) {
    writer.raw("{");
    if let Some(title) = title {
        writer.key("title").text(title);
    }
    for (key, hint) in [
        ("readOnlyHint", hints.read_only),
        ("destructiveHint", hints.destructive),
        ("idempotentHint", hints.idempotent),
        ("openWorldHint", hints.open_world),
    ] {
        if let Some(hint) = hint {
            writer.key(key).value(&hint);
        }
    }
    writer.raw("}");
}

/// What is said of an entry beside what it is (ICON-1, META-1).
fn extras(entry: &mut Writer, revision: Revision, extras: &Extras) {
    if revision.has_icons() && !extras.icons.is_empty() {
        entry.key("icons").value(&extras.icons);
    }
    if revision.has_entity_meta() && !extras.meta.is_empty() {
        entry.key("_meta").value(&extras.meta);
    }
}

/// A resource as an entry of `resources/list`.
fn resource_entry(revision: Revision, resource: &ResourceDescriptor) -> Bytes {
    let mut entry = Writer::new(256);
    entry.raw("{");
    let address = if resource.is_template() { "uriTemplate" } else { "uri" };
    entry.key(address).text(&resource.uri);
    entry.key("name").text(&resource.name);
    if let (true, Some(title)) = (revision.has_titles(), &resource.title) {
        entry.key("title").text(title);
    }
    entry.key("description").text(&resource.description);
    if let Some(mime_type) = &resource.mime_type {
        entry.key("mimeType").text(mime_type);
    }
    if let (false, Some(size)) = (resource.is_template(), resource.size) {
        entry.key("size").value(&size);
    }
    content::annotations(&mut entry, revision, &resource.notes);
    extras(&mut entry, revision, &resource.extras);
    entry.raw("}");
    entry.finish()
}

/// A prompt as an entry of `prompts/list`.
fn prompt_entry(revision: Revision, prompt: &PromptDescriptor) -> Bytes {
    let mut entry = Writer::new(256);
    entry.raw("{");
    entry.key("name").text(&prompt.name);
    if let (true, Some(title)) = (revision.has_titles(), &prompt.title) {
        entry.key("title").text(title);
    }
    entry.key("description").text(&prompt.description);
    if !prompt.arguments.is_empty() {
        let list = entry.key("arguments").open('[');
        for argument in &prompt.arguments {
            list.comma().open('{');
            list.key("name").text(&argument.name);
            if let Some(description) = &argument.description {
                list.key("description").text(description);
            }
            list.key("required").value(&argument.required);
            list.close('}');
        }
        list.close(']');
    }
    extras(&mut entry, revision, &prompt.extras);
    entry.raw("}");
    entry.finish()
}

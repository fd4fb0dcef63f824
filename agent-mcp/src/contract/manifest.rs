//! The contract as a file that a review can compare.

use std::time::Duration;

use serde::Serialize;
use serde_json::Value;

use super::{
    Annotations, CapabilityDescriptor, CompletionDescriptor, ContextDescriptor, Contract, Extras,
    Icon, MetaMap, PromptArgument, PromptDescriptor, ResourceDescriptor, TaskMode,
};

impl Contract {
    /// The contract as JSON, to be kept as `agent.json` beside the code and compared by a test.
    ///
    /// The same contract gives the same bytes. Everything is in the order of declaration; what is
    /// absent is left out.
    ///
    /// ```
    /// use agent_mcp::contract::{CapabilityDescriptor, Contract};
    ///
    /// let mut contract = Contract::new("todo");
    /// contract.capabilities.push(CapabilityDescriptor::new("clear_done", "Clear what is done."));
    /// assert_eq!(contract.manifest(), r#"{
    ///   "name": "todo",
    ///   "capabilities": [
    ///     {
    ///       "name": "clear_done",
    ///       "method": "clear_done",
    ///       "description": "Clear what is done.",
    ///       "conditional": false,
    ///       "authorized": false,
    ///       "dispatches": false,
    ///       "input": {
    ///         "additionalProperties": false,
    ///         "properties": {},
    ///         "type": "object"
    ///       }
    ///     }
    ///   ],
    ///   "resources": []
    /// }
    /// "#);
    /// ```
    // B103, B104.
    #[must_use]
    pub fn manifest(&self) -> String {
        // Strings, numbers and maps with string keys: nothing here can fail to be JSON.
        let mut manifest = serde_json::to_string_pretty(&Manifest::from(self)).unwrap_or_default();
        manifest.push('\n');
        manifest
    }
}

/// The order of the fields is the order in the file.
#[derive(Serialize)]
struct Manifest<'a> {
    name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    version: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    website: Option<&'a str>,
    #[serde(skip_serializing_if = "<[Icon]>::is_empty")]
    icons: &'a [Icon],
    #[serde(skip_serializing_if = "Option::is_none")]
    instructions: Option<&'a str>,
    capabilities: Vec<Capability<'a>>,
    resources: Vec<Resource<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    prompts: Vec<Prompt<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    context: Option<Context<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Capability<'a> {
    name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<&'a str>,
    method: &'a str,
    description: &'a str,
    conditional: bool,
    authorized: bool,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    scopes: &'a [String],
    dispatches: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    annotations: Option<Said>,
    #[serde(skip_serializing_if = "Option::is_none")]
    completion: Option<Completion>,
    #[serde(skip_serializing_if = "Option::is_none")]
    timeout_ms: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    concurrency: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    task: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ui: Option<&'a str>,
    #[serde(skip_serializing_if = "is_false")]
    app_only: bool,
    #[serde(skip_serializing_if = "is_false")]
    open: bool,
    #[serde(skip_serializing_if = "is_false")]
    coerce: bool,
    input: &'a Value,
    #[serde(skip_serializing_if = "Option::is_none")]
    output: Option<&'a Value>,
    #[serde(flatten)]
    extras: Beside<'a>,
}

#[derive(Serialize)]
struct Prompt<'a> {
    name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<&'a str>,
    description: &'a str,
    conditional: bool,
    authorized: bool,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    scopes: &'a [String],
    #[serde(skip_serializing_if = "Vec::is_empty")]
    arguments: Vec<Argument<'a>>,
    #[serde(flatten)]
    extras: Beside<'a>,
}

#[derive(Serialize)]
struct Argument<'a> {
    name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<&'a str>,
    required: bool,
    #[serde(skip_serializing_if = "is_false")]
    suggests: bool,
}

impl<'a> From<&'a PromptDescriptor> for Prompt<'a> {
    fn from(prompt: &'a PromptDescriptor) -> Self {
        let argument = |argument: &'a PromptArgument| Argument {
            name: &argument.name,
            description: argument.description.as_deref(),
            required: argument.required,
            suggests: argument.suggests,
        };
        Self {
            name: &prompt.name,
            title: prompt.title.as_deref(),
            description: &prompt.description,
            conditional: prompt.conditional,
            authorized: prompt.authorized,
            scopes: &prompt.scopes,
            arguments: prompt.arguments.iter().map(argument).collect(),
            extras: Beside::from(&prompt.extras),
        }
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Said {
    #[serde(skip_serializing_if = "Option::is_none")]
    read_only: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    destructive: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    idempotent: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    open_world: Option<bool>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Completion {
    kind: &'static str,
    timeout_ms: u64,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Resource<'a> {
    name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<&'a str>,
    description: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    uri: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    uri_template: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    variables: Option<&'a Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    mime_type: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    size: Option<u64>,
    #[serde(skip_serializing_if = "<[&str]>::is_empty")]
    audience: Vec<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    priority: Option<f64>,
    #[serde(skip_serializing_if = "is_false")]
    conditional: bool,
    authorized: bool,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    scopes: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    schema: Option<&'a Value>,
    #[serde(flatten)]
    extras: Beside<'a>,
}

#[derive(Serialize)]
struct Beside<'a> {
    #[serde(skip_serializing_if = "<[Icon]>::is_empty")]
    icons: &'a [Icon],
    #[serde(skip_serializing_if = "MetaMap::is_empty")]
    meta: &'a MetaMap,
}

#[derive(Serialize)]
struct Context<'a> {
    description: &'a str,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    scopes: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    schema: Option<&'a Value>,
}

fn is_false(flag: &bool) -> bool {
    !flag
}

fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

impl<'a> From<&'a Contract> for Manifest<'a> {
    fn from(contract: &'a Contract) -> Self {
        Self {
            name: &contract.name,
            title: contract.title.as_deref(),
            version: contract.version.as_deref(),
            website: contract.website.as_deref(),
            icons: &contract.icons,
            instructions: contract.instructions.as_deref(),
            capabilities: contract.capabilities.iter().map(Capability::from).collect(),
            resources: contract.resources.iter().map(Resource::from).collect(),
            prompts: contract.prompts.iter().map(Prompt::from).collect(),
            context: contract.context.as_ref().map(Context::from),
        }
    }
}

impl<'a> From<&'a CapabilityDescriptor> for Capability<'a> {
    fn from(capability: &'a CapabilityDescriptor) -> Self {
        let said = capability.annotations;
        Self {
            name: &capability.name,
            title: capability.title.as_deref(),
            method: &capability.method,
            description: &capability.description,
            conditional: capability.conditional,
            authorized: capability.authorized,
            scopes: &capability.scopes,
            dispatches: capability.dispatches,
            annotations: (!said.is_empty()).then(|| Said::from(said)),
            completion: capability.completion.map(Completion::from),
            timeout_ms: capability.timeout.map(millis),
            concurrency: capability.concurrency,
            task: capability.task.map(TaskMode::as_str),
            ui: capability.ui.as_deref(),
            app_only: capability.app_only,
            open: capability.open,
            coerce: capability.coerce,
            input: &capability.input,
            output: capability.output.as_ref(),
            extras: Beside::from(&capability.extras),
        }
    }
}

impl<'a> From<&'a Extras> for Beside<'a> {
    fn from(extras: &'a Extras) -> Self {
        Self { icons: &extras.icons, meta: &extras.meta }
    }
}

impl From<Annotations> for Said {
    fn from(said: Annotations) -> Self {
        let Annotations { read_only, destructive, idempotent, open_world } = said;
        Self { read_only, destructive, idempotent, open_world }
    }
}

impl From<CompletionDescriptor> for Completion {
    fn from(completion: CompletionDescriptor) -> Self {
        Self { kind: completion.kind.as_str(), timeout_ms: millis(completion.timeout) }
    }
}

impl<'a> From<&'a ResourceDescriptor> for Resource<'a> {
    fn from(resource: &'a ResourceDescriptor) -> Self {
        Self {
            name: &resource.name,
            title: resource.title.as_deref(),
            description: &resource.description,
            uri: (!resource.is_template()).then_some(&resource.uri),
            uri_template: resource.is_template().then_some(&resource.uri),
            variables: resource.variables.as_ref(),
            mime_type: resource.mime_type.as_deref(),
            size: resource.size,
            audience: resource.notes.audience.iter().map(|it| it.as_str()).collect(),
            priority: resource.notes.priority,
            conditional: resource.conditional,
            authorized: resource.authorized,
            scopes: &resource.scopes,
            schema: resource.schema.as_ref(),
            extras: Beside::from(&resource.extras),
        }
    }
}

impl<'a> From<&'a ContextDescriptor> for Context<'a> {
    fn from(context: &'a ContextDescriptor) -> Self {
        Self {
            description: &context.description,
            scopes: &context.scopes,
            schema: context.schema.as_ref(),
        }
    }
}

//! Views (MCP Apps): which clients show them, and what they are told of them.

use serde_json::{Value, json};

use super::{revision::Revision, writer::Writer};
use crate::{
    contract::{
        CapabilityDescriptor, Contract, ResourceDescriptor, VIEW_META, VIEW_SCHEME, VIEW_TYPE,
    },
    runtime::Client,
};

/// The extension that the protocol knows them as.
pub(crate) const EXTENSION: &str = "io.modelcontextprotocol/ui";

/// Whether some capability has to do with a view: without one, the extension is off (VER-19).
pub(crate) fn has_views(contract: &Contract) -> bool {
    contract.capabilities.iter().any(|tool| tool.ui.is_some() || tool.app_only)
}

/// Whether a client has said that it shows views of our type.
pub(crate) fn are_shown_by(client: &Client) -> bool {
    let settings = client.capabilities.get("extensions").and_then(|it| it.get(EXTENSION));
    let types = settings.and_then(|settings| settings.get("mimeTypes")?.as_array());
    types.is_some_and(|types| types.iter().any(|known| known == VIEW_TYPE))
}

/// What a tool's `_meta` says of its view.
pub(crate) fn of_tool(tool: &CapabilityDescriptor) -> Option<Value> {
    let mut member = json!({});
    if let Some(uri) = &tool.ui {
        member["resourceUri"] = uri.as_str().into();
    }
    if tool.app_only {
        member["visibility"] = json!(["app"]);
    }
    member.as_object().is_some_and(|member| !member.is_empty()).then_some(member)
}

/// What a view needs of the client, where the resource is one: a client looks for it beside the page.
pub(crate) fn needs(resource: &ResourceDescriptor) -> Option<&Value> {
    if resource.uri.starts_with(VIEW_SCHEME) { resource.extras.meta.get(VIEW_META) } else { None }
}

/// Writes it into what was read.
pub(crate) fn write_needs(entry: &mut Writer, revision: Revision, needs: Option<&Value>) {
    if let (true, Some(needs)) = (revision.has_entity_meta(), needs) {
        entry.key("_meta").open('{').key(VIEW_META).value(needs).close('}');
    }
}

//! The methods that are served, and where.

use super::{face::Offers, revision::Revision, tasks::Verb};

/// A method of the protocol, as far as it is served.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Method {
    Ping,
    SetLogLevel,
    Discover,
    Listen,
    ListTools,
    CallTool,
    ListResources,
    ListTemplates,
    ReadResource,
    ListPrompts,
    GetPrompt,
    Complete,
    Task(Verb),
    #[cfg(feature = "skills")]
    Skills(super::skills::Verb),
    Subscribe,
    Unsubscribe,
}

impl Method {
    /// The method of that name, where the revision has it and the server offers it (VER-11, VER-20).
    pub(crate) fn named(name: &str, revision: Revision, offers: Offers) -> Option<Self> {
        let modern = revision.is_modern();
        let (method, exists) = match name {
            "ping" => (Self::Ping, !modern),
            "logging/setLevel" => (Self::SetLogLevel, !modern && offers.logging),
            "server/discover" => (Self::Discover, modern),
            // SUB-9: there is nothing else to listen for.
            "subscriptions/listen" => (Self::Listen, modern && offers.tells(revision)),
            "tools/list" => (Self::ListTools, offers.tools),
            "tools/call" => (Self::CallTool, offers.tools),
            "resources/list" => (Self::ListResources, offers.resources),
            "resources/templates/list" => (Self::ListTemplates, offers.resources),
            "resources/read" => (Self::ReadResource, offers.resources),
            "prompts/list" => (Self::ListPrompts, offers.prompts),
            "prompts/get" => (Self::GetPrompt, offers.prompts),
            "completion/complete" => (Self::Complete, offers.completions),
            // TSK-12: there is neither a list of them nor a way to wait for one.
            "tasks/get" => (Self::Task(Verb::Get), modern && offers.tasks),
            "tasks/update" => (Self::Task(Verb::Update), modern && offers.tasks),
            "tasks/cancel" => (Self::Task(Verb::Cancel), modern && offers.tasks),
            "resources/subscribe" => (Self::Subscribe, !modern && offers.updates(revision)),
            "resources/unsubscribe" => (Self::Unsubscribe, !modern && offers.updates(revision)),
            #[cfg(feature = "skills")]
            _ => return super::skills::named(name, revision, offers).map(Self::Skills),
            #[cfg(not(feature = "skills"))]
            _ => return None,
        };
        exists.then_some(method)
    }
}

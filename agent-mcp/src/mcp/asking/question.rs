//! Questions as a revision has them.

use std::{borrow::Cow, sync::Arc};

use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::{
    mcp::{error::RpcError, form::Requested, revision::Revision, sampling, writer::Writer},
    runtime::{Client, InvocationId, Means, Need, Outcome, Question, Refusal, Sampling},
};

/// By which means a client can be asked: what it declared and the revision has (MR-3, LSR-1).
pub(crate) fn means(revision: Revision, client: &Client) -> Means {
    let declared = |path: &str| client.capabilities.pointer(path).is_some_and(Value::is_object);
    let modes = revision.has_elicitation_modes();
    // EL-4: without a mode it is forms.
    let form = declared("/elicitation/form") || !declared("/elicitation/url") || !modes;
    Means {
        form: form && declared("/elicitation") && revision.has_elicitation(),
        url: modes && declared("/elicitation/url"),
        sampling: declared("/sampling"),
        sampling_tools: modes && declared("/sampling/tools"),
        sampling_context: declared("/sampling/context"),
        roots: declared("/roots"),
    }
}

/// The question as a request. It is written at once and never becomes a value in between: people see the fields of a
/// form in its order.
pub(crate) fn request(question: &Question, revision: Revision) -> Request<'_> {
    match question {
        Question::Form { message, schema } => {
            let requested_schema = Requested::new(schema, revision);
            Request::new(ELICIT, Params::Form { message, requested_schema })
        }
        Question::Url { message, url } => {
            // EL-3
            let elicitation_id = (!revision.is_modern()).then(|| InvocationId::fresh().to_string());
            Request::new(ELICIT, Params::Url { mode: "url", message, url, elicitation_id })
        }
        Question::Sample(request) => Request::new(
            "sampling/createMessage",
            Params::Sample(sampling::params(request, revision)),
        ),
        Question::Roots => Request { method: "roots/list", params: None },
    }
}

const ELICIT: &str = "elicitation/create";

/// A request of the server's own, without its id.
#[derive(Serialize)]
pub(crate) struct Request<'a> {
    pub(crate) method: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) params: Option<Params<'a>>,
}

#[derive(Serialize)]
#[serde(untagged, rename_all_fields = "camelCase")]
pub(crate) enum Params<'a> {
    Form {
        message: &'a str,
        requested_schema: Requested<'a>,
    },
    Url {
        mode: &'static str,
        message: &'a str,
        url: &'a str,
        #[serde(skip_serializing_if = "Option::is_none")]
        elicitation_id: Option<String>,
    },
    Sample(Cow<'a, Sampling>),
}

impl<'a> Request<'a> {
    fn new(method: &'static str, params: Params<'a>) -> Self {
        Self { method, params: Some(params) }
    }

    /// Its JSON text.
    pub(crate) fn text(&self) -> Arc<str> {
        let mut writer = Writer::new(256);
        writer.value(self);
        writer.into_text().into()
    }
}

/// The error of the protocol that a run ended with for its caller's sake, where the revision has one.
pub(crate) fn error(revision: Revision, outcome: &Outcome) -> Option<RpcError> {
    let Outcome::Refused(refusal) = outcome else { return None };
    if !revision.is_modern() {
        return None;
    }
    match refusal {
        Refusal::CannotAsk { needs, .. } => {
            let error = RpcError::new(RpcError::MISSING_CAPABILITY, refusal.to_string());
            Some(error.with(&json!({ "requiredCapabilities": required(needs) })))
        }
        // MR-7
        Refusal::BadAnswer { .. } => Some(RpcError::invalid_params(refusal.to_string())),
        _ => None,
    }
}

/// What the client would have to declare.
fn required(needs: &[Need]) -> Value {
    let mut all = Map::new();
    for need in needs {
        let (capability, part) = match need {
            Need::Form => ("elicitation", None),
            Need::Url => ("elicitation", Some("url")),
            Need::Sampling => ("sampling", None),
            Need::SamplingTools => ("sampling", Some("tools")),
            Need::Roots => ("roots", None),
        };
        let entry = all.entry(capability).or_insert_with(|| json!({}));
        if let Some(part) = part {
            entry[part] = json!({});
        }
    }
    all.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn client(capabilities: Value) -> Client {
        Client { capabilities, ..Client::default() }
    }

    #[test]
    fn el_4_and_lsr_1_only_what_is_declared_and_the_revision_has() {
        let all = client(json!({
            "elicitation": {"form": {}, "url": {}}, "sampling": {"tools": {}, "context": {}}, "roots": {},
        }));
        for revision in Revision::ALL {
            let means = means(revision, &all);
            assert_eq!(means.form, revision >= Revision::V2025_06_18, "{revision}");
            assert_eq!(means.url, revision >= Revision::V2025_11_25, "{revision}");
            assert_eq!(means.sampling_tools, means.url, "{revision}");
            assert!(means.sampling && means.sampling_context && means.roots, "{revision}");
            assert_eq!(super::means(revision, &client(json!({}))), Means::default());
        }
        let newest = Revision::V2026_07_28;
        let forms = means(newest, &client(json!({"elicitation": {}})));
        assert!(forms.form && !forms.url);
        let pages = means(newest, &client(json!({"elicitation": {"url": {}}})));
        assert!(!pages.form && pages.url);
    }

    #[test]
    fn needs_are_joined_to_capabilities() {
        assert_eq!(
            required(&[Need::Form, Need::Url, Need::Sampling, Need::Roots]),
            json!({"elicitation": {"url": {}}, "sampling": {}, "roots": {}})
        );
    }
}

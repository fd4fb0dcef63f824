//! `prompts/get`.

use std::{borrow::Cow, collections::BTreeMap};

use bytes::Bytes;
use serde_json::{json, value::RawValue};

use super::{
    asking::{About, Runs},
    content, envelope,
    error::RpcError,
    exchange::{Exchange, Received},
    face::Face,
    reply::{OUTCOME, Reply},
    request::Request,
    state::Flight,
};
use crate::{
    contract::{MetaMap, PromptDescriptor},
    runtime::{Body, Content, Outcome, Output, Principal, PromptMessage, Refusal},
};

/// Gets a prompt, filled in.
pub(crate) fn get<P: Principal>(
    request: &Request<'_, P>,
    flight: Flight,
) -> Result<Received, RpcError> {
    let name = request
        .params
        .name
        .and_then(envelope::text)
        .ok_or_else(|| RpcError::invalid_params("`name` must be a string"))?;
    let arguments = match envelope::given(request.params.arguments) {
        // PRM-5
        None => Bytes::from_static(b"{}"),
        Some(raw) => {
            are_texts(raw)?;
            request.bytes.slice_ref(raw.get().as_bytes())
        }
    };
    let (handler, revision) = (request.handler.clone(), request.terms.revision);
    let about = About { method: "prompts/get", name: name.into_owned(), arguments, once: false };
    let runs = Runs::of(request, &flight, about)?;
    let own_channel = request.own_channel;
    Ok(Received::Call(Exchange::new(flight.answer(), request.bytes.len(), async move {
        let came = runs.run(|invocation| runs.prompt(invocation)).await;
        runs.notices.close();
        let id = flight.id.clone();
        (flight.land() || own_channel).then(|| {
            let (meta, prompt) = (runs.notices.take_meta(), handler.contract().prompt(runs.name()));
            runs.answer(came, |outcome| {
                messages(handler.face(revision), &id, prompt, outcome, &meta)
                    .unwrap_or_else(|| refusal(outcome).reply(Some(&id)))
            })
        })
    })))
}

/// PRM-5: the values of arguments are texts.
fn are_texts(arguments: &RawValue) -> Result<(), RpcError> {
    let arguments: BTreeMap<String, &RawValue> = serde_json::from_str(arguments.get())
        .map_err(|_| RpcError::invalid_params("`arguments` must be an object of strings"))?;
    match arguments.iter().find(|(_, value)| !value.get().starts_with('"')) {
        None => Ok(()),
        Some((name, _)) => {
            Err(RpcError::invalid_params(format!("The argument `{name}` must be a string")))
        }
    }
}

fn messages(
    face: &Face,
    id: &str,
    prompt: Option<&PromptDescriptor>,
    outcome: &Outcome,
    meta: &MetaMap,
) -> Option<Bytes> {
    let (Outcome::Value(output) | Outcome::Completed(Some(output))) = outcome else { return None };
    let mut reply = Reply::new(id, face, output.len() + 256);
    if let Some(prompt) = prompt {
        reply.key("description").text(&prompt.description);
    }
    let list = reply.key("messages").open('[');
    let mut message = |message: &PromptMessage| {
        list.comma().open('{');
        list.key("role").word(message.role.as_str());
        content::block(list.key("content"), face.revision, &typed(&message.content));
        list.close('}');
    };
    match output {
        Output::Text(text) | Output::Json(text) => {
            message(&PromptMessage::user(Content::text(text.as_str())));
        }
        Output::Content(blocks) => {
            blocks.iter().for_each(|block| message(&PromptMessage::user(block.clone())));
        }
        Output::Messages(messages) => messages.iter().for_each(message),
    }
    list.close(']');
    reply.added(meta);
    reply.outcome(outcome.code());
    Some(reply.end())
}

/// PRM-4: in a prompt a resource says of which type it is.
fn typed(content: &Content) -> Cow<'_, Content> {
    match content {
        Content::Embedded(embedded) if embedded.kind().is_none() => {
            let mime_type = match embedded.body() {
                Body::Text(_) => "text/plain",
                Body::Bytes(_) => "application/octet-stream",
            };
            Cow::Owned(embedded.clone().mime_type(mime_type).into())
        }
        content => Cow::Borrowed(content),
    }
}

/// A prompt that gave nothing is an error of the protocol: its result has no way to say so (PRM-2).
pub(super) fn refusal(outcome: &Outcome) -> RpcError {
    let text = outcome.summary("prompts/get").text.into_owned();
    let code = match outcome {
        Outcome::Refused(
            Refusal::UnknownPrompt { .. }
            | Refusal::InvalidInput { .. }
            | Refusal::Unavailable { .. }
            | Refusal::Unauthorized { .. }
            | Refusal::InsufficientScope { .. },
        ) => RpcError::INVALID_PARAMS,
        Outcome::Protocol { code, .. } => *code,
        _ => RpcError::INTERNAL,
    };
    let mut data = json!({ OUTCOME: outcome.code() });
    if let Outcome::Refused(Refusal::InvalidInput { faults, .. }) = outcome {
        data["faults"] = json!(faults);
    }
    RpcError::new(code, text).with(&data)
}

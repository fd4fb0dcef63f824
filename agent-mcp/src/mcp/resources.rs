//! `resources/read`.

use bytes::Bytes;
use serde_json::json;

use super::{
    asking::{About, Runs},
    content, envelope,
    error::RpcError,
    exchange::{Exchange, Received},
    handler::Handler,
    reply::{Cache, OUTCOME, Reply},
    request::Request,
    revision::Revision,
    state::Flight,
    views,
};
use crate::{
    contract::{Contract, MetaMap},
    runtime::{Body, Outcome, Output, Principal, Refusal},
};

/// Reads a resource or the context, live (B87).
pub(crate) fn read<P: Principal>(
    request: &Request<'_, P>,
    flight: Flight,
) -> Result<Received, RpcError> {
    let uri = request
        .params
        .uri
        .and_then(envelope::text)
        .ok_or_else(|| RpcError::invalid_params("`uri` must be a string"))?;
    let (handler, revision) = (request.handler.clone(), request.terms.revision);
    let located = handler.runtime().locate(&uri);
    let number = located.as_ref().map(|located| located.number);
    let name = uri.into_owned();
    let about = About { method: "resources/read", name, arguments: Bytes::new(), once: false };
    let runs = Runs::of(request, &flight, about)?;
    let own_channel = request.own_channel;
    Ok(Received::Call(Exchange::new(flight.answer(), request.bytes.len(), async move {
        let came = runs.run(|invocation| runs.read(located.clone(), invocation)).await;
        runs.notices.close();
        let id = flight.id.clone();
        (flight.land() || own_channel).then(|| {
            let (meta, place) = (runs.notices.take_meta(), (runs.name(), number.flatten()));
            // CAC-5: what came of answers is of this moment and for this caller.
            let meta = (&meta, runs.has_answers());
            runs.answer(came, |outcome| {
                match contents(&handler, revision, &id, place, outcome, meta) {
                    Some(reply) => reply,
                    None => refusal(revision, runs.name(), outcome).reply(Some(&id)),
                }
            })
        })
    })))
}

fn contents<P: Principal>(
    handler: &Handler<P>,
    revision: Revision,
    id: &str,
    (uri, number): (&str, Option<usize>),
    outcome: &Outcome,
    (meta, answered): (&MetaMap, bool),
) -> Option<Bytes> {
    let (Outcome::Value(output) | Outcome::Completed(Some(output))) = outcome else { return None };
    let mut reply = Reply::new(id, handler.face(revision), output.len() + 128);
    let list = reply.key("contents").open('[');
    let mime_type = mime_type(handler.runtime().contract(), number);
    let declared = number.and_then(|number| handler.contract().resources.get(number));
    let needs = declared.and_then(views::needs);
    let mut text = |default, text| {
        let entry = content::resource(list, uri, mime_type.or(default), Body::Text(text));
        views::write_needs(entry, revision, needs);
        entry.close('}');
    };
    match output {
        Output::Json(json) => text(Some("application/json"), json),
        Output::Text(words) => text(content::PLAIN_TEXT, words),
        Output::Messages(messages) => {
            let blocks: Vec<_> = messages.iter().map(|message| message.content.clone()).collect();
            content::contents(list, revision, (uri, mime_type, needs), &blocks);
        }
        Output::Content(blocks) => {
            content::contents(list, revision, (uri, mime_type, needs), blocks);
        }
    }
    list.close(']');
    let hint = declared.and_then(|resource| resource.cache);
    reply.cache(hint.filter(|_| !answered).map_or(Cache::NONE, Cache::from));
    reply.added(meta);
    reply.outcome(outcome.code());
    Some(reply.end())
}

/// What the declaration of a resource, or of the context, says of the type.
fn mime_type(contract: &Contract, number: Option<usize>) -> Option<&str> {
    match number {
        Some(number) => contract.resources.get(number)?.mime_type.as_deref(),
        None => contract.context.as_ref()?.mime_type.as_deref(),
    }
}

/// A read that gave nothing is an error of the protocol: a read's result has no way to say so.
pub(super) fn refusal(revision: Revision, uri: &str, outcome: &Outcome) -> RpcError {
    // B120: a defect names only the method.
    let text = outcome.summary("resources/read").text.into_owned();
    let code = match outcome {
        Outcome::Refused(Refusal::UnknownResource { .. }) => revision.unknown_resource_code(),
        Outcome::Refused(Refusal::Unauthorized { .. } | Refusal::InsufficientScope { .. }) => {
            RpcError::INVALID_PARAMS
        }
        Outcome::Protocol { code, .. } => *code,
        _ => RpcError::INTERNAL,
    };
    RpcError::new(code, text).with(&json!({ "uri": uri, OUTCOME: outcome.code() }))
}

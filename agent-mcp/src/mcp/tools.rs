//! `tools/call`: from the arguments' bytes to the outcome on the wire.

use bytes::Bytes;

use super::{
    asking::{About, Runs},
    content, envelope,
    error::RpcError,
    exchange::{Exchange, Received},
    handler::Handler,
    reply::Reply,
    request::Request,
    revision::Revision,
    state::Flight,
    tasks::{self, First},
    wrapped::wraps,
};
use crate::{
    contract::{CapabilityDescriptor, MetaMap, TaskMode},
    runtime::{Outcome, Output, Principal, Refusal},
    schema::nearest,
};

/// Calls a tool.
pub(crate) fn call<P: Principal>(
    request: &Request<'_, P>,
    flight: Flight,
) -> Result<Received, RpcError> {
    let name = request
        .params
        .name
        .and_then(envelope::text)
        .ok_or_else(|| RpcError::invalid_params("`name` must be a string"))?;
    let arguments = match envelope::given(request.params.arguments) {
        // B119: absent is the empty object, which must fit the schema like any other.
        None => Bytes::from_static(b"{}"),
        Some(raw) if raw.get().starts_with('{') => request.bytes.slice_ref(raw.get().as_bytes()),
        Some(_) => return Err(RpcError::invalid_params("`arguments` must be an object")),
    };
    let (handler, revision) = (request.handler.clone(), request.terms.revision);
    let place = handler.place(&name);
    let tool = place.and_then(|place| handler.runtime().contract().capabilities.get(place));
    let becomes_task = becomes_task(request, tool)?;
    let name = name.into_owned();
    let about = About { method: "tools/call", name, arguments, once: tool.is_some_and(acts) };
    let runs = Runs::of(request, &flight, about)?;
    let own_channel = request.own_channel;
    Ok(Received::Call(Exchange::new(flight.answer(), request.bytes.len(), async move {
        let show = {
            let (handler, notices) = (handler.clone(), runs.notices.clone());
            let principal = runs.principal.clone();
            move |id: &str, outcome: &Outcome| match outcome {
                Outcome::Refused(Refusal::UnknownCapability { capability }) => {
                    unknown(&handler, &principal, capability).reply(Some(id))
                }
                outcome => answer(&handler, revision, id, place, outcome, &notices.take_meta()),
            }
        };
        let first = if becomes_task {
            let show = show.clone();
            Box::pin(tasks::run(&runs, &flight, move |outcome| show("0", outcome))).await
        } else {
            runs.run(|invocation| runs.call(invocation)).await.map(First::Ended)
        };
        runs.notices.close();
        let id = flight.id.clone();
        // CAN-1: a call that was cancelled is not answered, except where its caller waits for it alone.
        let landed = flight.land();
        if !landed && !own_channel {
            return None;
        }
        Some(match first {
            Ok(First::Begun(task, record)) => {
                tasks::created(&id, handler.face(revision), &task, &record).into()
            }
            Ok(First::Ended(outcome)) => {
                let outcome = if landed { outcome } else { cancelled(&handler, place, outcome) };
                runs.answer(Ok(outcome), |outcome| show(&id, outcome))
            }
            Err(error) => runs.answer(Err(error), |outcome| show(&id, outcome)),
        })
    })))
}

/// TOOL-9. The tool that was meant is named, where one is near enough and exists for the caller now.
fn unknown<P: Principal>(handler: &Handler<P>, principal: &P, name: &str) -> RpcError {
    let runtime = handler.runtime();
    let tools = &runtime.contract().capabilities;
    // B34: for a name that is near to none no Model is read.
    let near = nearest(name, tools.iter().map(|tool| &*tool.name)).and_then(|_| {
        let available = runtime.available(principal);
        let tools = tools.iter().zip(available).filter(|(_, available)| *available);
        nearest(name, tools.map(|(tool, _)| &*tool.name))
    });
    let mut text = Refusal::UnknownCapability { capability: name.to_owned() }.to_string();
    if let Some(near) = near {
        text.push_str(&format!(", did you mean `{near}`?"));
    }
    RpcError::invalid_params(text)
}

/// Whether doing it twice is not as doing it once.
fn acts(tool: &CapabilityDescriptor) -> bool {
    let hints = tool.annotations;
    hints.read_only != Some(true) && hints.idempotent != Some(true)
}

/// Whether the call becomes a task.
fn becomes_task<P: Principal>(
    request: &Request<'_, P>,
    tool: Option<&CapabilityDescriptor>,
) -> Result<bool, RpcError> {
    let Some(mode) = tool.and_then(|tool| tool.task) else { return Ok(false) };
    if request.terms.revision.is_modern() && tasks::are_kept_by(&request.terms.client) {
        return Ok(true);
    }
    match mode {
        TaskMode::Optional => Ok(false),
        TaskMode::Required => Err(tasks::needed()),
    }
}

/// A call that was cancelled is no success, not even one that ended in the same moment.
fn cancelled<P: Principal>(
    handler: &Handler<P>,
    place: Option<usize>,
    outcome: Outcome,
) -> Outcome {
    let capabilities = &handler.runtime().contract().capabilities;
    match place.and_then(|place| capabilities.get(place)) {
        Some(tool) if outcome.is_ok() => Outcome::Refused(Refusal::Cancelled {
            capability: tool.name.clone().into(),
            delivery: outcome.code().dispatched,
        }),
        _ => outcome,
    }
}

/// The outcome in the form of the revision.
fn answer<P: Principal>(
    handler: &Handler<P>,
    revision: Revision,
    id: &str,
    place: Option<usize>,
    outcome: &Outcome,
    meta: &MetaMap,
) -> Bytes {
    let tool = place.and_then(|place| handler.runtime().contract().capabilities.get(place));
    match (outcome, tool) {
        (Outcome::Refused(refusal @ Refusal::InvalidInput { faults, .. }), _)
            if !handler.answers_faults_with_results(revision) =>
        {
            RpcError::invalid_params(refusal.to_string())
                .with(&serde_json::json!({ "faults": faults }))
                .reply(Some(id))
        }
        (Outcome::Protocol { code, message, .. }, _) => {
            RpcError::new(*code, message.clone()).reply(Some(id))
        }
        (_, Some(tool)) => result(handler, revision, id, tool, outcome, meta),
        (_, None) => RpcError::new(RpcError::INTERNAL, "`tools/call` failed").reply(Some(id)),
    }
}

fn result<P: Principal>(
    handler: &Handler<P>,
    revision: Revision,
    id: &str,
    tool: &CapabilityDescriptor,
    outcome: &Outcome,
    meta: &MetaMap,
) -> Bytes {
    let face = handler.face(revision);
    let mut reply;
    if let Outcome::Value(output) | Outcome::Completed(Some(output)) = outcome
        && let Output::Content(blocks) = output
    {
        reply = Reply::new(id, face, output.len() + 256);
        content::blocks(reply.key("content"), revision, blocks);
    } else {
        let summary = outcome.summary(&tool.name);
        let structured = summary.structured.filter(|_| revision.has_structured_output());
        reply = Reply::new(id, face, 2 * summary.text.len() + 256);
        content::text(reply.key("content").open('['), &summary.text).close(']');
        if let Some(json) = structured {
            let member = reply.key("structuredContent");
            if revision.wraps_scalars() && is_wrapped(tool, &json) {
                member.open('{').key("result").json(&json).close('}');
            } else {
                member.json(&json);
            }
        }
        if !summary.ok {
            reply.key("isError").raw("true");
        }
    }
    reply.added(meta);
    reply.outcome(outcome.code());
    reply.end()
}

/// Whether the value is put under `result`. The schema decides, where there is one (TOOL-8).
fn is_wrapped(tool: &CapabilityDescriptor, json: &str) -> bool {
    tool.output.as_ref().map_or_else(|| !json.starts_with('{'), wraps)
}

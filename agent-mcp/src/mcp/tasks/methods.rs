//! `tasks/get`, `tasks/update`, `tasks/cancel`.

use std::collections::BTreeMap;

use serde_json::Value;

use super::{TaskRecord, Tasks};
use crate::{
    host::BoxError,
    mcp::{
        asking, envelope,
        error::RpcError,
        exchange::{Exchange, Received},
        reply::Reply,
        request::Request,
        state::Flight,
    },
    runtime::{InvocationId, Principal},
};

/// What is done with a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verb {
    Get,
    Update,
    Cancel,
}

/// Does it. Nobody but the owner can tell whether there is such a task.
pub(crate) fn touch<P: Principal>(
    request: &Request<'_, P>,
    verb: Verb,
    flight: Flight,
) -> Result<Received, RpcError> {
    // TSK-11: before anything is said of the task.
    if !super::are_kept_by(&request.terms.client) {
        return Err(super::needed());
    }
    let id = request.params.task_id.and_then(envelope::text);
    let id = id.ok_or_else(|| RpcError::invalid_params("`taskId` must be a string"))?;
    let answers = match verb {
        Verb::Update => match envelope::given(request.params.input_responses) {
            Some(raw) => asking::responses(raw)?,
            None => return Err(RpcError::invalid_params("`inputResponses` is missing")),
        },
        Verb::Get | Verb::Cancel => BTreeMap::new(),
    };
    let (id, owner) = (id.into_owned(), request.principal.id());
    let (handler, revision) = (request.handler.clone(), request.terms.revision);
    let size = request.bytes.len();
    Ok(Received::Call(Exchange::new(flight.answer(), size, async move {
        let tasks = handler.tasks();
        let task = match tasks.load(&id, &owner).await {
            Ok(Some(_)) if verb == Verb::Update => tasks.answer(&id, &answers).await,
            Ok(Some(_)) if verb == Verb::Cancel => {
                tasks.change(&id, |task| task.cancel = true).await
            }
            other => other,
        };
        let request = flight.id.clone();
        if !flight.land() {
            return None;
        }
        let reply = match task {
            Ok(Some(task)) => {
                let mut reply = Reply::new(&request, handler.face(revision), 512);
                if verb == Verb::Get {
                    reply.members(|writer| {
                        task.write(&id, Tasks::POLL_MS, writer);
                        task.write_details(writer);
                    });
                }
                reply.end()
            }
            Ok(None) => RpcError::invalid_params("There is no such task, or not any more")
                .with(&serde_json::json!({ "taskId": id }))
                .reply(Some(&request)),
            Err(error) => broken(&error).reply(Some(&request)),
        };
        Some(reply.into())
    })))
}

impl Tasks {
    /// Takes answers to what is asked; keys that are not asked mean nothing (TSK-8).
    async fn answer(
        &self,
        id: &str,
        answers: &BTreeMap<String, Value>,
    ) -> Result<Option<TaskRecord>, BoxError> {
        let change = |task: &mut TaskRecord| {
            let mut taken = Vec::new();
            task.inputs.retain(|(key, _)| match answers.get(key) {
                Some(answer) => {
                    taken.push((key.clone(), answer.clone()));
                    false
                }
                None => true,
            });
            task.answers.extend(taken);
        };
        self.change(id, change).await
    }
}

/// The store failed. The cause is in the log.
fn broken(error: &BoxError) -> RpcError {
    let reference = InvocationId::fresh();
    tracing::error!(%reference, %error, "the store of the tasks failed");
    let text = format!("The task cannot be reached now. Reference: {reference}");
    RpcError::new(RpcError::INTERNAL, text)
}

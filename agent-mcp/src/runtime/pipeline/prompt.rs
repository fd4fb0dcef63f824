//! The order of a prompt, and of the suggestions for its arguments.

use std::{future::poll_fn, pin::pin, task::Poll};

use super::*;
use crate::runtime::{
    Dialogue,
    bound::{Asked, Suggesting},
    context::Context,
    hooks::Available,
    prompt::{PromptEntry, Suggestions},
};

impl<A: Agent> Bound<A> {
    pub(in crate::runtime) async fn run_prompt(
        &self,
        index: usize,
        task: Task<A::Principal>,
    ) -> Outcome {
        let entry = &self.declared.prompts[index];
        let name = &entry.descriptor.name;
        let recording = task.shared.recorder.open(Opened {
            action: Action::Prompt,
            target: name,
            method: None,
            template: None,
            invocation: &task.invocation,
            principal: &*task.principal,
            arguments: Some((&task.arguments, &[])),
        });
        let recording = match recording {
            Ok(recording) => recording,
            Err(error) => return not_opened(error, name, &task.invocation),
        };
        let mut run = Run { name, task: &task, recording, heartbeat: None };
        if let Some(dialogue) = task.invocation.begun_dialogue() {
            dialogue.begin_run();
        }
        let guard = task.invocation.cancellation.clone().drop_guard();
        let ended = whole(self.prompt_in_order(entry, &mut run)).await;
        let outcome = run.outcome(ended);
        guard.disarm();
        run.close(&outcome);
        outcome
    }

    async fn prompt_in_order(&self, entry: &PromptEntry<A>, run: &mut Run<'_, A>) -> Ends<Outcome> {
        let task = run.task;
        run.not_cancelled()?;
        let caller = self.caller(&entry.available, run)?;
        let prepared = contained(|| entry.steps.decode(caller, &task.arguments))
            .map_err(|panic| run.defect(&panic))?
            .map_err(|faults| {
                Outcome::Refused(Refusal::InvalidInput {
                    capability: run.name.to_owned().into(),
                    faults,
                })
            })?;
        run.has_scopes(&entry.descriptor.scopes)?;
        match contained(|| prepared.authorize()) {
            Ok(None) => {}
            Ok(Some(verdict)) => run.authorized(verdict).await?,
            Err(panic) => return Err(run.defect(&panic)),
        }
        run.not_cancelled()?;
        let running = contained(|| prepared.run(self.agent.clone()));
        match run.method(running, task.shared.limits.timeout, Delivery::Unknown).await? {
            Returned::Value(output) => run.value(output).map(Outcome::Value),
            Returned::Failed(failure) => Ok(run.failed(failure, Delivery::Yes)),
            Returned::Broken(why) => Err(run.defect(&why)),
            Returned::Message(_) => Err(run.defect("a prompt returned a Message")),
        }
    }

    /// What the run sees, where the entry exists at the moment.
    fn caller(&self, hook: &Available<A>, run: &Run<'_, A>) -> Ends<Caller<A>> {
        let task = run.task;
        let model = contained(|| self.host.model()).map_err(|panic| run.defect(&panic))?;
        match Self::stands(hook, &model, &task.principal) {
            Ok(Ok(())) => {}
            Ok(Err(Unavailable(reason))) => return Err(run.unavailable(reason)),
            Err(panic) => {
                run.defect(&panic);
                return Err(run.unavailable(None));
            }
        }
        let (principal, invocation) = (task.principal.clone(), task.invocation.clone());
        Ok(Caller { principal, model, invocation })
    }

    /// What is suggested for an argument. CMP-4: only to those for whom it exists and who have its scopes.
    pub(in crate::runtime) async fn run_suggest(
        &self,
        asked: Asked,
        task: Task<A::Principal>,
    ) -> Result<Vec<String>, Outcome> {
        let Asked { of, argument, typed, others } = asked;
        let (name, available, scopes, sources) = match of {
            Suggesting::Prompt(index) => {
                let PromptEntry { descriptor, available, suggest, .. } =
                    &self.declared.prompts[index];
                (&descriptor.name, available, &descriptor.scopes, suggest)
            }
            Suggesting::Template(index) => {
                let ResourceEntry { descriptor, available, suggest, .. } =
                    &self.declared.resources[index];
                (&descriptor.name, available, &descriptor.scopes, suggest)
            }
        };
        let run = Run { name, task: &task, recording: Recording::none(), heartbeat: None };
        let found = whole(async {
            run.not_cancelled()?;
            let caller = self.caller(available, &run)?;
            run.has_scopes(scopes)?;
            let Some(source) = sources.get(&argument) else { return Ok(Vec::new()) };
            let cx = Context::new(caller);
            match source(&cx, &typed, &others) {
                Suggestions::Now(values) => Ok(values),
                Suggestions::Later(looking) => {
                    let limit = task.shared.limits.timeout;
                    let found = run.bounds(limit).wait(unless_it_asks(looking, &task)).await;
                    let limit = limit.unwrap_or_default();
                    found
                        .map_err(|stopped| run.stopped(stopped, Delivery::No, limit))?
                        .ok_or_else(|| run.defect("what suggests values asks its caller"))
                }
            }
        })
        .await;
        found.unwrap_or_else(|panic| Err(run.defect(&panic)))
    }
}

/// What `looking` finds; nothing where it asks the caller and so would wait for ever (MR-1: for suggestions nobody
/// is asked).
async fn unless_it_asks<T, P>(looking: impl Future<Output = T>, task: &Task<P>) -> Option<T> {
    let mut looking = pin!(looking);
    let asks = || task.invocation.begun_dialogue().is_some_and(Dialogue::ends_run);
    poll_fn(|cx| match looking.as_mut().poll(cx) {
        Poll::Pending if asks() => Poll::Ready(None),
        polled => polled.map(Some),
    })
    .await
}

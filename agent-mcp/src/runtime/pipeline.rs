//! The fixed order of every invocation (B32), whatever the adapter.

mod prompt;
mod read;

use std::{sync::Arc, time::Duration};

use tokio::{sync::Semaphore, time::Instant};

use super::{
    agent::Agent,
    audit::{Action, NotOpened, Opened, Recording},
    bound::{Bound, DeclaredCapability, Readable, Task},
    completion::Step,
    context::Caller,
    dialogue::{End, too_often},
    drive::{Bounds, Heartbeat, Stopped},
    failure::{Denied, Failure, FailureKind, NOT_FOUND},
    hooks::{Unavailable, Verdict},
    invocation::{Invocation, InvocationId},
    method::{Returned, Running},
    outcome::{Defect, Delivery, Outcome, Refusal},
    output::Output,
    principal::Principal,
    resource::ResourceEntry,
    runtime::mark_span,
    task::NoTask,
    wait::Waiting,
};
use crate::contain::{contained, whole};

/// What ends an invocation before its method has given its value.
type Ends<T> = Result<T, Outcome>;

impl<A: Agent> Bound<A> {
    pub(super) async fn run_call(&self, index: usize, task: Task<A::Principal>) -> Outcome {
        let capability = &self.declared.capabilities[index];
        let descriptor = &capability.entry.descriptor;
        let recording = task.shared.recorder.open(Opened {
            action: Action::Call,
            target: &descriptor.name,
            method: Some(&descriptor.method),
            template: None,
            invocation: &task.invocation,
            principal: &*task.principal,
            arguments: Some((&task.arguments, &capability.secrets)),
        });
        let recording = match recording {
            Ok(recording) => recording,
            Err(error) => return not_opened(error, &descriptor.name, &task.invocation),
        };
        let heartbeat = Heartbeat::of(&task.invocation, descriptor.heartbeat);
        let mut run = Run { name: &descriptor.name, task: &task, recording, heartbeat };
        if let Some(dialogue) = task.invocation.begun_dialogue() {
            dialogue.begin_run();
        }
        let guard = task.invocation.cancellation.clone().drop_guard();
        let ended =
            whole(self.call_in_order(capability, self.slots[index].as_ref(), &mut run)).await;
        let outcome = run.outcome(ended);
        guard.disarm();
        run.close(&outcome);
        outcome
    }

    async fn call_in_order(
        &self,
        capability: &DeclaredCapability<A>,
        slots: Option<&Arc<Semaphore>>,
        run: &mut Run<'_, A>,
    ) -> Ends<Outcome> {
        let descriptor = &capability.entry.descriptor;
        let task = run.task;
        run.not_cancelled()?; // B44
        let model = contained(|| self.host.model()).map_err(|panic| run.defect(&panic))?; // B41
        match Self::stands(&capability.entry.available, &model, &task.principal) {
            Ok(Ok(())) => {}
            Ok(Err(Unavailable(reason))) => return Err(run.unavailable(reason)), // B36, B37
            Err(panic) => {
                let Outcome::Defect(defect) = run.defect(&panic) else {
                    return Err(run.unavailable(None));
                };
                run.recording.note(|| format!("`available` panicked, see {}", defect.reference));
                return Err(run.unavailable(None));
            }
        }
        let caller = Caller {
            principal: task.principal.clone(),
            model,
            invocation: task.invocation.clone(),
        };
        let steps = &capability.entry.steps;
        let prepared = contained(|| steps.decode(caller.clone(), &task.arguments)) // B25
            .map_err(|panic| run.defect(&panic))?
            .map_err(|faults| {
                Outcome::Refused(Refusal::InvalidInput {
                    capability: run.name.to_owned().into(),
                    faults,
                })
            })?;
        run.has_scopes(&descriptor.scopes)?;
        match contained(|| prepared.authorize()) {
            Ok(None) => {}
            Ok(Some(verdict)) => run.authorized(verdict).await?,
            Err(panic) => return Err(run.defect(&panic)),
        }
        let _slot = match slots {
            None => None,
            Some(slots) => {
                let slot = run.bounds(None).wait(slots.clone().acquire_owned()).await;
                Some(slot.map_err(|stopped| run.stopped(stopped, Delivery::No, Duration::ZERO))?)
            }
        };
        run.not_cancelled()?; // B54

        if !capability.entry.begins_task {
            let begun = task.invocation.begin_task().await;
            begun.map_err(|error| run.no_task(error))?;
        }
        let limit = descriptor.timeout.or(match descriptor.completion {
            Some(_) => None,
            None => task.shared.limits.timeout,
        });
        // A method that only makes a Message has done nothing before the Message is sent.
        let started = if descriptor.dispatches { Delivery::No } else { Delivery::Unknown };
        let returned =
            run.method(contained(|| prepared.run(self.agent.clone())), limit, started).await?;
        match returned {
            Returned::Message(message) => self.send(capability, &caller, message, run).await,
            Returned::Value(output) => run.value(output).map(Outcome::Value),
            Returned::Failed(failure) => {
                let delivery = if descriptor.dispatches { Delivery::No } else { Delivery::Yes };
                Ok(run.failed(failure, delivery))
            }
            Returned::Broken(why) => Err(run.defect_after(&why, Delivery::Yes)),
        }
    }

    /// Subscribes, sends, waits (B60 to B78).
    async fn send(
        &self,
        capability: &DeclaredCapability<A>,
        caller: &Caller<A>,
        message: A::Message,
        run: &mut Run<'_, A>,
    ) -> Ends<Outcome> {
        let completion = capability.entry.descriptor.completion.as_ref();
        let limit = completion.map(|completion| completion.timeout);
        // B65: the deadline runs from the moment the host is called.
        let bounds = run.bounds(limit);
        let arguments = &run.task.arguments;
        let waiting = contained(|| {
            let fact = capability.entry.steps.fact(caller, arguments, &self.agent)?;
            Some(Waiting::subscribe(&self.host, fact)) // B62
        });
        let waiting = waiting.map_err(|panic| run.defect_after(&panic, Delivery::No))?;

        run.recording.reached(Delivery::Unknown);
        let host = self.host.clone();
        let sent = bounds.drive(Box::pin(async move { host.dispatch(message).await })).await;
        let limit = limit.unwrap_or_default();
        let Some(mut waiting) = waiting else {
            return match sent {
                Ok(Ok(())) => Ok(Outcome::Dispatched),
                Ok(Err(error)) => Err(run.defect_after(&error.to_string(), Delivery::Unknown)),
                Err(stopped) => Err(run.stopped(stopped, Delivery::Unknown, limit)),
            };
        };
        match sent {
            Ok(Ok(())) => {}
            Ok(Err(error)) => return Err(run.defect_after(&error.to_string(), Delivery::Unknown)),
            Err(stopped) => {
                // B57: a fact that has come wins over what stopped the sending.
                return match waiting.settled() {
                    Some(step) => run.completed(step),
                    None => Err(run.stopped(stopped, Delivery::Unknown, limit)),
                };
            }
        }
        run.recording.reached(Delivery::Yes);
        let step = bounds.wait(waiting.settle(&self.host)).await;
        match step {
            Ok(step) => run.completed(step),
            Err(stopped) => {
                run.task.invocation.cancellation.cancel();
                Err(run.stopped(stopped, Delivery::Yes, limit))
            }
        }
    }
}

/// What becomes of an invocation that cannot be recorded.
pub(super) fn not_opened(error: NotOpened, name: &str, invocation: &Invocation) -> Outcome {
    match error {
        NotOpened::NoPlace => {
            Outcome::Refused(Refusal::Busy { capability: name.to_owned().into(), setting: "audit" })
        }
        NotOpened::Panicked(panic) => defect(name, invocation, &panic, Delivery::No),
    }
}

/// Logs the cause under a reference; the caller gets the reference alone (B82).
fn defect(name: &str, invocation: &Invocation, cause: &str, delivery: Delivery) -> Outcome {
    let reference = InvocationId::fresh();
    tracing::error!(%reference, name, invocation = %invocation.id, cause, "defect");
    Outcome::Defect(Defect { reference, delivery })
}

/// One invocation on its way through the order.
struct Run<'a, A: Agent> {
    name: &'a str,
    task: &'a Task<A::Principal>,
    recording: Recording,
    heartbeat: Option<Heartbeat<'a>>,
}

impl<'a, A: Agent> Run<'a, A> {
    fn bounds(&self, limit: Option<Duration>) -> Bounds<'a> {
        Bounds {
            cancellation: &self.task.invocation.cancellation,
            deadline: limit.map(|limit| Instant::now() + limit),
            grace: self.task.shared.limits.grace,
            asking: None,
            heartbeat: self.heartbeat,
        }
    }

    fn close(self, outcome: &Outcome) {
        mark_span(outcome);
        self.recording.close(outcome);
    }

    /// The outcome, also of an invocation that panicked between its steps.
    fn outcome(&self, ended: Result<Ends<Outcome>, String>) -> Outcome {
        match ended {
            Ok(Ok(outcome) | Err(outcome)) => outcome,
            Err(panic) => self.defect_after(&panic, Delivery::Unknown),
        }
    }

    fn not_cancelled(&self) -> Ends<()> {
        if self.task.invocation.cancellation.is_cancelled() {
            return Err(self.stopped(Stopped::Cancelled, Delivery::No, Duration::ZERO));
        }
        Ok(())
    }

    fn unavailable(&self, reason: Option<String>) -> Outcome {
        let capability = self.name.to_owned().into();
        Outcome::Refused(Refusal::Unavailable { capability, reason })
    }

    /// The caller's credentials carry all scopes, by its own account of what implies what (AUTH-11).
    fn has_scopes(&self, scopes: &[String]) -> Ends<()> {
        let principal = &self.task.principal;
        let covered = contained(|| scopes.iter().all(|scope| principal.has_scope(scope)));
        if covered.map_err(|panic| self.defect(&panic))? {
            return Ok(());
        }
        Err(Outcome::Refused(Refusal::InsufficientScope {
            capability: self.name.to_owned().into(),
            scopes: scopes.to_vec(),
        }))
    }

    /// Waits for the verdict and applies it (B39).
    async fn authorized(&self, verdict: Verdict<'_>) -> Ends<()> {
        let decision = match verdict {
            Verdict::Now(decision) => decision,
            Verdict::Later(mut deciding) => {
                let decided =
                    std::future::poll_fn(|cx| match contained(|| deciding.as_mut().poll(cx)) {
                        Ok(poll) => poll.map(Ok),
                        Err(panic) => std::task::Poll::Ready(Err(panic)),
                    });
                let decided = self.bounds(None).wait(decided).await;
                decided
                    .map_err(|stopped| self.stopped(stopped, Delivery::No, Duration::ZERO))?
                    .map_err(|panic| self.defect(&panic))?
            }
        };
        decision.map_err(|Denied(reason)| {
            Outcome::Refused(Refusal::Unauthorized {
                capability: self.name.to_owned().into(),
                reason,
            })
        })
    }

    /// Brings a method that was called to its end. `started` says what is known of the application when
    /// the method is stopped.
    async fn method(
        &mut self,
        running: Result<Running<A::Message>, String>,
        limit: Option<Duration>,
        started: Delivery,
    ) -> Ends<Returned<A::Message>> {
        let work = match running {
            Err(panic) => return Err(self.defect_after(&panic, started)),
            Ok(Running::Ready(returned)) => return Ok(returned),
            Ok(Running::Future(work)) => work,
            Ok(Running::Blocking(method)) => {
                let blocking = &self.task.shared.blocking;
                let cancellation = self.task.invocation.cancellation.clone();
                // B54: all threads may be taken, and the caller gone when one is free.
                let thread = blocking.spawn_blocking(move || {
                    if cancellation.is_cancelled() {
                        return Err("cancelled before a thread was free".to_owned());
                    }
                    contained(method)
                });
                Box::pin(async move {
                    match thread.await {
                        Ok(Ok(returned)) => returned,
                        Ok(Err(panic)) => Returned::Broken(panic),
                        Err(lost) => Returned::Broken(lost.to_string()),
                    }
                })
            }
        };
        self.recording.reached(started);
        let invocation = &*self.task.invocation;
        let bounds = Bounds { asking: Some(invocation), ..self.bounds(limit) };
        let done = bounds.drive(work).await;
        done.map_err(|stopped| self.stopped(stopped, started, limit.unwrap_or_default()))
    }

    fn value(&self, output: Output) -> Ends<Output> {
        let (size, limit) = (output.len(), self.task.shared.limits.result);
        if size > limit {
            let text = format!(
                "The result of `{}` has {size} bytes, more than the limit `result` of {limit}. Ask for less.",
                self.name
            );
            return Err(Outcome::Failed { text, delivery: Delivery::Yes });
        }
        Ok(output)
    }

    fn failed(&self, failure: Failure, delivery: Delivery) -> Outcome {
        match failure.0 {
            FailureKind::Say(text) => Outcome::Failed { text, delivery },
            FailureKind::Internal(error) => self.defect_after(&error.to_string(), delivery),
            FailureKind::NotFound => Outcome::Failed { text: NOT_FOUND.to_owned(), delivery },
            FailureKind::Protocol { code, message } => {
                Outcome::Protocol { code, message, delivery }
            }
        }
    }

    fn completed(&self, step: Step) -> Ends<Outcome> {
        match step {
            Step::Done(None) => Ok(Outcome::Completed(None)),
            Step::Done(Some(output)) => self.value(output).map(|it| Outcome::Completed(Some(it))),
            Step::Failed(text) => Ok(Outcome::Failed { text, delivery: Delivery::Yes }),
            Step::Defect(why) => Err(self.defect_after(&why, Delivery::Yes)),
            Step::Pending => Err(self.defect_after("settled while pending", Delivery::Yes)),
        }
    }

    fn stopped(&self, stopped: Stopped, delivery: Delivery, limit: Duration) -> Outcome {
        let capability = self.name.to_owned().into();
        match stopped {
            Stopped::Cancelled => Outcome::Refused(Refusal::Cancelled { capability, delivery }),
            Stopped::TimedOut => Outcome::Refused(Refusal::TimedOut {
                capability,
                limit,
                delivery,
                invocation: self.task.invocation.id.clone(),
            }),
            Stopped::Asking => self.asking(delivery),
            Stopped::Panicked(panic) => self.defect_after(&panic, delivery),
        }
    }

    fn no_task(&self, error: NoTask) -> Outcome {
        match error {
            NoTask::Full(setting) => {
                Outcome::Refused(Refusal::Busy { capability: self.name.to_owned().into(), setting })
            }
            NoTask::Store(error) => self.defect(&format!("the task cannot begin: {error}")),
        }
    }

    /// What a run comes to that cannot go on without its caller.
    fn asking(&self, delivery: Delivery) -> Outcome {
        let dialogue = self.task.invocation.dialogue();
        let capability = self.name.to_owned().into();
        match dialogue.take_end() {
            Some(End::Asks) | None => Outcome::Asks(Box::new(dialogue.asks())),
            Some(End::Lacks(needs)) => {
                Outcome::Refused(Refusal::CannotAsk { capability, needs, delivery })
            }
            Some(End::BadAnswer { key, why }) => {
                Outcome::Refused(Refusal::BadAnswer { capability, key, why, delivery })
            }
            Some(End::TooOften) => {
                let text = too_often(self.name, self.task.shared.limits.rounds);
                Outcome::Failed { text, delivery }
            }
            Some(End::NoTask(error)) => self.no_task(error),
            Some(End::Defect(cause)) => self.defect_after(&cause, delivery),
        }
    }

    fn defect(&self, cause: &str) -> Outcome {
        self.defect_after(cause, Delivery::No)
    }

    fn defect_after(&self, cause: &str, delivery: Delivery) -> Outcome {
        defect(self.name, &self.task.invocation, cause, delivery)
    }
}

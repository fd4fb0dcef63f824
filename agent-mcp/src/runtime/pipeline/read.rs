//! The order of a read: the part of a call's order that a read has.

use super::*;
use crate::runtime::bound::Reading;

impl<A: Agent> Bound<A> {
    pub(in crate::runtime) async fn run_read(
        &self,
        reading: Reading,
        task: Task<A::Principal>,
    ) -> Outcome {
        let Reading { what, uri } = reading;
        let entry = match what {
            Readable::Resource(index) => self.declared.resources.get(index),
            Readable::Context => self.declared.context.as_ref(),
        };
        let Some(entry) = entry else {
            return Outcome::Refused(Refusal::UnknownResource { uri });
        };
        let descriptor = &entry.descriptor;
        let recording = task.shared.recorder.open(Opened {
            action: Action::Read,
            target: &uri,
            method: None,
            template: descriptor.is_template().then_some(&descriptor.uri),
            invocation: &task.invocation,
            principal: &*task.principal,
            arguments: None,
        });
        let recording = match recording {
            Ok(recording) => recording,
            Err(error) => return not_opened(error, &descriptor.name, &task.invocation),
        };
        let mut run = Run { name: &descriptor.name, task: &task, recording, heartbeat: None };
        if let Some(dialogue) = task.invocation.begun_dialogue() {
            dialogue.begin_run();
        }
        let guard = task.invocation.cancellation.clone().drop_guard();
        let ended = whole(self.read_in_order(entry, &uri, &mut run)).await;
        let outcome = run.outcome(ended);
        guard.disarm();
        run.close(&outcome);
        outcome
    }

    async fn read_in_order(
        &self,
        entry: &ResourceEntry<A>,
        uri: &str,
        run: &mut Run<'_, A>,
    ) -> Ends<Outcome> {
        let task = run.task;
        let unknown = || Outcome::Refused(Refusal::UnknownResource { uri: uri.to_owned() });
        run.not_cancelled()?;
        let model = contained(|| self.host.model()).map_err(|panic| run.defect(&panic))?; // B87
        // What is not available is not there.
        match Self::stands(&entry.available, &model, &task.principal) {
            Ok(Ok(())) => {}
            Ok(Err(_)) => return Err(unknown()),
            Err(panic) => {
                if let Outcome::Defect(defect) = run.defect(&panic) {
                    run.recording
                        .note(|| format!("`available` panicked, see {}", defect.reference));
                }
                return Err(unknown());
            }
        }
        let caller = Caller {
            principal: task.principal.clone(),
            model,
            invocation: task.invocation.clone(),
        };
        // An address with values that nothing can have is one of nothing.
        let prepared = contained(|| entry.steps.decode(caller, &task.arguments))
            .map_err(|panic| run.defect(&panic))?
            .map_err(|_| unknown())?;
        run.has_scopes(&entry.descriptor.scopes)?;
        match contained(|| prepared.authorize()) {
            Ok(None) => {}
            Ok(Some(verdict)) => run.authorized(verdict).await?,
            Err(panic) => return Err(run.defect(&panic)),
        }
        run.not_cancelled()?;
        let running = contained(|| prepared.run(self.agent.clone()));
        match run.method(running, task.shared.limits.timeout, Delivery::Unknown).await? {
            // RES-4: what holds nothing at all is not there.
            Returned::Value(Output::Content(blocks)) if blocks.is_empty() => Err(unknown()),
            Returned::Value(output) => run.value(output).map(Outcome::Value),
            Returned::Failed(Failure(FailureKind::NotFound)) => Err(unknown()),
            Returned::Failed(failure) => Ok(run.failed(failure, Delivery::Yes)),
            Returned::Broken(why) => Err(run.defect(&why)), // B85
            Returned::Message(_) => Err(run.defect("a resource returned a Message")),
        }
    }
}

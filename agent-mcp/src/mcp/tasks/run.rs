//! A call that may become a task, on its way.

use std::{
    collections::{HashMap, HashSet},
    future::Future,
    pin::pin,
    sync::{
        Arc, Mutex, OnceLock, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use bytes::Bytes;
use serde::Deserialize;
use serde_json::{Value, value::RawValue};
use tokio::{
    sync::{Notify, oneshot},
    time::Instant,
};
use tokio_util::sync::CancellationToken;

use super::{TaskRecord, Tasks, record::Ending};
use crate::{
    host::BoxError,
    mcp::{
        asking::{self, Runs},
        error::RpcError,
        notices::{Notices, running_for},
        revision::Revision,
        state::Flight,
    },
    runtime::{
        Answer, Begin, BoxFuture, Dialogue, LogLevel, NoTask, Outcome, Port, Principal,
        PrincipalId, ProgressReport, Refusal,
    },
};

/// The revision that has tasks.
const REVISION: Revision = Revision::V2026_07_28;

/// What a call comes to first.
pub(crate) enum First {
    /// It has ended before it became a task.
    Ended(Outcome),
    /// It goes on as a task.
    Begun(Arc<str>, TaskRecord),
}

/// A call that may become a task: what the method says to its caller goes to the task once it has begun.
pub(crate) struct Starting {
    tasks: Arc<Tasks>,
    owner: PrincipalId,
    /// The caller, until the task begins.
    notices: Arc<Notices>,
    id: OnceLock<Arc<str>>,
    /// Who waits for the call, until it has become a task.
    caller: Mutex<Option<oneshot::Sender<First>>>,
    /// The last that was said of its progress.
    said: Mutex<Option<String>>,
    /// Whether the method has said something of it itself.
    by_method: AtomicBool,
    news: Notify,
}

/// Runs a call apart from its caller, so that it can go on without. `show` makes the reply that its outcome
/// would have been.
///
/// The call is cancelled when the future is dropped before the task has begun.
pub(crate) async fn run<P: Principal>(
    runs: &Runs<P>,
    flight: &Flight,
    show: impl Fn(&Outcome) -> Bytes + Send + 'static,
) -> Result<First, RpcError> {
    let resumed = runs.resumed().await?;
    let dialogue = resumed.dialogue.clone();
    let (tell, mut told) = oneshot::channel();
    let tasks = runs.handler.tasks();
    let starting = Arc::new(Starting {
        tasks: tasks.clone(),
        owner: runs.principal.id(),
        notices: runs.notices.clone(),
        id: OnceLock::new(),
        caller: Mutex::new(Some(tell)),
        said: Mutex::new(None),
        by_method: AtomicBool::new(false),
        news: Notify::new(),
    });
    let cancellation = CancellationToken::new();
    let invocation = runs
        .invocation()
        .with_cancellation(&cancellation)
        .with_dialogue(dialogue.clone())
        .with_port(starting.clone(), runs.client.clone())
        .with_task(starting.clone());
    let running = runs.call(invocation);
    let run = Run { running, starting, cancellation: cancellation.clone(), dialogue };
    let guard = cancellation.clone().drop_guard();
    tasks.running.spawn(run.drive(show));
    // TSK-17: the caller can cancel what it waits for, and no more than that.
    let first = tokio::select! {
        first = &mut told => first,
        () = flight.cancellation.cancelled() => {
            cancellation.cancel();
            told.await
        }
    };
    guard.disarm();
    // Everything that can panic is contained, and ends with an outcome.
    let first = first.map_err(|_| RpcError::new(RpcError::INTERNAL, "`tools/call` failed"))?;
    if let First::Ended(outcome) = &first {
        runs.settle(resumed, outcome).await;
    }
    Ok(first)
}

impl Starting {
    async fn begin_once(&self) -> Result<(), NoTask> {
        if self.id.get().is_some() {
            return Ok(());
        }
        let (id, task) = self.tasks.insert(self.owner.clone()).await?;
        // TSK-15: nothing of a task goes to the stream of the call.
        self.notices.close();
        let _ = self.id.set(id.clone());
        // Whoever drives the call has to know of it, also when the method says nothing.
        self.news.notify_one();
        self.tell(First::Begun(id, task));
        Ok(())
    }

    /// Whether everything that is said of it is the heartbeat's.
    fn only_beats(&self) -> bool {
        !self.by_method.load(Ordering::Relaxed)
    }

    fn say(&self, said: String) {
        *self.said.lock().unwrap_or_else(PoisonError::into_inner) = Some(said);
        self.news.notify_one();
    }

    /// Tells whoever waits for the call; false where nobody does any more.
    fn tell(&self, first: First) -> bool {
        let caller = self.caller.lock().unwrap_or_else(PoisonError::into_inner).take();
        caller.is_some_and(|caller| caller.send(first).is_ok())
    }
}

impl Begin for Starting {
    fn begin(&self) -> BoxFuture<'_, Result<(), NoTask>> {
        Box::pin(self.begin_once())
    }

    fn rounds(&self) -> usize {
        self.tasks.rounds
    }
}

impl Port for Starting {
    fn progress(&self, report: ProgressReport<'_>) {
        self.by_method.store(true, Ordering::Relaxed);
        if self.id.get().is_none() {
            return self.notices.progress(report);
        }
        let text = match (report.message, report.total) {
            (Some(message), _) => message.to_owned(),
            (None, Some(total)) => format!("{} of {total}", report.done),
            (None, None) => report.done.to_string(),
        };
        self.say(text);
    }

    /// It goes on as a task, whoever has asked for progress: who looks at the task reads its message.
    fn beat(&self, running: Duration) -> bool {
        if !self.only_beats() {
            return false;
        }
        if self.id.get().is_none() {
            self.notices.beat(running);
        } else {
            self.say(running_for(running));
        }
        true
    }

    fn log(&self, level: LogLevel, data: Value) {
        self.notices.log(level, data);
    }

    fn meta(&self, key: &str, value: Value) {
        self.notices.meta(key, value);
    }

    fn release(&self, retry: Duration) {
        self.notices.release(retry);
    }
}

struct Run<R> {
    running: R,
    starting: Arc<Starting>,
    cancellation: CancellationToken,
    dialogue: Arc<Dialogue>,
}

impl<R: Future<Output = Outcome> + Send> Run<R> {
    async fn drive(self, show: impl Fn(&Outcome) -> Bytes) {
        let Self { running, starting, cancellation, dialogue } = self;
        let mut running = pin!(running);
        let tasks = starting.tasks.clone();
        let mut asked = Asked::default();
        let changed = Arc::new(Notify::new());
        let mut watching = None;
        let until = Instant::now() + tasks.ttl;
        let outcome = loop {
            tokio::select! {
                biased;
                outcome = &mut running => break outcome,
                () = dialogue.asked() => {}
                () = starting.news.notified() => {}
                () = changed.notified() => {}
                () = tokio::time::sleep_until(until), if !cancellation.is_cancelled() => {
                    cancellation.cancel();
                }
                () = tasks.ending.cancelled(), if !cancellation.is_cancelled() => {
                    cancellation.cancel();
                }
            }
            let Some(id) = starting.id.get() else { continue };
            if watching.is_none() {
                let changed = changed.clone();
                watching = Some(tasks.store.watch(id, Arc::new(move || changed.notify_one())));
            }
            if let Err(error) =
                follow(&tasks, id, &starting, &cancellation, &dialogue, &mut asked).await
            {
                tracing::error!(task = %id, %error, "the store of the tasks failed");
            }
        };
        let Some(id) = starting.id.get() else {
            starting.tell(First::Ended(outcome));
            return;
        };
        let ending = ending(&outcome, &show);
        let ended = tasks.change(id, |task| {
            if starting.only_beats() {
                task.message = None;
            }
            task.end(ending.clone());
        });
        let ended = ended.await;
        if let Err(error) = ended {
            tracing::error!(task = %id, %error, "the store of the tasks failed; an outcome is lost");
        }
    }
}

/// What is asked of the owner, and under which keys.
#[derive(Default)]
struct Asked {
    /// The key of the task for each open question's own.
    shown: HashMap<String, String>,
    /// TSK-9: no key is used twice in the life of a task.
    used: HashSet<String>,
}

impl Asked {
    /// The key of a question that is new to the owner.
    fn show(&mut self, key: &str) -> Option<String> {
        if self.shown.contains_key(key) {
            return None;
        }
        let mut shown = key.to_owned();
        let mut round = 1;
        while !self.used.insert(shown.clone()) {
            round += 1;
            shown = format!("{key}-{round}");
        }
        self.shown.insert(key.to_owned(), shown.clone());
        Some(shown)
    }

    /// The question's own key, which may be asked anew from now on.
    fn answered(&mut self, shown: &str) -> Option<String> {
        let key = self.shown.iter().find(|(_, other)| *other == shown)?.0.clone();
        self.shown.remove(&key);
        Some(key)
    }
}

/// Brings method and owner together: answers and the wish to end go to the method, questions and progress to the
/// owner.
async fn follow(
    tasks: &Tasks,
    id: &str,
    starting: &Starting,
    cancellation: &CancellationToken,
    dialogue: &Dialogue,
    asked: &mut Asked,
) -> Result<(), BoxError> {
    let Some(task) = tasks.store.load(id).await? else { return Ok(()) };
    if task.cancel {
        cancellation.cancel();
    }
    for (shown, answer) in &task.answers {
        if let Some(key) = asked.answered(shown) {
            dialogue.answer(&key, Answer::Given(answer.clone()));
        }
    }
    let open = dialogue.open();
    // Nothing runs while it waits for its owner.
    let rests = !open.is_empty() && starting.only_beats();
    let mut inputs = Vec::new();
    for (key, question) in open {
        if let Some(shown) = asked.show(&key) {
            inputs.push((shown, asking::request(&question, REVISION).text()));
        }
    }
    let said = starting.said.lock().unwrap_or_else(PoisonError::into_inner).take();
    let change = |now: &mut TaskRecord| {
        now.answers.retain(|answer| !task.answers.contains(answer));
        now.inputs.extend(inputs.iter().cloned());
        if rests {
            now.message = None;
        } else if said.is_some() {
            now.message.clone_from(&said);
        }
    };
    tasks.change(id, change).await?;
    Ok(())
}

/// How a task ends whose call would have been answered so (TSK-7).
fn ending(outcome: &Outcome, show: &impl Fn(&Outcome) -> Bytes) -> Ending {
    #[derive(Deserialize)]
    struct Reply<'a> {
        #[serde(borrow)]
        result: Option<&'a RawValue>,
        #[serde(borrow)]
        error: Option<&'a RawValue>,
    }
    if matches!(outcome, Outcome::Refused(Refusal::Cancelled { .. })) {
        return Ending::Cancelled;
    }
    let reply = show(outcome);
    let reply: Reply<'_> =
        serde_json::from_slice(&reply).unwrap_or(Reply { result: None, error: None });
    match reply {
        Reply { result: Some(result), .. } => Ending::Result(result.get().into()),
        Reply { error: Some(error), .. } => Ending::Error(error.get().into()),
        // Every outcome is shown as one or the other.
        Reply { .. } => Ending::Cancelled,
    }
}

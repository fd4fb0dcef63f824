//! How a store advances: one Message at a time, told in order, with no lock held while others' code
//! runs.
//!
//! Two things are serialised, apart from each other. *Applying* happens under `turn`, where only
//! `update` runs. *Telling* has no lock: each applied step leaves an [`Event`] in the line, and the
//! thread that finds nobody telling tells until the line is empty. The line is filled under `turn`,
//! so its order is that of application.

use std::cell::Cell;
use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::{self, ThreadId};

use tokio::runtime::Handle;
use tokio::sync::{oneshot, watch};

use super::effects::Work;
use super::observers::{Audience, Observers, caught, lock};
use super::{Changes, Effects, SendError};

/// How far observers may fall behind before a blocking sender waits for them.
const BACKLOG: usize = 256;

thread_local! {
    /// How many stores this thread is telling of, one inside the other.
    static TELLING: Cell<usize> = const { Cell::new(0) };
}

pub(super) type Update<Model, Message> =
    Box<dyn Fn(&Model, Message) -> (Model, Effects<Message>) + Send + Sync>;

/// What moves a store on.
pub(super) enum Step<Model, Message> {
    Apply(Message),
    Replace(Arc<Model>),
}

pub(super) struct Engine<Model, Message> {
    update: Update<Model, Message>,
    model: watch::Sender<Arc<Model>>,
    turn: Mutex<()>,
    line: Mutex<Line<Model, Message>>,
    told: Condvar,
    pub(super) models: Arc<Observers<Arc<Model>>>,
    pub(super) messages: Arc<Observers<Message>>,
    runtime: Mutex<Option<Handle>>,
}

struct Line<Model, Message> {
    /// The thread that has the turn.
    applier: Option<ThreadId>,
    /// What `update` itself has sent: it is applied next.
    nested: VecDeque<Step<Model, Message>>,
    /// The thread that tells.
    teller: Option<ThreadId>,
    /// How often a thread has come to the end of telling.
    rounds: u64,
    events: VecDeque<Event<Model, Message>>,
}

/// What there is to tell, and to whom.
struct Event<Model, Message> {
    model: Arc<Model>,
    models: Audience<Arc<Model>>,
    message: Option<Message>,
    messages: Audience<Message>,
    /// Dropped when everybody has been told.
    _receipt: Option<oneshot::Sender<()>>,
}

/// Who tells of a step.
enum Told<'a, Model, Message> {
    /// Nobody needs to, or a caller further up on this thread will.
    Settled,
    /// This thread.
    Here(Teller<'a, Model, Message>),
    /// Another thread; the receipt ends when it has.
    Elsewhere(oneshot::Receiver<()>),
}

impl<Model, Message> Engine<Model, Message>
where
    Model: Send + Sync + 'static,
    Message: Clone + Send + 'static,
{
    pub(super) fn new(
        model: Arc<Model>,
        update: Update<Model, Message>,
        runtime: Option<Handle>,
    ) -> Self {
        Self {
            update,
            model: watch::Sender::new(model),
            turn: Mutex::new(()),
            line: Mutex::new(Line {
                applier: None,
                nested: VecDeque::new(),
                teller: None,
                rounds: 0,
                events: VecDeque::new(),
            }),
            told: Condvar::new(),
            models: Observers::new(),
            messages: Observers::new(),
            runtime: Mutex::new(runtime),
        }
    }

    pub(super) fn changes(&self) -> Changes<Model> {
        Changes::new(self.model.subscribe())
    }

    /// Advances; async callers wait for the observers without blocking.
    pub(super) async fn advance(
        self: &Arc<Self>,
        step: Step<Model, Message>,
    ) -> Result<(), SendError> {
        let (result, receipt) = self.advance_now(step);
        if let Some(receipt) = receipt {
            // Its sender is dropped, not used: an end is the news.
            let _ = receipt.await;
        }
        result
    }

    /// Advances; the caller waits for the observers only when they are far behind.
    pub(super) fn advance_blocking(
        self: &Arc<Self>,
        step: Step<Model, Message>,
    ) -> Result<(), SendError> {
        let (result, receipt) = self.advance_now(step);
        // A thread that tells must not wait for one that may be waiting for it.
        if receipt.is_some() && TELLING.get() == 0 {
            let mut line = lock(&self.line);
            if line.teller.is_some() && line.events.len() >= BACKLOG {
                // Until all is told, not only until there is room: so the thread that tells gets
                // away, too.
                let round = line.rounds;
                while line.rounds == round {
                    line = self.told.wait(line).unwrap_or_else(PoisonError::into_inner);
                }
            }
        }
        result
    }

    fn advance_now(
        self: &Arc<Self>,
        step: Step<Model, Message>,
    ) -> (Result<(), SendError>, Option<oneshot::Receiver<()>>) {
        let me = thread::current().id();
        {
            let mut line = lock(&self.line);
            if line.applier == Some(me) {
                line.nested.push_back(step);
                return (Ok(()), None);
            }
        }
        let Applied { result, work, told, old } = self.apply(me, step);
        let started = self.start(work);
        let receipt = match told {
            Told::Settled => None,
            Told::Here(teller) => {
                teller.tell();
                None
            }
            Told::Elsewhere(receipt) => Some(receipt),
        };
        // Dropping a Model runs code of the user.
        caught("dropping a Model", || drop(old));
        (result.and(started), receipt)
    }

    /// Takes the turn and applies the step with all that follows at once.
    fn apply(&self, me: ThreadId, step: Step<Model, Message>) -> Applied<'_, Model, Message> {
        let _turn = lock(&self.turn);
        lock(&self.line).applier = Some(me);
        let mut applied =
            Applied { result: Ok(()), work: Vec::new(), told: Told::Settled, old: Vec::new() };
        let mut steps = VecDeque::from([step]);
        let mut first = true;
        while let Some(step) = steps.pop_front() {
            match self.apply_one(step, &mut applied) {
                Ok(messages) => steps.extend(messages.into_iter().map(Step::Apply)),
                // What follows is not the sender's doing; the log has it.
                Err(error) if first => applied.result = Err(error),
                Err(_) => {}
            }
            first = false;
            steps.append(&mut lock(&self.line).nested);
        }
        lock(&self.line).applier = None;
        applied
    }

    /// Applies one step and puts it into the line; returns the Messages that follow.
    fn apply_one<'a>(
        &'a self,
        step: Step<Model, Message>,
        applied: &mut Applied<'a, Model, Message>,
    ) -> Result<Vec<Message>, SendError> {
        // B62: whoever is subscribed now is told, however quick the rest is.
        let models = self.models.audience();
        let messages = self.messages.audience();
        let (model, message, effects) = match step {
            Step::Replace(model) => (model, None, Effects::none()),
            Step::Apply(message) => {
                let before = self.model();
                let run = || {
                    let copy = (!messages.is_empty()).then(|| message.clone());
                    let (model, effects) = (self.update)(&before, message);
                    (Arc::new(model), copy, effects)
                };
                caught("the update of a store", run).ok_or(SendError::UpdatePanicked)?
            }
        };
        applied.old.push(self.model.send_replace(model.clone()));
        applied.work.extend(effects.work);
        if !(models.is_empty() && messages.is_empty()) {
            self.line_up(Event { model, models, message, messages, _receipt: None }, applied);
        }
        Ok(effects.messages)
    }

    fn line_up<'a>(
        &'a self,
        mut event: Event<Model, Message>,
        applied: &mut Applied<'a, Model, Message>,
    ) {
        let me = thread::current().id();
        let mut line = lock(&self.line);
        match line.teller {
            // The place is taken here, not when telling starts: nobody can come between.
            None => {
                line.teller = Some(me);
                applied.told = Told::Here(Teller(self));
            }
            Some(teller) if teller == me => {}
            Some(_) => {
                let (sender, receipt) = oneshot::channel();
                event._receipt = Some(sender);
                applied.told = Told::Elsewhere(receipt);
            }
        }
        line.events.push_back(event);
    }

    /// Starts what was asked for.
    fn start(self: &Arc<Self>, work: Vec<Work<Message>>) -> Result<(), SendError> {
        if work.is_empty() {
            return Ok(());
        }
        let runtime = match lock(&self.runtime).clone() {
            Some(runtime) => runtime,
            None => Handle::try_current().map_err(|_| SendError::NoRuntime)?,
        };
        for work in work {
            let engine = Arc::downgrade(self);
            runtime.spawn(async move {
                let effects = work.await;
                let Some(engine) = engine.upgrade() else { return };
                for message in effects.messages {
                    // A panic of the update is in the log already.
                    let _ = engine.advance(Step::Apply(message)).await;
                }
                let _ = engine.start(effects.work);
            });
        }
        Ok(())
    }
}

impl<Model, Message> Engine<Model, Message> {
    pub(super) fn model(&self) -> Arc<Model> {
        self.model.borrow().clone()
    }

    pub(super) fn set_runtime(&self, runtime: Handle) {
        *lock(&self.runtime) = Some(runtime);
    }
}

/// What came of applying.
struct Applied<'a, Model, Message> {
    result: Result<(), SendError>,
    work: Vec<Work<Message>>,
    told: Told<'a, Model, Message>,
    /// The Models that were replaced.
    old: Vec<Arc<Model>>,
}

/// The right to tell.
struct Teller<'a, Model, Message>(&'a Engine<Model, Message>);

impl<Model, Message> Teller<'_, Model, Message> {
    /// Tells until there is nothing to tell.
    fn tell(self) {
        TELLING.set(TELLING.get() + 1);
        while let Some(event) = self.next() {
            event.models.tell(&event.model);
            if let Some(message) = &event.message {
                event.messages.tell(message);
            }
            caught("dropping a Message", || drop(event));
        }
        TELLING.set(TELLING.get() - 1);
    }

    /// The next event; without one the right is given back.
    fn next(&self) -> Option<Event<Model, Message>> {
        let mut line = lock(&self.0.line);
        let event = line.events.pop_front();
        if event.is_none() {
            line.teller = None;
            line.rounds += 1;
            self.0.told.notify_all();
        }
        event
    }
}

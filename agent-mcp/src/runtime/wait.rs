//! Waits for the fact that a completion names: subscribed before the Message is sent (B62), settled once
//! (B64), released on every way out (B58).

use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::oneshot;

use super::{agent::Agent, completion::Step, source::SourceWatch, steps::WaitFor};
use crate::contain::contained;
use crate::host::{SharedHost, Subscription};

/// A wait that has begun. Dropping it ends the subscription.
pub(super) struct Waiting<A: Agent> {
    settled: oneshot::Receiver<Step>,
    level: Level<A>,
    _subscription: Option<Subscription>,
}

/// How the state is looked at once more when waiting starts (B71).
enum Level<A: Agent> {
    /// A Message is an event; it has no level.
    None,
    Model(Arc<ModelFact<A>>),
    Source(Arc<SourceFact>),
}

struct ModelFact<A: Agent> {
    predicate: Box<dyn Fn(&A::Model) -> Step + Send + Sync>,
    /// The Model that was judged last: an unchanged one is not judged again (B75).
    judged: Mutex<Option<Arc<A::Model>>>,
    settle: Settle,
}

struct SourceFact {
    watch: Box<dyn SourceWatch>,
    settle: Settle,
}

impl<A: Agent> Waiting<A> {
    /// Subscribes. It has to happen before the Message is sent.
    pub(super) fn subscribe(host: &SharedHost<A::Model, A::Message>, fact: WaitFor<A>) -> Self {
        let (settle, settled) = Settle::new();
        let (level, subscription) = match fact {
            WaitFor::Message(predicate) => {
                let observer = Arc::new(move |message: &A::Message| {
                    settle.with(|| predicate(message));
                });
                (Level::None, host.observe_messages(observer))
            }
            WaitFor::Model(predicate) => {
                let fact = Arc::new(ModelFact { predicate, judged: Mutex::default(), settle });
                let observer = Arc::clone(&fact);
                let subscription = host
                    .observe_model(Arc::new(move |model: &Arc<A::Model>| observer.judge(model)));
                (Level::Model(fact), subscription)
            }
            WaitFor::Source(watch) => {
                let fact = Arc::new(SourceFact { watch, settle });
                // The notice holds the fact weakly: a source that keeps its observers in itself would
                // otherwise keep itself alive.
                let observer = Arc::downgrade(&fact);
                let subscription = fact.watch.observe(Arc::new(move || {
                    if let Some(fact) = observer.upgrade() {
                        fact.judge();
                    }
                }));
                (Level::Source(fact), Some(subscription))
            }
        };
        Self { settled, level, _subscription: subscription }
    }

    /// The step that has already settled the wait, if one has (B57).
    pub(super) fn settled(&mut self) -> Option<Step> {
        self.settled.try_recv().ok()
    }

    /// Looks at the state once more (B71) and waits for the first step that is not pending.
    pub(super) async fn settle(&mut self, host: &SharedHost<A::Model, A::Message>) -> Step {
        match &self.level {
            Level::None => {}
            Level::Model(fact) => match contained(|| host.model()) {
                Ok(model) => fact.judge(&model),
                Err(panic) => return Step::Defect(panic),
            },
            Level::Source(fact) => fact.judge(),
        }
        match (&mut self.settled).await {
            Ok(step) => step,
            Err(_) => Step::Defect("the host ended the subscription".to_owned()),
        }
    }
}

impl<A: Agent> ModelFact<A> {
    fn judge(&self, model: &Arc<A::Model>) {
        {
            let mut judged = self.judged.lock().unwrap_or_else(PoisonError::into_inner);
            if judged.as_ref().is_some_and(|judged| Arc::ptr_eq(judged, model)) {
                return;
            }
            *judged = Some(model.clone());
        }
        self.settle.with(|| (self.predicate)(model));
    }
}

impl SourceFact {
    fn judge(&self) {
        self.settle.with(|| self.watch.check());
    }
}

/// The one place where a wait is decided.
struct Settle(Mutex<Option<oneshot::Sender<Step>>>);

impl Settle {
    fn new() -> (Self, oneshot::Receiver<Step>) {
        let (sender, receiver) = oneshot::channel();
        (Self(Mutex::new(Some(sender))), receiver)
    }

    /// Runs a predicate unless the wait is decided, and lets its step decide. A predicate that panics
    /// fails its own wait and disturbs nobody else (B74).
    fn with(&self, predicate: impl FnOnce() -> Step) {
        if self.lock().is_none() {
            return;
        }
        let step = contained(predicate).unwrap_or_else(Step::Defect);
        if !step.is_pending()
            && let Some(sender) = self.lock().take()
        {
            let _ = sender.send(step);
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Option<oneshot::Sender<Step>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

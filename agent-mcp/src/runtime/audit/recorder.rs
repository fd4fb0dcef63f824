//! Gives every invocation a place in the audit before it starts, and keeps the sink apart from calls.

use std::{
    sync::{
        Arc, OnceLock,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::Duration,
};

use tokio::{
    sync::{mpsc, oneshot},
    time::Instant,
};

use super::{Action, Audit, AuditEntry, arguments::Path};
use crate::contain::contained;
#[cfg(feature = "http")]
use crate::runtime::invocation::InvocationId;
use crate::runtime::{
    invocation::Invocation,
    outcome::{Delivery, Outcome, Status},
    principal::Principal,
};

/// The audit of one server.
pub(crate) struct Recorder {
    audit: Option<Audit>,
    queue: OnceLock<mpsc::Sender<Item>>,
    shared: Arc<Shared>,
    sequence: AtomicU64,
}

#[derive(Default)]
struct Shared {
    /// Entries that found no place or that the sink did not keep.
    lost: AtomicU64,
    failing: AtomicBool,
}

enum Item {
    Entry(Box<AuditEntry>),
    Flush(oneshot::Sender<()>),
}

/// Why an entry is not opened, and the invocation does not start.
pub(crate) enum NotOpened {
    /// There is no place for it, and the audit is closed.
    NoPlace,
    /// The application's own code panicked, which says who calls and what time it is.
    Panicked(String),
}

/// What is known of an invocation before it starts.
pub(crate) struct Opened<'a, P> {
    pub(crate) action: Action,
    pub(crate) target: &'a str,
    pub(crate) method: Option<&'a str>,
    pub(crate) template: Option<&'a str>,
    pub(crate) invocation: &'a Invocation,
    pub(crate) principal: &'a P,
    /// Their bytes, and which of them are secrets.
    pub(crate) arguments: Option<(&'a [u8], &'a [Path])>,
}

impl Recorder {
    pub(crate) fn new(audit: Option<Audit>) -> Self {
        Self { audit, queue: OnceLock::new(), shared: Arc::default(), sequence: AtomicU64::new(0) }
    }

    pub(crate) fn lost(&self) -> u64 {
        self.shared.lost.load(Ordering::Relaxed)
    }

    /// Waits until every entry that has ended is with the sink.
    pub(crate) async fn flush(&self) {
        if let Some(queue) = self.queue.get() {
            let (done, flushed) = oneshot::channel();
            if queue.send(Item::Flush(done)).await.is_ok() {
                let _ = flushed.await;
            }
        }
    }

    /// Opens an entry. Without a place for it a closed audit says so after the entry is counted as lost;
    /// the caller then refuses.
    pub(crate) fn open<P: Principal>(&self, opened: Opened<'_, P>) -> Result<Recording, NotOpened> {
        let Opened { action, target, method, template, invocation, principal, arguments } = opened;
        let is_kept =
            |audit: &&Audit| !invocation.unrecorded && (action == Action::Call || audit.reads);
        let Some(audit) = self.audit.as_ref().filter(is_kept) else {
            return Ok(Recording::none());
        };
        let closed = audit.closed && action == Action::Call;
        if closed && self.shared.failing.load(Ordering::Relaxed) {
            self.lose();
            return Err(NotOpened::NoPlace);
        }
        let place = self.queue(audit).and_then(|queue| queue.clone().try_reserve_owned().ok());
        let Some(place) = place else {
            self.lose();
            return if closed { Err(NotOpened::NoPlace) } else { Ok(Recording::none()) };
        };
        let facts = contained(|| ((audit.clock)(), principal.id()));
        let (started, principal) = facts.map_err(|panic| {
            self.lose();
            NotOpened::Panicked(panic)
        })?;
        let arguments = arguments.and_then(|(raw, secrets)| audit.arguments.audit(raw, secrets));
        let entry = AuditEntry {
            sequence: self.sequence.fetch_add(1, Ordering::Relaxed),
            started,
            duration: Duration::ZERO,
            action,
            target: target.to_owned(),
            method: method.map(str::to_owned),
            template: template.map(str::to_owned),
            invocation: invocation.id.clone(),
            transport: invocation.transport.clone(),
            request: invocation.request.clone(),
            session: invocation.session.clone(),
            principal,
            dispatched: Delivery::No,
            status: Status::Interrupted,
            arguments,
            note: None,
        };
        Ok(Recording(Some(Open { entry: Box::new(entry), place, started: Instant::now() })))
    }

    /// Records a request that was refused before it reached anything.
    #[cfg(feature = "http")]
    pub(crate) fn refused(&self, request: super::RefusedRequest) {
        let Some(audit) = self.audit.as_ref().filter(|audit| audit.requests) else { return };
        // Whoever is not let in must not take the places of calls.
        let half = |queue: &&mpsc::Sender<Item>| queue.capacity() > queue.max_capacity() / 2;
        let place = self.queue(audit).filter(half).and_then(|queue| queue.try_reserve().ok());
        let Some(place) = place else { return self.lose() };
        let Ok(started) = contained(audit.clock) else { return self.lose() };
        place.send(Item::Entry(Box::new(AuditEntry {
            sequence: self.sequence.fetch_add(1, Ordering::Relaxed),
            started,
            duration: Duration::ZERO,
            action: Action::Request,
            target: request.target,
            method: None,
            template: None,
            invocation: InvocationId::fresh(),
            transport: request.transport.into(),
            request: None,
            session: request.session,
            principal: request.principal,
            dispatched: Delivery::No,
            status: request.status,
            arguments: None,
            note: request.note,
        })));
    }

    fn lose(&self) {
        let lost = self.shared.lost.fetch_add(1, Ordering::Relaxed) + 1;
        if lost.is_power_of_two() {
            tracing::warn!(lost, "audit entries are lost");
        }
    }

    /// The queue to the sink's task, which starts with the first entry and ends with the server.
    fn queue(&self, audit: &Audit) -> Option<&mpsc::Sender<Item>> {
        if let Some(queue) = self.queue.get() {
            return Some(queue);
        }
        let runtime = tokio::runtime::Handle::try_current().ok()?;
        Some(self.queue.get_or_init(|| {
            let (queue, items) = mpsc::channel(audit.queue);
            let (sink, closed, shared) = (audit.sink.clone(), audit.closed, self.shared.clone());
            runtime.spawn(write(items, sink, closed, shared));
            queue
        }))
    }
}

async fn write(
    mut items: mpsc::Receiver<Item>,
    sink: Arc<dyn super::DynSink>,
    closed: bool,
    shared: Arc<Shared>,
) {
    while let Some(item) = items.recv().await {
        match item {
            Item::Entry(entry) => keep(&entry, &*sink, closed, &shared).await,
            Item::Flush(done) => drop(done.send(())),
        }
    }
}

/// Hands one entry to the sink. A closed audit tries again until the sink takes it, and refuses calls
/// until then; an open one counts the loss.
async fn keep(entry: &AuditEntry, sink: &dyn super::DynSink, closed: bool, shared: &Shared) {
    let mut pause = Duration::from_millis(100);
    loop {
        let error = match attempt(entry, sink).await {
            Ok(()) => {
                shared.failing.store(false, Ordering::Relaxed);
                return;
            }
            Err(error) => error,
        };
        if !shared.failing.swap(true, Ordering::Relaxed) {
            tracing::error!(%error, "the audit sink failed");
        }
        if !closed {
            shared.lost.fetch_add(1, Ordering::Relaxed);
            return;
        }
        tokio::time::sleep(pause).await;
        pause = (pause * 2).min(Duration::from_secs(10));
    }
}

/// A sink that panics has failed (B98).
async fn attempt(entry: &AuditEntry, sink: &dyn super::DynSink) -> Result<(), String> {
    let mut recording = contained(|| sink.record(entry))?;
    std::future::poll_fn(|cx| {
        let mut poll = || recording.as_mut().poll(cx).map_err(|error| error.to_string());
        contained(&mut poll).unwrap_or_else(|panic| std::task::Poll::Ready(Err(panic)))
    })
    .await
}

/// The entry of an invocation under way. Dropping it records the invocation as interrupted, so none is
/// missing however it ends (B58).
pub(crate) struct Recording(Option<Open>);

struct Open {
    entry: Box<AuditEntry>,
    place: mpsc::OwnedPermit<Item>,
    started: Instant,
}

impl Recording {
    pub(crate) fn none() -> Self {
        Self(None)
    }

    /// Says how far the invocation has come, for the case that it is dropped.
    pub(crate) fn reached(&mut self, delivery: Delivery) {
        if let Some(open) = &mut self.0 {
            open.entry.dispatched = delivery;
        }
    }

    pub(crate) fn note(&mut self, note: impl FnOnce() -> String) {
        if let Some(open) = &mut self.0 {
            open.entry.note = Some(note());
        }
    }

    pub(crate) fn close(mut self, outcome: &Outcome) {
        if let Some(open) = &mut self.0 {
            let code = outcome.code();
            open.entry.dispatched = code.dispatched;
            open.entry.status = code.status;
        }
    }
}

impl Drop for Recording {
    fn drop(&mut self) {
        if let Some(Open { mut entry, place, started }) = self.0.take() {
            entry.duration = started.elapsed();
            place.send(Item::Entry(entry));
        }
    }
}

//! When to compare what is offered with what those who listen know.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError, Weak},
    time::Duration,
};

use tokio::{
    runtime::Handle,
    sync::Notify,
    task::AbortHandle,
    time::{Instant, sleep_until},
};

use crate::{
    host::Subscription,
    mcp::{Connection, Debounce, Updates},
    runtime::{Principal, Runtime},
};

/// Tells of changes. The state is watched, by one task, while anybody listens.
pub(super) struct Changes<P: Principal> {
    runtime: Runtime<P>,
    window: Duration,
    noticed: Notify,
    listeners: Mutex<Listeners<P>>,
}

struct Listeners<P: Principal> {
    next: u64,
    connections: BTreeMap<u64, Arc<Connection<P>>>,
    watch: Option<Watch>,
}

struct Watch {
    task: AbortHandle,
    _subscriptions: Vec<Subscription>,
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// A connection that is told of changes until this is dropped.
pub(super) struct Listening<P: Principal> {
    changes: Arc<Changes<P>>,
    number: u64,
}

impl<P: Principal> Changes<P> {
    pub(super) fn new(runtime: Runtime<P>) -> Self {
        let window = runtime.limits().debounce;
        let listeners = Listeners { next: 0, connections: BTreeMap::new(), watch: None };
        Self { runtime, window, noticed: Notify::new(), listeners: Mutex::new(listeners) }
    }

    /// Tells `connection` of changes, also of those since it was opened.
    pub(super) fn listen(self: &Arc<Self>, connection: Arc<Connection<P>>) -> Listening<P> {
        let mut listeners = self.lock();
        let number = listeners.next;
        listeners.next += 1;
        listeners.connections.insert(number, connection.clone());
        let is_watched = listeners.watch.is_some();
        drop(listeners);
        if !is_watched {
            // Without the lock: the host may call at once.
            let watch = self.watch();
            let other = self.lock().watch.replace(watch);
            drop(other);
        }
        drive(&Handle::current(), connection.announce_changes());
        Listening { changes: self.clone(), number }
    }

    fn watch(self: &Arc<Self>) -> Watch {
        // Held weakly: the host's list of observers must not keep the server.
        let observed = Arc::downgrade(self);
        // A host tells of changes from any thread.
        let handle = Handle::current();
        let subscriptions = self.runtime.observe_changes(Arc::new(move || {
            let Some(changes) = observed.upgrade() else { return };
            let connections = changes.connections();
            let mut wanted = false;
            for connection in &connections {
                wanted |= connection.note_change();
            }
            if changes.window.is_zero() {
                changes.announce(&connections, &handle);
            } else if wanted {
                changes.noticed.notify_one();
            }
        }));
        let task = tokio::spawn(tell(Arc::downgrade(self), self.window)).abort_handle();
        Watch { task, _subscriptions: subscriptions }
    }

    /// Tells of changes. What does not depend on the caller is looked at once.
    fn announce(&self, connections: &[Arc<Connection<P>>], handle: &Handle) {
        let mut shared = None;
        for connection in connections.iter().filter(|connection| connection.note_change()) {
            if self.runtime.availability_depends_on_principal() {
                shared = None;
            }
            if shared.is_none() {
                shared = connection.offered();
            }
            if let Some(offered) = &shared {
                connection.announce(offered);
            }
            drive(handle, connection.updates());
        }
    }

    fn connections(&self) -> Vec<Arc<Connection<P>>> {
        self.lock().connections.values().cloned().collect()
    }

    fn lock(&self) -> MutexGuard<'_, Listeners<P>> {
        self.listeners.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Lets what is subscribed to be read beside everything else.
fn drive(handle: &Handle, updates: Option<Updates>) {
    if let Some(updates) = updates {
        handle.spawn(updates);
    }
}

/// The task that waits until the state is at rest.
async fn tell<P: Principal>(changes: Weak<Changes<P>>, window: Duration) {
    let mut debounce = Debounce::new(window);
    // Whoever is told keeps the changes, so the task ends with the last of them.
    while let Some(changes) = changes.upgrade() {
        let deadline = debounce.deadline().map(Instant::from_std);
        tokio::select! {
            biased;
            () = changes.noticed.notified() => debounce.changed(Instant::now().into_std()),
            () = sleep_until(deadline.unwrap_or_else(Instant::now)), if deadline.is_some() => {
                if debounce.due(Instant::now().into_std()) {
                    changes.announce(&changes.connections(), &Handle::current());
                }
            }
        }
    }
}

impl<P: Principal> Drop for Listening<P> {
    fn drop(&mut self) {
        let mut listeners = self.changes.lock();
        let gone = listeners.connections.remove(&self.number);
        let watch = listeners.connections.is_empty().then(|| listeners.watch.take());
        drop(listeners);
        // Without the lock: both may call back.
        drop((gone, watch));
    }
}

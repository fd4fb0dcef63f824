//! Who is told, and the telling.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::Subscription;
use crate::contain::contained;

/// Locks, whatever a panic left behind: no code of the user runs under these locks.
pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Runs code of the user; `None` when it panicked.
// O57: a panic in a hook stays where it is.
pub(super) fn caught<T>(what: &str, run: impl FnOnce() -> T) -> Option<T> {
    contained(run).map_err(|panic| tracing::error!(panic, "{what} panicked")).ok()
}

type Observer<T> = Arc<dyn Fn(&T) + Send + Sync>;

struct Seat<T> {
    taken: AtomicBool,
    observer: Observer<T>,
}

/// Everybody who is told of a `T` from now on.
pub(super) struct Observers<T>(Mutex<Audience<T>>);

impl<T: 'static> Observers<T> {
    pub(super) fn new() -> Arc<Self> {
        Arc::new(Self(Mutex::new(Audience(Arc::new([])))))
    }

    pub(super) fn subscribe(self: &Arc<Self>, observer: Observer<T>) -> Subscription {
        let seat = Arc::new(Seat { taken: AtomicBool::new(true), observer });
        self.change(|seats| seats.push(seat.clone()));
        let observers = Arc::downgrade(self);
        Subscription::new(move || {
            seat.taken.store(false, Ordering::SeqCst);
            if let Some(observers) = observers.upgrade() {
                observers.change(|seats| seats.retain(|other| !Arc::ptr_eq(other, &seat)));
            }
        })
    }

    /// Those who are subscribed at this moment.
    pub(super) fn audience(&self) -> Audience<T> {
        lock(&self.0).clone()
    }

    /// Copies the list and changes the copy, so that nobody is kept from subscribing while others
    /// are told.
    fn change(&self, change: impl FnOnce(&mut Vec<Arc<Seat<T>>>)) {
        let mut audience = lock(&self.0);
        let mut seats = audience.0.to_vec();
        change(&mut seats);
        let before = std::mem::replace(&mut *audience, Audience(seats.into()));
        drop(audience);
        // What an observer has captured may be dropped here: outside of the lock.
        drop(before);
    }
}

/// Those who were subscribed at one moment.
pub(super) struct Audience<T>(Arc<[Arc<Seat<T>>]>);

impl<T> Clone for Audience<T> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<T> Audience<T> {
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Tells each in turn, leaving out those who have gone meanwhile.
    pub(super) fn tell(&self, news: &T) {
        for seat in self.0.iter().filter(|seat| seat.taken.load(Ordering::SeqCst)) {
            // B74: one bad observer disturbs neither the others nor whoever changed the Model.
            caught("an observer", || (seat.observer)(news));
        }
    }
}

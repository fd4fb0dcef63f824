//! The right to be told, for as long as it is kept.

use std::fmt;

use crate::contain::contained;

/// An observer's place at a host; dropping it ends the observation.
///
/// No call begins after the drop. One that another thread has already begun may still be running
/// when the drop returns.
#[must_use = "dropping a subscription ends it at once"]
pub struct Subscription(Option<Box<dyn FnOnce() + Send>>);

impl Subscription {
    /// Makes a subscription that `end` ends.
    pub fn new(end: impl FnOnce() + Send + 'static) -> Self {
        Self(Some(Box::new(end)))
    }
}

impl Drop for Subscription {
    fn drop(&mut self) {
        let Some(end) = self.0.take() else { return };
        // O57: a panic in a destructor would end the process when the thread is unwinding already.
        if let Err(panic) = contained(end) {
            tracing::error!(panic, "ending a subscription panicked");
        }
    }
}

impl fmt::Debug for Subscription {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Subscription").finish_non_exhaustive()
    }
}

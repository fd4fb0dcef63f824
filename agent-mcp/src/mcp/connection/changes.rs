//! What a connection is told of changes.

use std::sync::{Arc, PoisonError};

use super::Connection;
use crate::{
    mcp::{
        offered::Offered,
        updates::{self, Updates},
    },
    runtime::Principal,
};

impl<P: Principal> Connection<P> {
    /// The rights of the last request hold for what is told from now on (O21).
    pub(crate) fn is_used_by(&self, principal: &Arc<P>) {
        let mut current = self.principal.lock().unwrap_or_else(PoisonError::into_inner);
        if !Arc::ptr_eq(&current, principal) {
            let former = std::mem::replace(&mut *current, principal.clone());
            drop(current);
            // Without the lock: it may be the last of it, and its end is the application's own code.
            drop(former);
        }
    }

    /// Whether anybody is to be told of changes: a client that is ready and has listed the tools (O16),
    /// or a stream.
    #[must_use]
    pub fn wants_changes(&self) -> bool {
        self.tells() && self.shared.lock().wants_changes(&*self.outbox)
    }

    /// Whether there is anything that clients are told of.
    fn tells(&self) -> bool {
        let offers = self.handler.offers();
        self.handler.offered().iter().any(|revision| offers.tells(*revision))
    }

    /// Notes that the state has changed, and says whether that is to be compared.
    ///
    /// It is called for each change, also while nobody wants to know: a client may be listing.
    #[must_use]
    pub fn note_change(&self) -> bool {
        let mut state = self.shared.lock();
        state.changes += 1;
        self.tells() && state.wants_changes(&*self.outbox)
    }

    /// Compares what is on offer with what was told, and tells of the difference (B129 to B133). What is
    /// subscribed to is compared when what it gives is driven to its end.
    ///
    /// Whoever owns the clock calls it, after [`Debounce`](crate::mcp::Debounce) said so.
    pub fn announce_changes(&self) -> Option<Updates> {
        // Without the lock: this runs the application's own code.
        if !self.note_change() {
            return None;
        }
        if let Some(offered) = self.offered() {
            self.announce(&offered);
        }
        self.updates()
    }

    /// What exists for the caller now; `None` where everything does, always.
    pub(crate) fn offered(&self) -> Option<Offered> {
        self.handler.available(&self.principal())
    }

    /// Tells of the difference between `offered` and what was told.
    pub(crate) fn announce(&self, offered: &Offered) {
        self.shared.lock().announce(offered, &*self.outbox);
    }

    /// Reads what is subscribed to, and tells of what has changed.
    pub(crate) fn updates(&self) -> Option<Updates> {
        updates::look(&self.handler, &self.principal(), &self.shared, &self.outbox)
    }
}

//! How many calls, or streams, each caller has.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

use crate::runtime::PrincipalId;

/// What callers without sessions have going on.
pub(super) struct Calls {
    limit: usize,
    counts: Mutex<HashMap<PrincipalId, usize>>,
}

/// The place of one call, or of those of a batch; given up when it is dropped.
pub(super) struct Place {
    calls: Arc<Calls>,
    many: usize,
    caller: PrincipalId,
}

impl Calls {
    pub(super) fn new(limit: usize) -> Self {
        Self { limit, counts: Mutex::default() }
    }

    pub(super) fn limit(&self) -> usize {
        self.limit
    }

    /// A place for one more call; `None` at the limit.
    pub(super) fn take(self: &Arc<Self>, caller: PrincipalId) -> Option<Place> {
        self.take_many(caller, 1)
    }

    /// A place for so many more calls; `None` where they would go over the limit.
    pub(super) fn take_many(self: &Arc<Self>, caller: PrincipalId, many: usize) -> Option<Place> {
        let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        let before = counts.get(&caller).copied().unwrap_or_default();
        let count = before.checked_add(many).filter(|count| *count <= self.limit)?;
        counts.insert(caller.clone(), count);
        drop(counts);
        Some(Place { calls: self.clone(), many, caller })
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut counts = self.calls.counts.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = counts.get_mut(&self.caller) {
            *count -= self.many;
            if *count == 0 {
                counts.remove(&self.caller);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_limit_is_each_callers_own() {
        let calls = Arc::new(Calls::new(1));
        let (ada, bob) = (PrincipalId::local("ada"), PrincipalId::local("bob"));
        let first = calls.take(ada.clone());
        assert!(first.is_some() && calls.take(ada.clone()).is_none());
        assert!(calls.take(bob).is_some());
        drop(first);
        assert!(calls.counts.lock().unwrap().is_empty(), "nothing is kept of who is gone");
        assert!(calls.take(ada).is_some());
    }
}

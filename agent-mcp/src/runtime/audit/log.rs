//! The audit in memory.

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use super::{AuditEntry, AuditSink};
use crate::host::BoxError;

/// An audit in memory that keeps the newest entries (B97). Clones share it.
///
/// ```
/// let log = agent_mcp::AuditLog::new(500);
/// assert!(log.entries().is_empty());
/// ```
#[derive(Clone)]
pub struct AuditLog {
    ring: Arc<Mutex<Ring>>,
}

struct Ring {
    entries: VecDeque<AuditEntry>,
    capacity: usize,
}

impl AuditLog {
    /// Keeps the newest `capacity` entries, at least one.
    #[must_use]
    pub fn new(capacity: usize) -> Self {
        let capacity = capacity.max(1);
        Self { ring: Arc::new(Mutex::new(Ring { entries: VecDeque::new(), capacity })) }
    }

    /// A copy of the entries, in the order in which their invocations started.
    #[must_use]
    pub fn entries(&self) -> Vec<AuditEntry> {
        self.lock().entries.iter().cloned().collect()
    }

    /// Forgets all entries.
    pub fn clear(&self) {
        self.lock().entries.clear();
    }

    fn lock(&self) -> MutexGuard<'_, Ring> {
        self.ring.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Default for AuditLog {
    fn default() -> Self {
        Self::new(500)
    }
}

impl AuditSink for AuditLog {
    async fn record(&self, entry: &AuditEntry) -> Result<(), BoxError> {
        let mut ring = self.lock();
        let place = ring.entries.partition_point(|other| other.sequence < entry.sequence);
        ring.entries.insert(place, entry.clone());
        if ring.entries.len() > ring.capacity {
            ring.entries.pop_front();
        }
        Ok(())
    }
}

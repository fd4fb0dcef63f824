//! What time it is.

use std::time::{Duration, SystemTime};

use tokio::time::Instant;

/// A clock that begins at the system's time and never goes back, whatever becomes of that.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Clock {
    began: Duration,
    at: Instant,
}

impl Clock {
    pub(crate) fn new() -> Self {
        let began = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        Self { began, at: Instant::now() }
    }

    /// The time since 1970.
    pub(crate) fn now(&self) -> Duration {
        self.began + self.at.elapsed()
    }
}

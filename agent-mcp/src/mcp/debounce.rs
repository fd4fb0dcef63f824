//! When to look whether a list has changed.

use std::time::{Duration, Instant};

/// A trailing window with a longest wait (B131).
///
/// It keeps no clock and no timer: whoever owns them tells of changes and asks for the deadline.
#[derive(Clone, Debug)]
pub struct Debounce {
    window: Duration,
    /// The first and the last change that nobody has looked at yet.
    pending: Option<(Instant, Instant)>,
}

impl Debounce {
    /// How many windows after the first change it is due, however many follow.
    pub const LONGEST: u32 = 10;

    /// Looks `window` after the last change; a window of zero looks after every change.
    #[must_use]
    pub fn new(window: Duration) -> Self {
        Self { window, pending: None }
    }

    /// There was a change.
    pub fn changed(&mut self, now: Instant) {
        let first = self.pending.map_or(now, |(first, _)| first);
        self.pending = Some((first, now));
    }

    /// When to look, if there is anything to look for.
    #[must_use]
    pub fn deadline(&self) -> Option<Instant> {
        let (first, last) = self.pending?;
        let longest = self.window.checked_mul(Self::LONGEST);
        let rested = last.checked_add(self.window)?;
        let waited = longest.and_then(|longest| first.checked_add(longest));
        Some(waited.map_or(rested, |waited| waited.min(rested)))
    }

    /// Whether it is time to look; if so, what was pending is done with.
    pub fn due(&mut self, now: Instant) -> bool {
        let due = self.deadline().is_some_and(|deadline| deadline <= now);
        if due {
            self.pending = None;
        }
        due
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WINDOW: Duration = Duration::from_millis(50);

    #[test]
    fn b131_changes_within_the_window_collapse() {
        let start = Instant::now();
        let mut debounce = Debounce::new(WINDOW);
        assert_eq!(debounce.deadline(), None);
        assert!(!debounce.due(start));

        debounce.changed(start);
        debounce.changed(start + Duration::from_millis(30));
        assert_eq!(debounce.deadline(), Some(start + Duration::from_millis(80)));
        assert!(!debounce.due(start + Duration::from_millis(79)));
        assert!(debounce.due(start + Duration::from_millis(80)));
        assert!(!debounce.due(start + Duration::from_millis(200)), "it is due once");
    }

    #[test]
    fn b131_a_set_that_never_rests_is_looked_at_after_ten_windows() {
        let start = Instant::now();
        let mut debounce = Debounce::new(WINDOW);
        for step in 0..1_000 {
            debounce.changed(start + Duration::from_millis(step));
        }
        assert_eq!(debounce.deadline(), Some(start + WINDOW * 10));
        assert!(debounce.due(start + WINDOW * 10));
    }

    #[test]
    fn a_window_without_an_end_never_closes() {
        let mut debounce = Debounce::new(Duration::MAX);
        debounce.changed(Instant::now());
        assert_eq!(debounce.deadline(), None);
    }

    #[test]
    fn b131_without_a_window_every_change_is_due_at_once() {
        let now = Instant::now();
        let mut debounce = Debounce::new(Duration::ZERO);
        debounce.changed(now);
        assert!(debounce.due(now));
        assert!(!debounce.due(now));
    }
}

//! When to compare what is offered with what the client knows.

use std::{sync::Arc, time::Duration};

use tokio::{
    sync::Notify,
    time::{Instant, sleep_until},
};

use super::{outgoing::Outgoing, peer::Peer};
use crate::mcp::Debounce;

/// Watches the state, and says when it is time to compare.
pub(super) struct Changes {
    noticed: Arc<Notify>,
    debounce: Debounce,
    _subscriptions: Box<dyn Send>,
}

impl Changes {
    pub(super) fn watch<P: Peer>(
        peer: &Arc<P>,
        outgoing: &Arc<Outgoing>,
        window: Duration,
    ) -> Self {
        let noticed = Arc::new(Notify::new());
        let notice = noticed.clone();
        let outgoing = outgoing.clone();
        // Held weakly: the host's list of observers must not keep the connection.
        let observed = Arc::downgrade(peer);
        let subscriptions = peer.observe(Arc::new(move || {
            let Some(peer) = observed.upgrade() else { return };
            if !peer.note_change() {
                return;
            }
            // Without a window the notice goes before the reply of the call that caused it.
            if window.is_zero() && outgoing.has_much_room() {
                peer.announce_changes();
            } else {
                notice.notify_one();
            }
        }));
        Self { noticed, debounce: Debounce::new(window), _subscriptions: subscriptions }
    }

    /// Waits until it is time to compare. Dropping the future loses nothing.
    pub(super) async fn due(&mut self) {
        loop {
            let deadline = self.debounce.deadline().map(Instant::from_std);
            tokio::select! {
                biased;
                () = self.noticed.notified() => self.debounce.changed(Instant::now().into_std()),
                () = sleep_until(deadline.unwrap_or_else(Instant::now)), if deadline.is_some() => {
                    if self.debounce.due(Instant::now().into_std()) {
                        return;
                    }
                }
            }
        }
    }
}

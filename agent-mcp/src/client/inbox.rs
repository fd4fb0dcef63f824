//! What the server has said and nobody has heard yet.

use std::{
    collections::VecDeque,
    sync::{Mutex, MutexGuard, PoisonError},
};

use bytes::Bytes;
use serde_json::Value;
use tokio::sync::Notify;

use crate::mcp::{Outbox, Updates};

/// Keeps what is said until it is heard.
#[derive(Default)]
pub(super) struct Inbox {
    kept: Mutex<Kept>,
    news: Notify,
}

#[derive(Default)]
struct Kept {
    said: VecDeque<Value>,
    /// Looks at what is subscribed to: what they find is said when they are driven.
    looks: Vec<Updates>,
}

impl Inbox {
    /// The next message.
    pub(super) async fn next(&self) -> Value {
        loop {
            // Before it looks, so that nothing is missed.
            let news = self.news.notified();
            self.look().await;
            let message = self.kept().said.pop_front();
            match message {
                Some(message) => return message,
                None => news.await,
            }
        }
    }

    /// All messages.
    pub(super) fn take_all(&self) -> VecDeque<Value> {
        std::mem::take(&mut self.kept().said)
    }

    /// Looks at what is subscribed to, where there was a change.
    pub(super) async fn look(&self) {
        loop {
            let looks = std::mem::take(&mut self.kept().looks);
            if looks.is_empty() {
                return;
            }
            for look in looks {
                look.await;
            }
        }
    }

    /// Something has changed: at the next time somebody listens, there is to be a look.
    pub(super) fn will_look(&self, updates: Updates) {
        self.kept().looks.push(updates);
        self.news.notify_waiters();
    }

    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Outbox for Inbox {
    fn send(&self, message: Bytes) {
        // What is no JSON is nothing that a client could read either.
        if let Ok(message) = serde_json::from_slice(&message) {
            self.kept().said.push_back(message);
            self.news.notify_waiters();
        }
    }
}

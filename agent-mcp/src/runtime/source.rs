//! State outside the Model that a completion may wait for (B76).

use std::{ops::Deref, sync::Arc};

use tokio::sync::watch;

use super::completion::Step;
use crate::host::Subscription;

/// State outside the Model: something to read and to be told about.
///
/// A source may change in place, so it is read again at every notice (B75).
pub trait Source: Send + Sync + 'static {
    /// What a `when` closure is shown.
    type Value;

    /// The present value.
    fn get(&self) -> impl Deref<Target = Self::Value>;

    /// Calls `notify` after every change until the subscription is dropped.
    fn observe(&self, notify: Arc<dyn Fn() + Send + Sync>) -> Subscription;
}

impl<S: Source> Source for Arc<S> {
    type Value = S::Value;

    fn get(&self) -> impl Deref<Target = S::Value> {
        S::get(self)
    }

    fn observe(&self, notify: Arc<dyn Fn() + Send + Sync>) -> Subscription {
        S::observe(self, notify)
    }
}

/// What another part of the application publishes through a [`watch`] channel.
///
/// Whoever waits is told until the channel closes; it may then still be read.
impl<T: Send + Sync + 'static> Source for watch::Receiver<T> {
    type Value = T;

    fn get(&self) -> impl Deref<Target = T> {
        self.borrow()
    }

    fn observe(&self, notify: Arc<dyn Fn() + Send + Sync>) -> Subscription {
        let mut changes = self.clone();
        let telling = tokio::spawn(async move {
            while changes.changed().await.is_ok() {
                notify();
            }
        });
        Subscription::new(move || telling.abort())
    }
}

/// A source and a predicate over it.
pub(crate) trait SourceWatch: Send + Sync {
    fn check(&self) -> Step;
    fn observe(&self, notify: Arc<dyn Fn() + Send + Sync>) -> Subscription;
}

pub(crate) fn watch<S, F>(source: S, predicate: F) -> Box<dyn SourceWatch>
where
    S: Source,
    F: Fn(&S::Value) -> Step + Send + Sync + 'static,
{
    struct Watch<S, F>(S, F);

    impl<S: Source, F: Fn(&S::Value) -> Step + Send + Sync> SourceWatch for Watch<S, F> {
        fn check(&self) -> Step {
            (self.1)(&self.0.get())
        }

        fn observe(&self, notify: Arc<dyn Fn() + Send + Sync>) -> Subscription {
            self.0.observe(notify)
        }
    }

    Box::new(Watch(source, predicate))
}

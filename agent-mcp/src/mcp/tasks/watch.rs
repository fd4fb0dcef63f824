//! Tasks that somebody listens to (TSK-15).

use std::{
    collections::BTreeSet,
    sync::{Arc, Mutex, PoisonError},
};

use tokio::sync::Notify;

use super::{TaskRecord, Tasks};
use crate::{host::Subscription, runtime::PrincipalId};

/// Tasks of one owner, of which each change is told.
pub(crate) struct Watching {
    tasks: Arc<Tasks>,
    owner: PrincipalId,
    changed: Arc<Changed>,
    /// Those that there are.
    pub(crate) ids: Vec<Arc<str>>,
    _subscriptions: Vec<Subscription>,
}

#[derive(Default)]
struct Changed {
    ids: Mutex<BTreeSet<Arc<str>>>,
    news: Notify,
}

impl Watching {
    /// Watches those of the tasks that are `owner`'s. What is not, or not any more, is not watched.
    pub(crate) async fn new(tasks: Arc<Tasks>, owner: PrincipalId, ids: Vec<Arc<str>>) -> Self {
        let changed = Arc::new(Changed::default());
        let (mut owned, mut subscriptions) = (Vec::new(), Vec::new());
        for id in ids {
            // First watched, then looked at, so that no change is missed.
            let hear = {
                let (changed, id) = (changed.clone(), id.clone());
                move || changed.note(&id)
            };
            let subscription = tasks.store.watch(&id, Arc::new(hear));
            match tasks.load(&id, &owner).await {
                Ok(Some(_)) => {
                    owned.push(id);
                    subscriptions.push(subscription);
                }
                Ok(None) => {}
                Err(error) => tracing::error!(%error, "the store of the tasks failed"),
            }
        }
        Self { tasks, owner, changed, ids: owned, _subscriptions: subscriptions }
    }

    /// The next task that has changed, as it is now.
    pub(crate) async fn next(&mut self) -> (Arc<str>, TaskRecord) {
        loop {
            let changed = self.changed.lock().pop_first();
            let Some(id) = changed else {
                self.changed.news.notified().await;
                continue;
            };
            match self.tasks.load(&id, &self.owner).await {
                Ok(Some(task)) => return (id, task),
                Ok(None) => {}
                Err(error) => tracing::error!(%error, "the store of the tasks failed"),
            }
        }
    }
}

impl Changed {
    fn note(&self, id: &Arc<str>) {
        self.lock().insert(id.clone());
        self.news.notify_one();
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, BTreeSet<Arc<str>>> {
        self.ids.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

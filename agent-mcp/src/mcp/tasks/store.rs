//! Where tasks are kept.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use tokio::time::Instant;

use super::record::TaskRecord;
use crate::{
    host::{BoxError, Subscription},
    runtime::{BoxFuture, PrincipalId},
};

/// Keeps the tasks of one server, or of several that stand for each other.
///
/// Without another one, each server keeps its own in a [`MemoryTasks`]. A task runs where it began; servers
/// that share a store can answer for each other's tasks, hand answers to them and cancel them.
///
/// A store need not look into a [`TaskRecord`], which is data for serde. It keeps a record at least until
/// [`lifetime`](TaskRecord::lifetime) is over, counted from its insertion.
pub trait TaskStore: Send + Sync + 'static {
    /// Keeps a new task, if there is room. It can be loaded once this has resolved (TSK-5).
    fn insert<'a>(
        &'a self,
        id: &'a str,
        task: TaskRecord,
        limits: TaskLimits,
    ) -> BoxFuture<'a, Result<TaskAdmission, BoxError>>;

    /// The task of that id.
    fn load<'a>(&'a self, id: &'a str) -> BoxFuture<'a, Result<Option<TaskRecord>, BoxError>>;

    /// Keeps another state of a task and tells whoever watches it. False, and nothing is kept, unless what is
    /// kept has the [version](TaskRecord::version) before that of `task`.
    fn replace<'a>(
        &'a self,
        id: &'a str,
        task: TaskRecord,
    ) -> BoxFuture<'a, Result<bool, BoxError>>;

    /// Calls `hear` after each change of the task, also of one at another server, until the subscription is
    /// dropped. It is quick and does not call back into the store.
    fn watch(&self, id: &str, hear: Arc<dyn Fn() + Send + Sync>) -> Subscription;
}

/// How many tasks there may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TaskLimits {
    /// In all.
    pub tasks: usize,
    /// For each owner, unless it is anonymous.
    pub tasks_per_principal: usize,
}

impl TaskLimits {
    pub(crate) fn new(tasks: usize, tasks_per_principal: usize) -> Self {
        Self { tasks, tasks_per_principal }
    }
}

/// Whether there was room for a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TaskAdmission {
    /// It is kept.
    Admitted,
    /// There are too many.
    Full,
    /// Its owner has too many.
    FullForOwner,
}

/// Keeps tasks in the memory of the process: they end with it.
#[derive(Default)]
pub struct MemoryTasks {
    tasks: Arc<Mutex<HashMap<Arc<str>, Kept>>>,
}

struct Kept {
    task: TaskRecord,
    until: Instant,
    watchers: Vec<(u64, Arc<dyn Fn() + Send + Sync>)>,
    next: u64,
}

impl MemoryTasks {
    /// Keeps nothing yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Arc<str>, Kept>> {
        lock(&self.tasks)
    }
}

fn lock(tasks: &Mutex<HashMap<Arc<str>, Kept>>) -> MutexGuard<'_, HashMap<Arc<str>, Kept>> {
    // Nothing that can panic runs under the lock.
    tasks.lock().unwrap_or_else(PoisonError::into_inner)
}

impl TaskStore for MemoryTasks {
    fn insert<'a>(
        &'a self,
        id: &'a str,
        task: TaskRecord,
        limits: TaskLimits,
    ) -> BoxFuture<'a, Result<TaskAdmission, BoxError>> {
        let mut tasks = self.lock();
        let now = Instant::now();
        let is_full = |tasks: &HashMap<_, Kept>| {
            let owned = || tasks.values().filter(|kept| kept.task.owner() == task.owner()).count();
            if tasks.len() >= limits.tasks {
                TaskAdmission::Full
            } else if *task.owner() != PrincipalId::anonymous()
                && owned() >= limits.tasks_per_principal
            {
                TaskAdmission::FullForOwner
            } else {
                TaskAdmission::Admitted
            }
        };
        let mut admission = is_full(&tasks);
        if admission != TaskAdmission::Admitted {
            // What is over its time makes room; until somebody needs the room it does no harm.
            tasks.retain(|_, kept| kept.until > now);
            admission = is_full(&tasks);
        }
        if admission == TaskAdmission::Admitted {
            let until = now + task.lifetime();
            tasks.insert(id.into(), Kept { task, until, watchers: Vec::new(), next: 0 });
        }
        Box::pin(async move { Ok(admission) })
    }

    fn load<'a>(&'a self, id: &'a str) -> BoxFuture<'a, Result<Option<TaskRecord>, BoxError>> {
        let tasks = self.lock();
        let kept = tasks.get(id).filter(|kept| kept.until > Instant::now());
        let task = kept.map(|kept| kept.task.clone());
        Box::pin(async move { Ok(task) })
    }

    fn replace<'a>(
        &'a self,
        id: &'a str,
        task: TaskRecord,
    ) -> BoxFuture<'a, Result<bool, BoxError>> {
        let watchers: Option<Vec<_>> = match self.lock().get_mut(id) {
            Some(kept) if kept.task.version() + 1 == task.version() => {
                kept.task = task;
                Some(kept.watchers.iter().map(|(_, hear)| hear.clone()).collect())
            }
            _ => None,
        };
        let replaced = watchers.is_some();
        for hear in watchers.into_iter().flatten() {
            hear();
        }
        Box::pin(async move { Ok(replaced) })
    }

    fn watch(&self, id: &str, hear: Arc<dyn Fn() + Send + Sync>) -> Subscription {
        let mut tasks = self.lock();
        let Some(kept) = tasks.get_mut(id) else { return Subscription::new(|| {}) };
        let number = kept.next;
        kept.next += 1;
        kept.watchers.push((number, hear));
        drop(tasks);
        let (tasks, id): (_, Arc<str>) = (Arc::downgrade(&self.tasks), id.into());
        Subscription::new(move || {
            if let Some(tasks) = tasks.upgrade()
                && let Some(kept) = lock(&tasks).get_mut(&id)
            {
                kept.watchers.retain(|(other, _)| *other != number);
            }
        })
    }
}

/// How long a task may be kept at the least.
pub(crate) const SHORTEST: Duration = Duration::from_secs(1);

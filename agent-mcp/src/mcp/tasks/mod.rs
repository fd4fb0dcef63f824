//! Calls that go on when their caller has been let go: the extension `io.modelcontextprotocol/tasks` (modern).

mod methods;
mod record;
mod run;
mod store;
mod watch;

use std::{sync::Arc, time::Duration};

use bytes::Bytes;
use serde_json::json;
use tokio::time::timeout;
use tokio_util::{
    sync::{CancellationToken, DropGuard},
    task::TaskTracker,
};
use uuid::Uuid;

pub(crate) use self::{
    methods::{Verb, touch},
    run::{First, run},
    watch::Watching,
};
pub use self::{
    record::TaskRecord,
    store::{MemoryTasks, TaskAdmission, TaskLimits, TaskStore},
};
use super::{clock::Clock, error::RpcError, face::Face, reply::Reply, writer::Writer};
use crate::{
    host::BoxError,
    runtime::{Client, Limits, NoTask, PrincipalId},
};

/// The name of the extension.
pub(crate) const EXTENSION: &str = "io.modelcontextprotocol/tasks";

/// The tasks of a server.
pub(crate) struct Tasks {
    store: Arc<dyn TaskStore>,
    limits: TaskLimits,
    ttl: Duration,
    /// How often one may ask its owner.
    rounds: usize,
    clock: Clock,
    /// The calls that run here and are tasks or may become some.
    running: TaskTracker,
    /// Cancelled when they have to end.
    ending: CancellationToken,
}

/// How tasks end with their server. Without a transport none does.
#[cfg_attr(not(any(feature = "stdio", feature = "http")), allow(dead_code))]
impl Tasks {
    /// Waits until no task runs here. For a transport that drains: it takes no more calls.
    pub(crate) async fn over(&self) {
        self.running.close();
        self.running.wait().await;
    }

    /// Cancels what still runs here, which has `grace` to be recorded as cancelled.
    pub(crate) async fn cancel(&self, grace: Duration) {
        if self.running.is_empty() {
            return;
        }
        tracing::warn!(
            tasks = self.running.len(),
            "the time limit `drain` is over: tasks are cancelled"
        );
        self.ending.cancel();
        let _ = timeout(grace, self.over()).await;
    }

    /// Cancels all tasks here when it is dropped.
    pub(crate) fn ending(&self) -> DropGuard {
        self.ending.clone().drop_guard()
    }
}

impl Tasks {
    /// How often a client should ask, in milliseconds.
    const POLL_MS: u64 = 1_000;

    pub(crate) fn new(limits: &Limits, store: Option<Arc<dyn TaskStore>>) -> Self {
        let store = store.unwrap_or_else(|| Arc::new(MemoryTasks::new()));
        let kept = TaskLimits::new(limits.tasks, limits.tasks_per_principal);
        let ttl = limits.task_ttl;
        Self {
            store,
            limits: kept,
            ttl: ttl.max(store::SHORTEST),
            rounds: limits.rounds,
            clock: Clock::new(),
            running: TaskTracker::new(),
            ending: CancellationToken::new(),
        }
    }

    fn now(&self) -> Duration {
        self.clock.now()
    }

    /// Keeps a new task and gives its id, which nobody can guess (TSK-14).
    async fn insert(&self, owner: PrincipalId) -> Result<(Arc<str>, TaskRecord), NoTask> {
        let task = TaskRecord::new(owner, self.now(), self.ttl);
        let id: Arc<str> = Uuid::new_v4().to_string().into();
        match self.store.insert(&id, task.clone(), self.limits).await? {
            TaskAdmission::Admitted => Ok((id, task)),
            TaskAdmission::Full => Err(NoTask::Full("tasks")),
            TaskAdmission::FullForOwner => Err(NoTask::Full("tasks_per_principal")),
        }
    }

    /// The task of that id, where it is `owner`'s.
    async fn load(&self, id: &str, owner: &PrincipalId) -> Result<Option<TaskRecord>, BoxError> {
        let task = self.store.load(id).await?;
        Ok(task.filter(|task| task.owner() == owner))
    }

    /// Changes a task, unless it is over or gone; `change` may run several times. It is given back as it is
    /// then.
    async fn change(
        &self,
        id: &str,
        change: impl Fn(&mut TaskRecord),
    ) -> Result<Option<TaskRecord>, BoxError> {
        loop {
            let Some(mut task) = self.store.load(id).await? else { return Ok(None) };
            if task.is_over() {
                return Ok(Some(task));
            }
            let before = task.clone();
            change(&mut task);
            if task == before {
                return Ok(Some(task));
            }
            task.touch(self.now());
            if self.store.replace(id, task.clone()).await? {
                return Ok(Some(task));
            }
        }
    }
}

/// The answer to a call that goes on as a task (TSK-4).
pub(crate) fn created(id: &str, face: &Face, task: &str, record: &TaskRecord) -> Bytes {
    let mut reply = Reply::new(id, face, 256);
    reply.members(|writer| record.write(task, Tasks::POLL_MS, writer));
    reply.end_as("task")
}

/// What the owner is to know of a task that has changed (TSK-15).
pub(crate) fn told(notice: &mut Writer, id: &str, task: &TaskRecord) {
    task.write(id, Tasks::POLL_MS, notice);
    task.write_details(notice);
}

/// Whether the client keeps tasks, by the word of the request at hand (TSK-2).
pub(crate) fn are_kept_by(client: &Client) -> bool {
    client.capabilities["extensions"][EXTENSION].is_object()
}

/// TSK-3, TSK-11: the client would have to keep tasks.
pub(crate) fn needed() -> RpcError {
    RpcError::new(RpcError::MISSING_CAPABILITY, "This needs a client that keeps tasks")
        .with(&json!({ "requiredCapabilities": { "extensions": { EXTENSION: {} } } }))
}

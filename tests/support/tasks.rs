//! Tasks that are kept for longer than their server.
#![allow(clippy::unwrap_used)] // helpers of tests are tests

use std::sync::{Arc, Mutex};

use agent_mcp::{
    host::{BoxError, Subscription},
    mcp::{MemoryTasks, TaskAdmission, TaskLimits, TaskRecord, TaskStore},
    runtime::BoxFuture,
};
use serde_json::Value;

/// A store of tasks that tests look into. Clones are the same.
#[derive(Clone, Default)]
pub struct Shelf(Arc<(MemoryTasks, Mutex<Vec<String>>)>);

impl Shelf {
    /// How each task has ended that is kept, in the order in which they began; null for one that has not.
    pub async fn endings(&self) -> Vec<Value> {
        let ids = self.0.1.lock().unwrap().clone();
        let mut endings = Vec::new();
        for id in ids {
            let task = self.load(&id).await.unwrap().unwrap();
            endings.push(serde_json::to_value(task).unwrap()["ending"].clone());
        }
        endings
    }
}

impl TaskStore for Shelf {
    fn insert<'a>(
        &'a self,
        id: &'a str,
        task: TaskRecord,
        limits: TaskLimits,
    ) -> BoxFuture<'a, Result<TaskAdmission, BoxError>> {
        self.0.1.lock().unwrap().push(id.to_owned());
        self.0.0.insert(id, task, limits)
    }

    fn load<'a>(&'a self, id: &'a str) -> BoxFuture<'a, Result<Option<TaskRecord>, BoxError>> {
        self.0.0.load(id)
    }

    fn replace<'a>(
        &'a self,
        id: &'a str,
        task: TaskRecord,
    ) -> BoxFuture<'a, Result<bool, BoxError>> {
        self.0.0.replace(id, task)
    }

    fn watch(&self, id: &str, hear: Arc<dyn Fn() + Send + Sync>) -> Subscription {
        self.0.0.watch(id, hear)
    }
}

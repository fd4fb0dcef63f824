//! A call that lets its caller go and ends later: a task.

use std::sync::Arc;

use super::{
    agent::Agent, context::Context, dialogue::End, hooks::BoxFuture, invocation::Invocation,
};
use crate::host::BoxError;

/// What makes a call a task; an adapter implements it.
pub trait Begin: Send + Sync {
    /// Lets the caller go: from now on the outcome is the task's. When it resolves, the task can be found by
    /// its caller. Beginning twice is beginning once.
    fn begin(&self) -> BoxFuture<'_, Result<(), NoTask>>;

    /// How often the task may ask its caller.
    fn rounds(&self) -> usize;
}

/// Why a task cannot begin.
#[derive(Debug, thiserror::Error)]
pub enum NoTask {
    /// There are too many already.
    #[error("the server is at its limit `{0}`")]
    Full(&'static str),
    /// It cannot be kept.
    #[error(transparent)]
    Store(#[from] BoxError),
}

impl Invocation {
    /// Makes the call a task, which begins with the method, or where the method says so.
    #[must_use]
    pub fn with_task(mut self, task: Arc<dyn Begin>) -> Self {
        self.task = Some(task);
        self
    }

    /// Begins the task, where the call is to be one. What is asked from now on is answered in place.
    pub(super) async fn begin_task(&self) -> Result<(), NoTask> {
        if let Some(task) = &self.task {
            task.begin().await?;
            self.dialogue().go_live(task.rounds());
        }
        Ok(())
    }
}

impl<A: Agent> Context<A> {
    /// Lets the caller go, where the call is one that becomes a task: `task = "optional"` or `"required"` on the
    /// capability, and a caller that keeps tasks. For others this does nothing.
    ///
    /// Questions that were asked before are asked while the caller waits, and the method is run again with the
    /// answers. Those that are asked later are inputs of the task: the method waits for each where it asks. A
    /// capability whose method does not have this line is a task from its beginning.
    ///
    /// ```
    /// # use agent_mcp::{Context, agent};
    /// # struct Importer;
    /// # #[agent]
    /// # impl Importer {
    /// /// Imports everything.
    /// #[capability(task = "optional")]
    /// async fn import(&self, cx: &Context<Self>) -> String {
    ///     // Quick checks, and questions that decide whether there is anything to do.
    ///     cx.begin_task().await;
    ///     // Minutes of work.
    ///     "imported".to_owned()
    /// }
    /// # }
    /// ```
    pub async fn begin_task(&self) {
        if let Err(error) = self.invocation().begin_task().await {
            self.invocation().dialogue().end(End::NoTask(error));
            std::future::pending::<()>().await;
        }
    }
}

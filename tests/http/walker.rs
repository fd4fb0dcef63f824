//! An agent whose calls say something when they are told to.

use std::{sync::Arc, time::Duration};

use agent_mcp::{Context, agent};

use crate::desk::Gate;

#[derive(Clone, Default)]
pub(crate) struct Walker {
    pub(crate) gate: Arc<Gate>,
}

/// Walks.
#[agent(name = "walker")]
impl Walker {
    /// Takes three steps, each when it may, and arrives when it may.
    #[capability]
    async fn walk(&self, cx: &Context<Self>) -> String {
        for step in [1.0, 2.0, 3.0] {
            Gate::pass(&self.gate.open).await;
            cx.progress().report(step);
            self.gate.begun.add_permits(1);
        }
        Gate::pass(&self.gate.open).await;
        "arrived".to_owned()
    }

    /// Goes on alone, and arrives when it may.
    #[capability]
    async fn stray(&self, cx: &Context<Self>) -> String {
        cx.release(Duration::from_secs(2));
        Gate::pass(&self.gate.open).await;
        self.gate.begun.add_permits(1);
        "arrived".to_owned()
    }
}

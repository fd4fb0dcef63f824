//! Who serves each caller: the same agents for all, or agents of its own.

use std::{ops::Deref, sync::Arc};

use http::{HeaderValue, StatusCode, header};

use super::{
    calls::Calls,
    changes::Changes,
    instances::{InUse, Instances, NotMade},
    respond::Refusal,
};
use crate::{
    mcp::{Handler, Handlers, Incoming, Protocol, RpcError},
    runtime::Principal,
};

/// What serves the callers of a server.
pub(super) struct Callers<P: Principal> {
    handlers: Arc<Handlers<P>>,
    agents: Agents<P>,
}

enum Agents<P: Principal> {
    ForAll(Arc<Instance<P>>),
    PerCaller {
        /// Of callers without a session.
        instances: Arc<Instances<Instance<P>>>,
        /// How many sessions each caller begins at the moment.
        openings: Arc<Calls>,
    },
}

/// Bound agents, and who is told of their changes.
pub(super) struct Instance<P: Principal> {
    pub(super) handler: Handler<P>,
    pub(super) changes: Arc<Changes<P>>,
}

impl<P: Principal> Instance<P> {
    fn new(handler: Handler<P>) -> Self {
        let changes = Arc::new(Changes::new(handler.runtime().clone()));
        Self { handler, changes }
    }
}

/// The agents that serve a request without a session. They are kept as long as it lasts.
pub(super) enum Serving<P: Principal> {
    ForAll(Arc<Instance<P>>),
    PerCaller(InUse<Instance<P>>),
}

impl<P: Principal> Deref for Serving<P> {
    type Target = Instance<P>;

    fn deref(&self) -> &Instance<P> {
        match self {
            Self::ForAll(instance) => instance,
            Self::PerCaller(instance) => instance,
        }
    }
}

impl<P: Principal> Callers<P> {
    pub(super) fn new(handlers: Handlers<P>) -> Self {
        let limits = handlers.protocol().limits();
        let agents = match handlers.shared() {
            Some(handler) => Agents::ForAll(Arc::new(Instance::new(handler))),
            None => {
                let instances = Instances::new(limits.callers, limits.session_idle);
                let openings = Arc::new(Calls::new(limits.calls_in_flight));
                Agents::PerCaller { instances: Arc::new(instances), openings }
            }
        };
        Self { handlers: Arc::new(handlers), agents }
    }

    pub(super) fn protocol(&self) -> &Protocol {
        self.handlers.protocol()
    }

    /// What serves a request of `principal` that belongs to no session.
    pub(super) async fn serving(&self, principal: &Arc<P>) -> Result<Serving<P>, NotMade> {
        let instances = match &self.agents {
            Agents::ForAll(instance) => return Ok(Serving::ForAll(instance.clone())),
            Agents::PerCaller { instances, .. } => instances,
        };
        let making = make(self.handlers.clone(), principal.clone());
        instances.get(principal.id(), making).await.map(Serving::PerCaller)
    }

    /// What serves a session that `principal` begins (B154).
    pub(super) async fn for_session(
        &self,
        principal: &Arc<P>,
    ) -> Result<Arc<Instance<P>>, NotMade> {
        let openings = match &self.agents {
            Agents::ForAll(instance) => return Ok(instance.clone()),
            Agents::PerCaller { openings, .. } => openings,
        };
        let full = || NotMade::Full(openings.limit(), "calls_in_flight");
        let _place = openings.take(principal.id()).ok_or_else(full)?;
        let made = make(self.handlers.clone(), principal.clone()).await;
        made.map(Arc::new).map_err(NotMade::Failed)
    }
}

async fn make<P: Principal>(
    handlers: Arc<Handlers<P>>,
    principal: Arc<P>,
) -> Result<Instance<P>, RpcError> {
    handlers.make(&principal).await.map(Instance::new).map_err(RpcError::unbound)
}

impl NotMade {
    /// The answer to the request that has to go without.
    pub(super) fn refusal(self, incoming: Option<&Incoming<'_>>) -> Refusal {
        let (status, error) = match self {
            Self::Full(limit, setting) => {
                let reason = format!("{limit} are busy already, which is the limit `{setting}`");
                (StatusCode::TOO_MANY_REQUESTS, RpcError::invalid_request(reason))
            }
            Self::Failed(error) if error.code == RpcError::INTERNAL => {
                (StatusCode::INTERNAL_SERVER_ERROR, error)
            }
            Self::Failed(error) => (StatusCode::FORBIDDEN, error),
            Self::Abandoned => {
                let error = RpcError::new(RpcError::INTERNAL, "The server is being closed");
                (StatusCode::SERVICE_UNAVAILABLE, error)
            }
        };
        let body = incoming.map_or_else(|| error.reply(None), |incoming| incoming.fail(&error));
        let refusal = Refusal::with_body(status, body);
        match status {
            StatusCode::TOO_MANY_REQUESTS => {
                refusal.header(header::RETRY_AFTER, HeaderValue::from_static("1"))
            }
            _ => refusal,
        }
    }
}

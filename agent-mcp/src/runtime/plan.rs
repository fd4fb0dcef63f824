//! The agents of one server before they are bound: everything that is the same for all callers.

use std::{collections::HashMap, sync::Arc};

use tokio_util::task::TaskTracker;

use super::{
    agent::Agent,
    audit::{Audit, Recorder},
    availability::Tells,
    bound::{Bound, Declared, Serve, Shared},
    error::BuildError,
    failure::Failure,
    limits::Limits,
    located::Addresses,
    per_caller::{ForAll, Making, PerCaller},
    principal::Principal,
    rate::Rates,
    runtime::Runtime,
};
use crate::{
    contain::whole,
    contract::{Contract, LintLevel},
    host::SharedHost,
};

/// What all runtimes of a server have in common.
pub(crate) struct Plan {
    pub(super) contract: Contract,
    pub(super) capabilities: HashMap<String, (usize, usize)>,
    pub(super) prompts: HashMap<String, (usize, usize)>,
    pub(super) addresses: Addresses,
    pub(super) shared: Arc<Shared>,
    pub(super) tells: Tells,
    pub(super) depends_on_principal: bool,
}

impl Plan {
    pub(crate) fn contract(&self) -> &Contract {
        &self.contract
    }

    pub(crate) fn limits(&self) -> &Limits {
        &self.shared.limits
    }

    pub(crate) fn tells(&self) -> Tells {
        self.tells
    }

    /// Records a request that a transport has refused.
    #[cfg(feature = "http")]
    pub(crate) fn audit_refused(&self, request: super::audit::RefusedRequest) {
        self.shared.recorder.refused(request);
    }

    /// Waits until every audit entry of what has ended is with the sink.
    #[cfg(feature = "http")]
    pub(crate) async fn flush_audit(&self) {
        self.shared.recorder.flush().await;
    }
}

/// Where an agent comes from. `M` makes those that are made per caller.
enum Origin<P: Principal, M> {
    Shared(Arc<dyn Serve<P>>),
    PerCaller(M),
}

/// Gathers the agents of a server.
pub(crate) struct Gathering<P: Principal, M> {
    origins: Vec<Origin<P, M>>,
    contracts: Vec<Contract>,
    tells: Tells,
    depends_on_principal: bool,
}

impl<P: Principal, M> Gathering<P, M> {
    pub(crate) fn new() -> Self {
        Self {
            origins: Vec::new(),
            contracts: Vec::new(),
            tells: Tells::default(),
            depends_on_principal: false,
        }
    }

    /// Adds an agent for all callers.
    pub(crate) fn add<A: Agent<Principal = P>>(
        &mut self,
        agent: Arc<A>,
        host: SharedHost<A::Model, A::Message>,
    ) -> Result<(), BuildError> {
        let (declared, contract) = Declared::<A>::new()?;
        self.depends_on_principal |= declared.depends_on_principal();
        let may_tell = declared.may_tell();
        let bound = Bound::new(Arc::new(declared), agent, host)?;
        // A probe: the subscription ends at once.
        if bound.observe_reads(Arc::new(|| {})).is_some() {
            self.tells |= may_tell;
        }
        self.origins.push(Origin::Shared(Arc::new(bound)));
        self.contracts.push(contract);
        Ok(())
    }

    /// Binds the agents for all callers.
    pub(crate) fn bind(
        self,
        describe: impl FnOnce(&mut Contract),
        audit: Option<Audit>,
        limits: Limits,
    ) -> Result<Agents<P, M>, BuildError> {
        let mut capabilities = HashMap::new();
        for (agent, contract) in self.contracts.iter().enumerate() {
            for (index, capability) in contract.capabilities.iter().enumerate() {
                capabilities.insert(capability.name.clone(), (agent, index));
            }
        }
        let mut prompts = HashMap::new();
        for (agent, contract) in self.contracts.iter().enumerate() {
            for (index, prompt) in contract.prompts.iter().enumerate() {
                prompts.insert(prompt.name.clone(), (agent, index));
            }
        }
        let addresses = Addresses::new(&self.contracts);
        let mut contract = Contract::merge(self.contracts)?;
        describe(&mut contract);
        contract.validate()?;
        for lint in contract.lint() {
            match lint.level {
                LintLevel::Advice => tracing::info!("{lint}"),
                LintLevel::Warning => tracing::warn!("{lint}"),
            }
        }
        let shared = Shared {
            recorder: Recorder::new(audit),
            limits,
            blocking: TaskTracker::new(),
            rates: Rates::default(),
        };
        let plan = Plan {
            contract,
            capabilities,
            prompts,
            addresses,
            shared: Arc::new(shared),
            tells: self.tells,
            depends_on_principal: self.depends_on_principal,
        };
        Ok(Agents { plan: Arc::new(plan), origins: self.origins })
    }

    /// The same agents, beside others that are made per caller.
    pub(crate) fn per_caller(self) -> Gathering<P, PerCaller<P>>
    where
        M: Into<PerCaller<P>>,
    {
        Gathering {
            origins: per_caller(self.origins),
            contracts: self.contracts,
            tells: self.tells,
            depends_on_principal: self.depends_on_principal,
        }
    }
}

impl<P: Principal> Gathering<P, PerCaller<P>> {
    /// Adds an agent that `make` makes for each caller.
    pub(crate) fn add_per_caller<A: Agent<Principal = P>>(
        &mut self,
        make: Making<A>,
    ) -> Result<(), BuildError> {
        let (declared, mut contract) = Declared::<A>::new()?;
        // CAC-4: what is read is another one's for each caller.
        for hint in contract.resources.iter_mut().filter_map(|resource| resource.cache.as_mut()) {
            hint.public = false;
        }
        // Each caller has a Model of its own. Whether the host tells of its changes is not known yet.
        self.depends_on_principal |= declared.has_conditions();
        self.tells |= declared.may_tell();
        self.origins.push(Origin::PerCaller(PerCaller::new(declared, make)));
        self.contracts.push(contract);
        Ok(())
    }
}

fn per_caller<P: Principal, M: Into<PerCaller<P>>>(
    origins: Vec<Origin<P, M>>,
) -> Vec<Origin<P, PerCaller<P>>> {
    let origins = origins.into_iter().map(|origin| match origin {
        Origin::Shared(agent) => Origin::Shared(agent),
        Origin::PerCaller(maker) => Origin::PerCaller(maker.into()),
    });
    origins.collect()
}

/// The agents of a server: those that are there, and what makes those that are not.
pub(crate) struct Agents<P: Principal, M = PerCaller<P>> {
    plan: Arc<Plan>,
    origins: Vec<Origin<P, M>>,
}

impl<P: Principal, M> Agents<P, M> {
    /// The runtime of all callers.
    pub(crate) fn for_all(self) -> Runtime<P>
    where
        M: ForAll,
    {
        let agents = self.origins.into_iter().map(|origin| match origin {
            Origin::Shared(agent) => agent,
            Origin::PerCaller(nothing) => match nothing.nothing() {},
        });
        Runtime::new(self.plan, agents.collect())
    }

    /// The same, for whoever serves both kinds.
    pub(crate) fn per_caller(self) -> Agents<P>
    where
        M: Into<PerCaller<P>>,
    {
        Agents { plan: self.plan, origins: per_caller(self.origins) }
    }
}

impl<P: Principal> Agents<P> {
    pub(crate) fn plan(&self) -> &Arc<Plan> {
        &self.plan
    }

    /// The runtime of all callers; `None` where some agent is made per caller.
    #[cfg(any(feature = "stdio", feature = "http", feature = "testing"))]
    pub(crate) fn shared(&self) -> Option<Runtime<P>> {
        let agents = self.origins.iter().map(|origin| match origin {
            Origin::Shared(agent) => Some(agent.clone()),
            Origin::PerCaller(_) => None,
        });
        Some(Runtime::new(self.plan.clone(), agents.collect::<Option<_>>()?))
    }

    /// Makes the runtime of one caller. Dropping the future leaves nothing half made (O29).
    pub(crate) async fn runtime_for(&self, principal: &Arc<P>) -> Result<Runtime<P>, Failure> {
        let mut agents = Vec::with_capacity(self.origins.len());
        let making = whole(async {
            for origin in &self.origins {
                agents.push(match origin {
                    Origin::Shared(agent) => agent.clone(),
                    Origin::PerCaller(maker) => maker.make(principal.clone()).await?,
                });
            }
            Ok::<_, Failure>(())
        });
        let limit = self.plan.limits().binding;
        match tokio::time::timeout(limit, making).await {
            Ok(Ok(made)) => made?,
            Ok(Err(panic)) => return Err(Failure::internal(panic)),
            Err(_) => {
                return Err(Failure::internal(format!(
                    "it took longer than {limit:?}, which is the limit `binding`"
                )));
            }
        }
        Ok(Runtime::new(self.plan.clone(), agents))
    }
}

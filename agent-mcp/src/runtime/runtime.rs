//! The agents of one server behind one door.

use std::{collections::HashMap, future::Future, sync::Arc};

use bytes::Bytes;
use tokio_util::task::TaskTracker;
use tracing::Instrument;

use super::{
    agent::Agent,
    audit::{Action, Audit, Recorder},
    bound::{Bound, Readable, Serve, Shared, Task},
    error::BuildError,
    invocation::Invocation,
    limits::Limits,
    outcome::{Outcome, Refusal},
    principal::Principal,
};
use crate::{
    contract::{ContextDescriptor, Contract},
    host::{SharedHost, Subscription},
};

/// Agents bound to their hosts: what every adapter calls. Clones share it.
///
/// It is made by a [`Server`](crate::Server). In-process code calls it through
/// [`InProcess`](super::InProcess); nothing is skipped for such calls (N12).
pub struct Runtime<P: Principal> {
    inner: Arc<Inner<P>>,
}

struct Inner<P: Principal> {
    contract: Contract,
    agents: Vec<Arc<dyn Serve<P>>>,
    capabilities: HashMap<String, (usize, usize)>,
    readables: HashMap<String, (usize, Readable)>,
    shared: Arc<Shared>,
    tells_of_changes: bool,
}

impl<P: Principal> Clone for Runtime<P> {
    fn clone(&self) -> Self {
        Self { inner: self.inner.clone() }
    }
}

/// Gathers agents into a [`Runtime`].
pub(crate) struct Gathering<P: Principal> {
    agents: Vec<Arc<dyn Serve<P>>>,
    contracts: Vec<Contract>,
}

impl<P: Principal> Gathering<P> {
    pub(crate) fn new() -> Self {
        Self { agents: Vec::new(), contracts: Vec::new() }
    }

    pub(crate) fn add<A: Agent<Principal = P>>(
        &mut self,
        agent: Arc<A>,
        host: SharedHost<A::Model, A::Message>,
    ) -> Result<(), BuildError> {
        let (bound, contract) = Bound::new(agent, host)?;
        self.agents.push(Arc::new(bound));
        self.contracts.push(contract);
        Ok(())
    }

    pub(crate) fn bind(
        self,
        describe: impl FnOnce(&mut Contract),
        audit: Option<Audit>,
        limits: Limits,
    ) -> Result<Runtime<P>, BuildError> {
        let mut capabilities = HashMap::new();
        let mut readables = HashMap::new();
        for (agent, contract) in self.contracts.iter().enumerate() {
            for (index, capability) in contract.capabilities.iter().enumerate() {
                capabilities.insert(capability.name.clone(), (agent, index));
            }
            for (index, resource) in contract.resources.iter().enumerate() {
                readables.insert(resource.uri.clone(), (agent, Readable::Resource(index)));
            }
            if contract.context.is_some() {
                readables
                    .entry(ContextDescriptor::URI.to_owned())
                    .or_insert((agent, Readable::Context));
            }
        }
        let mut contract = Contract::merge(self.contracts)?;
        describe(&mut contract);
        contract.validate()?;
        for lint in contract.lint() {
            tracing::warn!("{lint}");
        }
        // A probe: the subscription ends at once.
        let tells_of_changes = self
            .agents
            .iter()
            .any(|agent| agent.has_conditions() && agent.observe_model(Arc::new(|| {})).is_some());
        Ok(Runtime {
            inner: Arc::new(Inner {
                contract,
                agents: self.agents,
                capabilities,
                readables,
                shared: Arc::new(Shared {
                    recorder: Recorder::new(audit),
                    limits,
                    blocking: TaskTracker::new(),
                }),
                tells_of_changes,
            }),
        })
    }
}

impl<P: Principal> Runtime<P> {
    /// What is offered, in the order of declaration. It never moves (B49).
    #[must_use]
    pub fn contract(&self) -> &Contract {
        &self.inner.contract
    }

    /// The limits of the server.
    #[must_use]
    pub fn limits(&self) -> &Limits {
        &self.inner.shared.limits
    }

    /// Whether each capability of the [`contract`](Self::contract) exists for `principal` now.
    #[must_use]
    pub fn available(&self, principal: &P) -> Vec<bool> {
        let mut bits = Vec::with_capacity(self.inner.contract.capabilities.len());
        for agent in &self.inner.agents {
            agent.available(principal, &mut bits);
        }
        bits
    }

    /// Whether two principals may see different capabilities.
    #[must_use]
    pub fn availability_depends_on_principal(&self) -> bool {
        self.inner.agents.iter().any(|agent| agent.depends_on_principal())
    }

    /// Whether some capability comes and goes and its host tells when.
    #[must_use]
    pub fn tells_of_changes(&self) -> bool {
        self.inner.tells_of_changes
    }

    /// Calls `observer` after every change of a Model that some `available` looks at, until the
    /// subscriptions are dropped (B51).
    #[must_use]
    pub fn observe_availability(&self, observer: Arc<dyn Fn() + Send + Sync>) -> Vec<Subscription> {
        let conditional = self.inner.agents.iter().filter(|agent| agent.has_conditions());
        conditional.filter_map(|agent| agent.observe_model(observer.clone())).collect()
    }

    /// Runs a capability in the fixed order. `arguments` are the bytes of a JSON object.
    pub fn call(
        &self,
        capability: &str,
        arguments: Bytes,
        invocation: Invocation,
        principal: Arc<P>,
    ) -> impl Future<Output = Outcome> + Send + use<P> {
        let found = self.inner.capabilities.get(capability).copied();
        let span = span(capability, found.is_some(), &invocation);
        let inner = self.inner.clone();
        let unknown = if found.is_none() { capability.to_owned() } else { String::new() };
        async move {
            let Some((agent, index)) = found else {
                return inner.unknown(&unknown, Some(&arguments), &invocation, &*principal);
            };
            let task = inner.task(invocation, principal, arguments);
            inner.agents[agent].clone().call(index, task).await
        }
        .instrument(span)
    }

    /// Reads a resource or the context.
    pub fn read(
        &self,
        uri: &str,
        invocation: Invocation,
        principal: Arc<P>,
    ) -> impl Future<Output = Outcome> + Send + use<P> {
        let found = self.inner.readables.get(uri).copied();
        let span = read_span(uri, &invocation);
        let inner = self.inner.clone();
        let unknown = if found.is_none() { uri.to_owned() } else { String::new() };
        async move {
            let Some((agent, what)) = found else {
                return inner.unknown(&unknown, None, &invocation, &*principal);
            };
            let task = inner.task(invocation, principal, Bytes::new());
            inner.agents[agent].clone().read(what, task).await
        }
        .instrument(span)
    }

    /// Waits until every audit entry of an invocation that has ended is with the sink.
    pub async fn flush_audit(&self) {
        self.inner.shared.recorder.flush().await;
    }

    /// Waits until no blocking method runs, not even for a call that was cancelled.
    #[cfg(feature = "stdio")]
    pub(crate) async fn blocking_methods_end(&self) {
        let blocking = &self.inner.shared.blocking;
        blocking.close();
        blocking.wait().await;
    }

    /// How many audit entries were lost.
    #[must_use]
    pub fn audit_entries_lost(&self) -> u64 {
        self.inner.shared.recorder.lost()
    }
}

impl<P: Principal> Inner<P> {
    fn task(&self, invocation: Invocation, principal: Arc<P>, arguments: Bytes) -> Task<P> {
        Task { invocation: Arc::new(invocation), principal, arguments, shared: self.shared.clone() }
    }

    /// Nothing has this name. It is recorded as the caller wrote it (B92), and no Model is read (B34).
    fn unknown(
        &self,
        name: &str,
        arguments: Option<&Bytes>,
        invocation: &Invocation,
        principal: &P,
    ) -> Outcome {
        let name = name.to_owned();
        let (action, refusal) = match arguments {
            Some(_) => (Action::Call, Refusal::UnknownCapability { capability: name.clone() }),
            None => (Action::Read, Refusal::UnknownResource { uri: name.clone() }),
        };
        let arguments = arguments.map(|raw| (&raw[..], &[][..]));
        let outcome = Outcome::Refused(refusal);
        let recorder = &self.shared.recorder;
        if let Ok(recording) = recorder.open(action, &name, None, invocation, principal, arguments)
        {
            recording.close(&outcome);
        }
        mark_span(&outcome);
        outcome
    }
}

/// Says in the invocation's span how it ended.
pub(super) fn mark_span(outcome: &Outcome) {
    let status = outcome.code().status.as_str();
    let span = tracing::Span::current();
    span.record("agent.status", status);
    if !outcome.is_ok() {
        span.record("error.type", status);
    }
}

/// One span for each dispatch (B107), with the names that OpenTelemetry has for MCP and generative AI.
fn span(capability: &str, known: bool, invocation: &Invocation) -> tracing::Span {
    tracing::info_span!(
        "agent.dispatch",
        otel.name = %format_args!("tools/call {}", if known { capability } else { "unknown" }),
        otel.kind = "server",
        gen_ai.operation.name = "execute_tool",
        gen_ai.tool.name = capability,
        mcp.method.name = "tools/call",
        mcp.session.id = invocation.session.as_deref(),
        mcp.protocol.version = invocation.client.revision,
        jsonrpc.request.id = invocation.request.as_deref(),
        agent.transport = %invocation.transport,
        agent.invocation = %invocation.id,
        agent.status = tracing::field::Empty,
        error.type = tracing::field::Empty,
    )
}

fn read_span(uri: &str, invocation: &Invocation) -> tracing::Span {
    tracing::info_span!(
        "agent.read",
        otel.name = "resources/read",
        otel.kind = "server",
        mcp.method.name = "resources/read",
        mcp.resource.uri = uri,
        mcp.session.id = invocation.session.as_deref(),
        mcp.protocol.version = invocation.client.revision,
        jsonrpc.request.id = invocation.request.as_deref(),
        agent.transport = %invocation.transport,
        agent.invocation = %invocation.id,
        agent.status = tracing::field::Empty,
        error.type = tracing::field::Empty,
    )
}

//! The agents of one server behind one door.

use std::{future::Future, num::NonZeroU32, sync::Arc, time::Duration};

use bytes::Bytes;
use tracing::Instrument;

use super::{
    audit::{Action, NotOpened, Opened},
    availability::Availability,
    bound::{Asked, Reading, Serve, Suggesting, Task},
    hooks::BoxFuture,
    invocation::Invocation,
    limits::Limits,
    located::Located,
    outcome::{Outcome, Refusal},
    pipeline::not_opened,
    plan::Plan,
    principal::Principal,
    prompt::Suggested,
};
use crate::{contract::Contract, host::Subscription};

/// Agents bound to their hosts: what every adapter calls. Clones share it.
///
/// It is made by a [`Server`](crate::Server). In-process code calls it through
/// [`InProcess`](super::InProcess); nothing is skipped for such calls (N12).
pub struct Runtime<P: Principal> {
    inner: Arc<Inner<P>>,
}

struct Inner<P: Principal> {
    plan: Arc<Plan>,
    agents: Vec<Arc<dyn Serve<P>>>,
}

impl<P: Principal> Clone for Runtime<P> {
    fn clone(&self) -> Self {
        Self { inner: self.inner.clone() }
    }
}

impl<P: Principal> Runtime<P> {
    pub(super) fn new(plan: Arc<Plan>, agents: Vec<Arc<dyn Serve<P>>>) -> Self {
        Self { inner: Arc::new(Inner { plan, agents }) }
    }

    /// What all runtimes of the server have in common.
    pub(crate) fn plan(&self) -> &Arc<Plan> {
        &self.inner.plan
    }

    /// What is offered, in the order of declaration. It never moves (B49).
    #[must_use]
    pub fn contract(&self) -> &Contract {
        &self.inner.plan.contract
    }

    /// The limits of the server.
    #[must_use]
    pub fn limits(&self) -> &Limits {
        &self.inner.plan.shared.limits
    }

    /// Lets one more call of `principal` begin; else says how often it may call in a second, and how long it
    /// has to wait.
    pub(crate) fn admit(&self, principal: &P) -> Result<(), (NonZeroU32, Duration)> {
        let Some(limit) = self.limits().calls_per_second else { return Ok(()) };
        let rates = &self.inner.plan.shared.rates;
        rates.admit(principal.id(), limit).map_err(|wait| (limit, wait))
    }

    /// Whether each capability of the [`contract`](Self::contract) exists for `principal` now.
    #[must_use]
    pub fn available(&self, principal: &P) -> Vec<bool> {
        self.availability(principal).capabilities
    }

    /// What of the [`contract`](Self::contract) exists for `principal` now.
    #[must_use]
    pub fn availability(&self, principal: &P) -> Availability {
        let mut bits = Availability::default();
        for agent in &self.inner.agents {
            agent.available(principal, &mut bits);
        }
        bits
    }

    /// Whether two principals may see different capabilities or resources. Where agents are made per caller they may, if
    /// any comes and goes.
    #[must_use]
    pub fn availability_depends_on_principal(&self) -> bool {
        self.inner.plan.depends_on_principal
    }

    /// Whether some capability comes and goes and its host tells when. A host that is made per caller is
    /// taken to tell.
    #[must_use]
    pub fn tells_of_changes(&self) -> bool {
        self.inner.plan.tells.capabilities
    }

    /// Calls `observer` after every change of a Model that some `available` looks at, until the
    /// subscriptions are dropped (B51).
    #[must_use]
    pub fn observe_availability(&self, observer: Arc<dyn Fn() + Send + Sync>) -> Vec<Subscription> {
        let agents = self.inner.agents.iter();
        agents.filter_map(|agent| agent.observe_availability(observer.clone())).collect()
    }

    /// Calls `observer` after every change of a Model that some `available` or some resource looks at, until the
    /// subscriptions are dropped.
    #[must_use]
    pub fn observe_changes(&self, observer: Arc<dyn Fn() + Send + Sync>) -> Vec<Subscription> {
        let agents = self.inner.agents.iter();
        agents.filter_map(|agent| agent.observe_reads(observer.clone())).collect()
    }

    /// Runs a capability in the fixed order. `arguments` are the bytes of a JSON object.
    pub fn call(
        &self,
        capability: &str,
        arguments: Bytes,
        invocation: Invocation,
        principal: Arc<P>,
    ) -> impl Future<Output = Outcome> + Send + use<P> {
        let found = self.inner.plan.capabilities.get(capability).copied();
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
        self.read_located(uri, self.locate(uri), invocation, principal)
    }

    /// What is read at an address, if anything may be.
    pub(crate) fn locate(&self, uri: &str) -> Option<Located> {
        self.inner.plan.addresses.locate(uri)
    }

    /// Reads what an address means.
    pub(crate) fn read_located(
        &self,
        uri: &str,
        located: Option<Located>,
        invocation: Invocation,
        principal: Arc<P>,
    ) -> impl Future<Output = Outcome> + Send + use<P> {
        let span = read_span(uri, &invocation);
        let inner = self.inner.clone();
        let uri = uri.to_owned();
        async move {
            let Some(Located { agent, what, arguments, .. }) = located else {
                return inner.unknown(&uri, None, &invocation, &*principal);
            };
            let task = inner.task(invocation, principal, arguments);
            inner.agents[agent].clone().read(Reading { what, uri }, task).await
        }
        .instrument(span)
    }

    /// Gets a prompt. `arguments` are the bytes of a JSON object of texts.
    pub fn prompt(
        &self,
        prompt: &str,
        arguments: Bytes,
        invocation: Invocation,
        principal: Arc<P>,
    ) -> impl Future<Output = Outcome> + Send + use<P> {
        let found = self.inner.plan.prompts.get(prompt).copied();
        let span = prompt_span(prompt, &invocation);
        let inner = self.inner.clone();
        let unknown = if found.is_none() { prompt.to_owned() } else { String::new() };
        async move {
            let Some((agent, index)) = found else {
                let refusal = Refusal::UnknownPrompt { prompt: unknown.clone() };
                return inner.refused(
                    (Action::Prompt, refusal),
                    &unknown,
                    Some(&arguments),
                    &invocation,
                    &*principal,
                );
            };
            let task = inner.task(invocation, principal, arguments);
            inner.agents[agent].clone().prompt(index, task).await
        }
        .instrument(span)
    }

    /// What is suggested for an argument of a prompt, or for a variable of a template; `None` where there is no
    /// such prompt or template.
    pub(crate) fn suggest(
        &self,
        of: &Completes,
        argument: String,
        typed: String,
        others: Suggested,
        (invocation, principal): (Invocation, Arc<P>),
    ) -> Option<BoxFuture<'static, Result<Vec<String>, Outcome>>> {
        let plan = &self.inner.plan;
        let (agent, of) = match of {
            Completes::Prompt(name) => {
                let (agent, index) = plan.prompts.get(name).copied()?;
                (agent, Suggesting::Prompt(index))
            }
            Completes::Template(uri) => {
                let (agent, index) = plan.addresses.template(uri)?;
                (agent, Suggesting::Template(index))
            }
        };
        let task = self.inner.task(invocation, principal, Bytes::new());
        let asked = Asked { of, argument, typed, others };
        Some(self.inner.agents[agent].clone().suggest(asked, task))
    }

    /// Waits until every audit entry of an invocation that has ended is with the sink.
    pub async fn flush_audit(&self) {
        self.inner.plan.shared.recorder.flush().await;
    }

    /// Waits until no blocking method runs, not even for a call that was cancelled.
    #[cfg(feature = "stdio")]
    pub(crate) async fn blocking_methods_end(&self) {
        let blocking = &self.inner.plan.shared.blocking;
        blocking.close();
        blocking.wait().await;
    }

    /// How many audit entries were lost.
    #[must_use]
    pub fn audit_entries_lost(&self) -> u64 {
        self.inner.plan.shared.recorder.lost()
    }
}

impl<P: Principal> Inner<P> {
    fn task(&self, invocation: Invocation, principal: Arc<P>, arguments: Bytes) -> Task<P> {
        Task {
            invocation: Arc::new(invocation),
            principal,
            arguments,
            shared: self.plan.shared.clone(),
        }
    }

    /// Nothing has this name. It is recorded as the caller wrote it (B92), and no Model is read (B34).
    fn unknown(
        &self,
        name: &str,
        arguments: Option<&Bytes>,
        invocation: &Invocation,
        principal: &P,
    ) -> Outcome {
        let what = match arguments {
            Some(_) => (Action::Call, Refusal::UnknownCapability { capability: name.to_owned() }),
            None => (Action::Read, Refusal::UnknownResource { uri: name.to_owned() }),
        };
        self.refused(what, name, arguments, invocation, principal)
    }

    fn refused(
        &self,
        (action, refusal): (Action, Refusal),
        name: &str,
        arguments: Option<&Bytes>,
        invocation: &Invocation,
        principal: &P,
    ) -> Outcome {
        let name = name.to_owned();
        let arguments = arguments.map(|raw| (&raw[..], &[][..]));
        let outcome = Outcome::Refused(refusal);
        let recorder = &self.plan.shared.recorder;
        let opened = Opened {
            action,
            target: &name,
            method: None,
            template: None,
            invocation,
            principal,
            arguments,
        };
        let outcome = match recorder.open(opened) {
            Ok(recording) => {
                recording.close(&outcome);
                outcome
            }
            // It is refused in any case.
            Err(NotOpened::NoPlace) => outcome,
            Err(error) => not_opened(error, &name, invocation),
        };
        mark_span(&outcome);
        outcome
    }
}

/// Says in the invocation's span how it ended.
pub(super) fn mark_span(outcome: &Outcome) {
    let status = outcome.code().status.as_str();
    let span = tracing::Span::current();
    span.record("agent.status", status);
    if !outcome.is_ok() && !matches!(outcome, Outcome::Asks(_)) {
        span.record("error.type", status);
    }
}

/// One span for each dispatch (B107), with the names that OpenTelemetry has for MCP and generative AI.
fn span(capability: &str, known: bool, invocation: &Invocation) -> tracing::Span {
    let trace = invocation.trace();
    tracing::info_span!(
        "agent.dispatch",
        traceparent = trace.parent,
        tracestate = trace.state,
        baggage = trace.baggage,
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

fn prompt_span(prompt: &str, invocation: &Invocation) -> tracing::Span {
    let trace = invocation.trace();
    tracing::info_span!(
        "agent.prompt",
        traceparent = trace.parent,
        tracestate = trace.state,
        baggage = trace.baggage,
        otel.name = "prompts/get",
        otel.kind = "server",
        gen_ai.prompt.name = prompt,
        mcp.method.name = "prompts/get",
        mcp.session.id = invocation.session.as_deref(),
        mcp.protocol.version = invocation.client.revision,
        jsonrpc.request.id = invocation.request.as_deref(),
        agent.transport = %invocation.transport,
        agent.invocation = %invocation.id,
        agent.status = tracing::field::Empty,
        error.type = tracing::field::Empty,
    )
}

/// What values are suggested for.
pub(crate) enum Completes {
    /// The prompt of that name.
    Prompt(String),
    /// The template of that text.
    Template(String),
}

fn read_span(uri: &str, invocation: &Invocation) -> tracing::Span {
    let trace = invocation.trace();
    tracing::info_span!(
        "agent.read",
        traceparent = trace.parent,
        tracestate = trace.state,
        baggage = trace.baggage,
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

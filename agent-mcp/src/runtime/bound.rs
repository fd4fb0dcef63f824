//! An agent bound to its host.

use std::sync::Arc;

use tokio::sync::Semaphore;
use tokio_util::task::TaskTracker;

use super::{
    agent::{Agent, Declaration},
    audit::{ArgumentPolicy, Recorder},
    availability::Availability,
    capability::CapabilityEntry,
    error::BuildError,
    hooks::BoxFuture,
    invocation::Invocation,
    limits::Limits,
    outcome::Outcome,
    principal::Principal,
    prompt::{PromptEntry, Suggested},
    rate::Rates,
    resource::ResourceEntry,
};
use crate::{
    contract::{CompletionKind, Contract},
    host::{SharedHost, Subscription},
};

/// What is declared of an agent: the same for all its instances.
pub(super) struct Declared<A: Agent> {
    pub(super) capabilities: Vec<DeclaredCapability<A>>,
    pub(super) resources: Vec<ResourceEntry<A>>,
    pub(super) prompts: Vec<PromptEntry<A>>,
    /// The projection behind `app://context`, where no resource has that name (B127).
    pub(super) context: Option<ResourceEntry<A>>,
}

pub(super) struct DeclaredCapability<A: Agent> {
    pub(super) entry: CapabilityEntry<A>,
    pub(super) secrets: Vec<super::audit::Path>,
}

/// An agent with its host.
pub(super) struct Bound<A: Agent> {
    pub(super) declared: Arc<Declared<A>>,
    pub(super) agent: Arc<A>,
    pub(super) host: SharedHost<A::Model, A::Message>,
    /// The places of each capability that runs a limited number of calls at a time.
    pub(super) slots: Vec<Option<Arc<Semaphore>>>,
}

/// One call of a capability that exists, or one read of a resource that does.
pub(super) struct Task<P> {
    pub(super) invocation: Arc<Invocation>,
    pub(super) principal: Arc<P>,
    pub(super) arguments: bytes::Bytes,
    pub(super) shared: Arc<Shared>,
}

/// What all agents of one server share.
pub(super) struct Shared {
    pub(super) recorder: Recorder,
    pub(super) limits: Limits,
    /// The methods that may block: a thread runs on when nobody waits for it any more.
    pub(super) blocking: TaskTracker,
    pub(super) rates: Rates,
}

/// What can be read of an agent.
#[derive(Clone, Copy)]
pub(super) enum Readable {
    Resource(usize),
    Context,
}

/// What is to be read of an agent, and its address as the caller wrote it.
pub(super) struct Reading {
    pub(super) what: Readable,
    pub(super) uri: String,
}

/// For what values are suggested.
pub(super) enum Suggesting {
    Prompt(usize),
    Template(usize),
}

/// What somebody types.
pub(super) struct Asked {
    pub(super) of: Suggesting,
    pub(super) argument: String,
    pub(super) typed: String,
    pub(super) others: Suggested,
}

/// A [`Bound`] whose agent is forgotten; only the principal is left, which composed agents share.
pub(super) trait Serve<P: Principal>: Send + Sync {
    fn call(self: Arc<Self>, capability: usize, task: Task<P>) -> BoxFuture<'static, Outcome>;
    fn read(self: Arc<Self>, reading: Reading, task: Task<P>) -> BoxFuture<'static, Outcome>;
    fn prompt(self: Arc<Self>, prompt: usize, task: Task<P>) -> BoxFuture<'static, Outcome>;
    fn suggest(
        self: Arc<Self>,
        asked: Asked,
        task: Task<P>,
    ) -> BoxFuture<'static, Result<Vec<String>, Outcome>>;
    /// Appends one bit for each entry of each list, in order.
    fn available(&self, principal: &P, bits: &mut Availability);
    /// Calls `observer` after each change of what `available` looks at; `None` where there is none to tell of.
    fn observe_availability(&self, observer: Arc<dyn Fn() + Send + Sync>) -> Option<Subscription>;
    /// The same, and after each change of what can be read.
    fn observe_reads(&self, observer: Arc<dyn Fn() + Send + Sync>) -> Option<Subscription>;
}

impl<A: Agent> Declared<A> {
    /// Reads the declaration and says what the contract offers.
    pub(super) fn new() -> Result<(Self, Contract), BuildError> {
        let declared: Declaration<A> = A::declare();
        let capabilities: Vec<_> = declared.capabilities.into_iter().collect::<Result<_, _>>()?;
        let resources: Vec<_> = declared.resources.into_iter().collect::<Result<_, _>>()?;
        let prompts: Vec<_> = declared.prompts.into_iter().collect::<Result<_, _>>()?;
        let shadowed = resources
            .iter()
            .any(|resource: &ResourceEntry<A>| resource.descriptor.name == "context");
        let context = declared.context.filter(|_| !shadowed).transpose()?;

        let mut contract = Contract::new(declared.name);
        contract.title = declared.title;
        contract.version = declared.version;
        contract.website = declared.website;
        contract.icons = declared.icons;
        contract.instructions = declared.instructions;
        contract.dotted_names = declared.dotted_names;
        contract.capabilities = capabilities
            .iter()
            .map(|entry: &CapabilityEntry<A>| entry.descriptor.clone())
            .collect();
        contract.resources = resources.iter().map(|entry| entry.descriptor.clone()).collect();
        contract.prompts =
            prompts.iter().map(|entry: &PromptEntry<A>| entry.descriptor.clone()).collect();
        contract.context = context.as_ref().map(ResourceEntry::as_context);

        let capabilities = capabilities
            .into_iter()
            .map(|entry| DeclaredCapability {
                secrets: ArgumentPolicy::secrets(&entry.descriptor.input),
                entry,
            })
            .collect();
        Ok((Self { capabilities, resources, prompts, context }, contract))
    }

    /// Refuses a host that does not tell of what completions wait for (B69), naming each of them.
    fn needs_of(&self, host: &SharedHost<A::Model, A::Message>) -> Result<(), BuildError> {
        let waiting = |kind| {
            let descriptors =
                self.capabilities.iter().map(|capability| &capability.entry.descriptor);
            let waiting = descriptors.filter(|descriptor| {
                descriptor.completion.as_ref().is_some_and(|completion| completion.kind == kind)
            });
            waiting.map(|descriptor| descriptor.name.clone()).collect::<Vec<_>>()
        };
        let needy = waiting(CompletionKind::Message);
        if !needy.is_empty() && host.observe_messages(Arc::new(|_| {})).is_none() {
            return Err(BuildError::HostTellsNoMessages { capabilities: needy });
        }
        let needy = waiting(CompletionKind::State);
        if !needy.is_empty() && host.observe_model(Arc::new(|_| {})).is_none() {
            return Err(BuildError::HostTellsNoModels { capabilities: needy });
        }
        Ok(())
    }
}

impl<A: Agent> Bound<A> {
    pub(super) fn new(
        declared: Arc<Declared<A>>,
        agent: Arc<A>,
        host: SharedHost<A::Model, A::Message>,
    ) -> Result<Self, BuildError> {
        declared.needs_of(&host)?;
        let limits = declared.capabilities.iter().map(|it| it.entry.descriptor.concurrency);
        let slots = limits.map(|limit| Some(Arc::new(Semaphore::new(limit?)))).collect();
        Ok(Self { declared, agent, host, slots })
    }
}

impl<A: Agent> Serve<A::Principal> for Bound<A> {
    fn call(
        self: Arc<Self>,
        capability: usize,
        task: Task<A::Principal>,
    ) -> BoxFuture<'static, Outcome> {
        Box::pin(async move { self.run_call(capability, task).await })
    }

    fn read(
        self: Arc<Self>,
        reading: Reading,
        task: Task<A::Principal>,
    ) -> BoxFuture<'static, Outcome> {
        Box::pin(async move { self.run_read(reading, task).await })
    }

    fn prompt(
        self: Arc<Self>,
        prompt: usize,
        task: Task<A::Principal>,
    ) -> BoxFuture<'static, Outcome> {
        Box::pin(async move { self.run_prompt(prompt, task).await })
    }

    fn suggest(
        self: Arc<Self>,
        asked: Asked,
        task: Task<A::Principal>,
    ) -> BoxFuture<'static, Result<Vec<String>, Outcome>> {
        Box::pin(async move { self.run_suggest(asked, task).await })
    }

    fn available(&self, principal: &A::Principal, bits: &mut Availability) {
        self.add_availability(principal, bits);
    }

    fn observe_availability(&self, observer: Arc<dyn Fn() + Send + Sync>) -> Option<Subscription> {
        self.declared
            .has_conditions()
            .then(|| self.host.observe_model(Arc::new(move |_| observer())))
            .flatten()
    }

    fn observe_reads(&self, observer: Arc<dyn Fn() + Send + Sync>) -> Option<Subscription> {
        let is_observed = self.declared.has_conditions() || self.declared.may_tell().reads;
        is_observed.then(|| self.host.observe_model(Arc::new(move |_| observer()))).flatten()
    }
}

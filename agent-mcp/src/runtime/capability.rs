//! A capability: its data and the code behind it.

use std::{sync::Arc, time::Duration};

use super::{
    agent::{Agent, DeclarationError},
    completion::{Finished, IntoCompletion, Step, is_unit},
    context::{Call, Context},
    hooks::{Available, BoxFuture, IntoAvailable, Verdict},
    method::{DescribeOutput, ReturnKind, Returned, Running},
    source::Source,
    steps::{Authorize, Fact, InputCodec, Run, Shared, Steps, Typed},
};
use crate::{
    contract::{CapabilityDescriptor, CompletionDescriptor, CompletionKind},
    schema::{InputOptions, OutputSchema},
};

/// One capability: its data and its code.
pub struct CapabilityEntry<A: Agent> {
    pub(crate) descriptor: CapabilityDescriptor,
    pub(crate) available: Available<A>,
    pub(crate) steps: Box<dyn Steps<A>>,
}

/// Declares one capability; generated code calls it.
pub struct CapabilityBuilder<A: Agent, I> {
    descriptor: CapabilityDescriptor,
    options: InputOptions,
    codec: InputCodec<I>,
    kind: ReturnKind,
    completion_schema: Option<DescribeOutput>,
    available: Available<A>,
    authorize: Option<Box<Authorize<A, I>>>,
    fact: Option<Fact<A, I>>,
}

impl<A: Agent, I: Send + Sync + 'static> CapabilityBuilder<A, I> {
    /// Begins the capability `name`, which is the method `method`.
    #[must_use]
    pub fn new(
        name: &str,
        method: &str,
        description: &str,
        codec: InputCodec<I>,
        kind: ReturnKind,
    ) -> Self {
        let mut descriptor = CapabilityDescriptor::new(name, description);
        descriptor.method = method.to_owned();
        descriptor.dispatches = kind.dispatches;
        Self {
            descriptor,
            options: InputOptions::default(),
            codec,
            kind,
            completion_schema: None,
            available: Available::Always,
            authorize: None,
            fact: None,
        }
    }

    /// The name for people.
    #[must_use]
    pub fn title(mut self, title: &str) -> Self {
        self.descriptor.title = Some(title.to_owned());
        self
    }

    /// Whether it changes nothing.
    #[must_use]
    pub fn read_only(mut self, hint: bool) -> Self {
        self.descriptor.annotations.read_only = Some(hint);
        self
    }

    /// Whether it may destroy something.
    #[must_use]
    pub fn destructive(mut self, hint: bool) -> Self {
        self.descriptor.annotations.destructive = Some(hint);
        self
    }

    /// Whether doing it twice is as doing it once.
    #[must_use]
    pub fn idempotent(mut self, hint: bool) -> Self {
        self.descriptor.annotations.idempotent = Some(hint);
        self
    }

    /// Whether it reaches out to a world that the application does not own.
    #[must_use]
    pub fn open_world(mut self, hint: bool) -> Self {
        self.descriptor.annotations.open_world = Some(hint);
        self
    }

    /// Accepts undeclared members.
    #[must_use]
    pub fn open(mut self) -> Self {
        self.options.open = true;
        self.descriptor.open = true;
        self
    }

    /// Reads exact texts where another type is due.
    #[must_use]
    pub fn coerce(mut self) -> Self {
        self.options.coerce = true;
        self.descriptor.coerce = true;
        self
    }

    /// Limits the method's own run and, with a completion, sending and waiting together.
    #[must_use]
    pub fn timeout(mut self, limit: Duration) -> Self {
        self.descriptor.timeout = Some(limit);
        self
    }

    /// Limits how many calls run at a time.
    #[must_use]
    pub fn concurrency(mut self, limit: usize) -> Self {
        self.descriptor.concurrency = Some(limit);
        self
    }

    /// The capability exists while `hook` holds of the Model.
    #[must_use]
    pub fn available<F>(mut self, hook: F) -> Self
    where
        F: Fn(&A::Model) -> bool + Send + Sync + 'static,
    {
        self.available = Available::ByModel(Box::new(hook));
        self.descriptor.conditional = true;
        self
    }

    /// The capability exists while `hook` holds of the Model and the principal.
    #[must_use]
    pub fn available_to<F>(mut self, hook: F) -> Self
    where
        F: Fn(&A::Model, &A::Principal) -> bool + Send + Sync + 'static,
    {
        self.available = Available::ByCaller(Box::new(hook));
        self.descriptor.conditional = true;
        self
    }

    /// The capability exists while `hook`, a function of either form, says so.
    #[must_use]
    pub fn available_when<F: IntoAvailable<A, M>, M>(mut self, hook: F) -> Self {
        self.available = hook.into_available();
        self.descriptor.conditional = true;
        self
    }

    /// The caller may use the capability when `hook` says so.
    #[must_use]
    pub fn authorize<F>(mut self, hook: F) -> Self
    where
        F: for<'a> Fn(&'a Call<A, I>) -> Verdict<'a> + Send + Sync + 'static,
    {
        self.authorize = Some(Box::new(hook));
        self.descriptor.authorized = true;
        self
    }

    /// The call resolves on a Message that the host tells of (B61).
    #[must_use]
    pub fn completion<F, T>(mut self, hook: F) -> Self
    where
        F: Fn(&Call<A, I>, &A::Message) -> super::Completion<T> + Send + Sync + 'static,
        T: Finished,
    {
        self.completes::<T>(CompletionKind::Message);
        self.fact =
            Some(Fact::Message(Arc::new(move |call, message| Step::of(hook(call, message)))));
        self
    }

    /// The call resolves on a state of the Model (B70).
    #[must_use]
    pub fn completion_when<F, C>(mut self, hook: F) -> Self
    where
        F: Fn(&Call<A, I>, &A::Model) -> C + Send + Sync + 'static,
        C: IntoCompletion,
    {
        self.completes::<C::Output>(CompletionKind::State);
        self.fact = Some(Fact::Model(Arc::new(move |call, model| Step::of(hook(call, model)))));
        self
    }

    /// The call resolves on a state outside the Model (B76). `source` picks it from the agent.
    #[must_use]
    pub fn completion_of<P, S, F, C>(mut self, source: P, hook: F) -> Self
    where
        P: Fn(&A) -> S + Send + Sync + 'static,
        S: Source,
        F: Fn(&Call<A, I>, &S::Value) -> C + Send + Sync + 'static,
        C: IntoCompletion,
    {
        self.completes::<C::Output>(CompletionKind::State);
        let hook = Arc::new(hook);
        self.fact = Some(Fact::Source(Arc::new(move |call, agent| {
            let hook = hook.clone();
            super::source::watch(source(agent), move |value| Step::of(hook(&call, value)))
        })));
        self
    }

    fn completes<T: Finished>(&mut self, kind: CompletionKind) {
        self.completion_schema =
            Some(if is_unit::<T>() { || Ok(None) } else { OutputSchema::of::<T> });
        self.descriptor.completion =
            Some(CompletionDescriptor::new(kind, CompletionDescriptor::DEFAULT_TIMEOUT));
    }

    /// Ends the declaration with an `async` method.
    pub fn run<F>(self, method: F) -> Result<CapabilityEntry<A>, DeclarationError>
    where
        F: Fn(Arc<A>, Context<A>, I) -> BoxFuture<'static, Returned<A::Message>>
            + Send
            + Sync
            + 'static,
    {
        self.build(Box::new(move |agent, cx, input| Running::Future(method(agent, cx, input))))
    }

    /// Ends the declaration with a method that is quick and runs where the call is.
    pub fn run_inline<F>(self, method: F) -> Result<CapabilityEntry<A>, DeclarationError>
    where
        F: Fn(Arc<A>, Context<A>, I) -> Returned<A::Message> + Send + Sync + 'static,
    {
        self.build(Box::new(move |agent, cx, input| Running::Ready(method(agent, cx, input))))
    }

    /// Ends the declaration with a method that may block.
    pub fn run_blocking<F>(self, method: F) -> Result<CapabilityEntry<A>, DeclarationError>
    where
        F: Fn(Arc<A>, Context<A>, I) -> Returned<A::Message> + Send + Sync + 'static,
    {
        let method = Arc::new(method);
        self.build(Box::new(move |agent, cx, input| {
            let method = method.clone();
            Running::Blocking(Box::new(move || method(agent, cx, input)))
        }))
    }

    fn build(mut self, run: Box<Run<A, I>>) -> Result<CapabilityEntry<A>, DeclarationError> {
        let name = self.descriptor.name.clone();
        let named = |error| DeclarationError { entry: name.clone(), error };
        let input = (self.codec.schema)(self.options).map_err(named)?;
        let output = self.completion_schema.unwrap_or(self.kind.schema)().map_err(named)?;
        self.descriptor.input = input.json().clone();
        self.descriptor.output = output.as_ref().map(|schema| schema.json().clone());
        if let (Some(completion), Some(limit)) =
            (&mut self.descriptor.completion, self.descriptor.timeout)
        {
            completion.timeout = limit;
        }
        Ok(CapabilityEntry {
            available: self.available,
            steps: Box::new(Typed {
                input,
                decode: self.codec.decode,
                shared: Arc::new(Shared { authorize: self.authorize, fact: self.fact, run }),
            }),
            descriptor: self.descriptor,
        })
    }
}

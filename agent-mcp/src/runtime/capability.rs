//! A capability: its data and the code behind it.

use std::{sync::Arc, time::Duration};

use super::{
    agent::{Agent, Declaration, DeclarationError},
    completion::{Finished, IntoCompletion, Step, is_unit},
    context::{Call, Context},
    hooks::{Available, BoxFuture, Verdict},
    method::{DescribeOutput, ReturnKind, Returned, Running},
    source::Source,
    steps::{Authorize, Fact, InputCodec, Run, Shared, Steps, Typed},
};
use crate::{
    contract::{CapabilityDescriptor, CompletionDescriptor, CompletionKind, Extras, TaskMode},
    schema::{InputOptions, InputSchema, OutputSchema, SchemaError},
};

/// One capability: its data and its code.
pub struct CapabilityEntry<A: Agent> {
    pub(crate) descriptor: CapabilityDescriptor,
    pub(crate) available: Available<A>,
    pub(crate) steps: Box<dyn Steps<A>>,
    /// Whether the method says itself when the task begins.
    pub(crate) begins_task: bool,
}

/// Declares one capability; generated code calls it.
#[must_use = "the capability is added by the last call: `run`, `run_inline` or `run_blocking`"]
pub struct CapabilityBuilder<'d, A: Agent, I> {
    declaration: &'d mut Declaration<A>,
    descriptor: CapabilityDescriptor,
    options: InputOptions,
    codec: InputCodec<I>,
    kind: ReturnKind,
    completion_schema: Option<DescribeOutput>,
    #[cfg(feature = "json-schema")]
    written: super::written::WrittenSchemas,
    available: Available<A>,
    authorize: Option<Box<Authorize<A, I>>>,
    fact: Option<Fact<A, I>>,
    begins_task: bool,
}

impl<'d, A: Agent, I: Send + Sync + 'static> CapabilityBuilder<'d, A, I> {
    pub(super) fn new(
        declaration: &'d mut Declaration<A>,
        name: &str,
        description: &str,
        codec: InputCodec<I>,
        kind: ReturnKind,
    ) -> Self {
        let mut descriptor = CapabilityDescriptor::new(name, description);
        descriptor.dispatches = kind.dispatches;
        Self {
            declaration,
            descriptor,
            options: InputOptions::default(),
            codec,
            kind,
            completion_schema: None,
            #[cfg(feature = "json-schema")]
            written: super::written::WrittenSchemas::default(),
            available: Available::Always,
            authorize: None,
            fact: None,
            begins_task: false,
        }
    }

    /// The method behind it, where it has another name.
    pub fn method(mut self, method: &str) -> Self {
        self.descriptor.method = method.to_owned();
        self
    }

    /// The name for people.
    pub fn title(mut self, title: &str) -> Self {
        self.descriptor.title = Some(title.to_owned());
        self
    }

    /// Whether it changes nothing.
    pub fn read_only(mut self, hint: bool) -> Self {
        self.descriptor.annotations.read_only = Some(hint);
        self
    }

    /// Whether it may destroy something.
    pub fn destructive(mut self, hint: bool) -> Self {
        self.descriptor.annotations.destructive = Some(hint);
        self
    }

    /// Whether doing it twice is as doing it once.
    pub fn idempotent(mut self, hint: bool) -> Self {
        self.descriptor.annotations.idempotent = Some(hint);
        self
    }

    /// Whether it reaches out to a world that the application does not own.
    pub fn open_world(mut self, hint: bool) -> Self {
        self.descriptor.annotations.open_world = Some(hint);
        self
    }

    /// What is said of it beside what it is.
    pub fn extras(mut self, extras: Extras) -> Self {
        self.descriptor.extras = extras;
        self
    }

    /// Accepts undeclared members.
    pub fn open(mut self) -> Self {
        self.options.open = true;
        self.descriptor.open = true;
        self
    }

    /// Reads exact texts where another type is due.
    pub fn coerce(mut self) -> Self {
        self.options.coerce = true;
        self.descriptor.coerce = true;
        self
    }

    /// Advertises a schema of the arguments that is written by hand, and judges them by it.
    #[cfg(feature = "json-schema")]
    pub fn input_schema(mut self, schema: crate::schema::written::Source) -> Self {
        self.written.input = Some(schema);
        self
    }

    /// Advertises a schema of the result that is written by hand, and holds the result to it.
    #[cfg(feature = "json-schema")]
    pub fn output_schema(mut self, schema: crate::schema::written::Source) -> Self {
        self.written.output = Some(schema);
        self
    }

    /// Limits the method's own run and, with a completion, sending and waiting together.
    pub fn timeout(mut self, limit: Duration) -> Self {
        self.descriptor.timeout = Some(limit);
        self
    }

    /// Clients that can show its results in the view at `uri`.
    pub fn ui(mut self, uri: &str) -> Self {
        self.descriptor.ui = Some(uri.to_owned());
        self
    }

    /// It is for views alone, and not for models.
    pub fn app_only(mut self) -> Self {
        self.descriptor.app_only = true;
        self
    }

    /// Reports progress by itself as often while the method does not.
    pub fn heartbeat(mut self, every: Duration) -> Self {
        self.descriptor.heartbeat = Some(every);
        self
    }

    /// Limits how many calls run at a time.
    pub fn concurrency(mut self, limit: usize) -> Self {
        self.descriptor.concurrency = Some(limit);
        self
    }

    /// A call may, or must, become a task.
    pub fn task(mut self, mode: TaskMode) -> Self {
        self.descriptor.task = Some(mode);
        self
    }

    /// The method says itself when the task begins.
    pub fn begins_task(mut self) -> Self {
        self.begins_task = true;
        self
    }

    /// The capability exists while `hook` says so.
    pub fn available(mut self, hook: Available<A>) -> Self {
        self.available = hook;
        self.descriptor.conditional = true;
        self
    }

    /// The caller may use the capability when `hook` says so.
    pub fn authorize<F>(mut self, hook: F) -> Self
    where
        F: for<'a> Fn(&'a Call<A, I>) -> Verdict<'a> + Send + Sync + 'static,
    {
        self.authorize = Some(Box::new(hook));
        self.descriptor.authorized = true;
        self
    }

    /// The caller's credentials must carry these scopes.
    pub fn scopes(mut self, scopes: &[&str]) -> Self {
        self.descriptor.scopes = scopes.iter().map(|&scope| scope.to_owned()).collect();
        self
    }

    /// The call resolves on a Message that the host tells of (B61).
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
    pub fn run<F>(self, method: F)
    where
        F: Fn(Arc<A>, Context<A>, I) -> BoxFuture<'static, Returned<A::Message>>
            + Send
            + Sync
            + 'static,
    {
        self.finish(Box::new(move |agent, cx, input| Running::Future(method(agent, cx, input))));
    }

    /// Ends the declaration with a method that is quick and runs where the call is.
    pub fn run_inline<F>(self, method: F)
    where
        F: Fn(Arc<A>, Context<A>, I) -> Returned<A::Message> + Send + Sync + 'static,
    {
        self.finish(Box::new(move |agent, cx, input| Running::Ready(method(agent, cx, input))));
    }

    /// Ends the declaration with a method that may block.
    pub fn run_blocking<F>(self, method: F)
    where
        F: Fn(Arc<A>, Context<A>, I) -> Returned<A::Message> + Send + Sync + 'static,
    {
        let method = Arc::new(method);
        self.finish(Box::new(move |agent, cx, input| {
            let method = method.clone();
            Running::Blocking(Box::new(move || method(agent, cx, input)))
        }));
    }

    fn finish(mut self, run: Box<Run<A, I>>) {
        let described = self.described(run);
        if let (Some(completion), Some(limit)) =
            (&mut self.descriptor.completion, self.descriptor.timeout)
        {
            completion.timeout = limit;
        }
        let Self { declaration, mut descriptor, codec, available, authorize, fact, .. } = self;
        let begins_task = self.begins_task;
        declaration.capabilities.push(match described {
            Ok((input, output, run)) => {
                descriptor.input = input.json().clone();
                descriptor.output = output.map(|schema| schema.json().clone());
                let shared = Arc::new(Shared { authorize, fact, run });
                let steps = Box::new(Typed { input, decode: codec.decode, shared });
                Ok(CapabilityEntry { descriptor, available, steps, begins_task })
            }
            Err(error) => Err(DeclarationError { entry: descriptor.name, error: error.into() }),
        });
    }

    /// The schemas, and the method, which is held to them where they are written by hand.
    fn described(
        &mut self,
        run: Box<Run<A, I>>,
    ) -> Result<(InputSchema, Option<OutputSchema>, Box<Run<A, I>>), SchemaError> {
        #[cfg(feature = "json-schema")]
        let (own_input, (own_output, run)) = {
            let is_structured = self.kind.mime_type == Some("application/json");
            (self.written.input(), self.written.output(is_structured, run)?)
        };
        #[cfg(not(feature = "json-schema"))]
        let (own_input, own_output) = (None, None);
        let input = own_input.unwrap_or_else(|| (self.codec.schema)(self.options))?;
        let output = match own_output {
            None => self.completion_schema.unwrap_or(self.kind.schema)()?,
            written => written,
        };
        Ok((input, output, run))
    }
}

//! What differs between capabilities, seen by the one pipeline that runs them all.

use std::sync::Arc;

use super::{
    agent::Agent,
    completion::Step,
    context::{Call, Caller, Context},
    hooks::Verdict,
    method::Running,
    source::SourceWatch,
};
use crate::schema::{Faults, InputOptions, InputSchema, SchemaError};

pub(super) type Run<A, I> =
    dyn Fn(Arc<A>, Context<A>, I) -> Running<<A as Agent>::Message> + Send + Sync;
pub(super) type Authorize<A, I> = dyn for<'a> Fn(&'a Call<A, I>) -> Verdict<'a> + Send + Sync;

/// How an input type is described and read; both come from one probe at the user's type.
pub struct InputCodec<I> {
    /// Builds the schema.
    pub schema: fn(InputOptions) -> Result<InputSchema, SchemaError>,
    /// Reads the arguments.
    pub decode: fn(&InputSchema, &[u8]) -> Result<I, Faults>,
}

impl InputCodec<()> {
    /// That of a method without arguments, where nobody writes any.
    pub(super) fn nothing() -> Self {
        Self { schema: InputSchema::of::<()>, decode: |_, _| Ok(()) }
    }
}

/// A fact that completes a call, as it was declared.
pub(super) enum Fact<A: Agent, I> {
    Message(Arc<Judge<A, I, <A as Agent>::Message>>),
    Model(Arc<Judge<A, I, <A as Agent>::Model>>),
    Source(Arc<WatchSource<A, I>>),
}

type Judge<A, I, T> = dyn Fn(&Call<A, I>, &T) -> Step + Send + Sync;
type WatchSource<A, I> = dyn Fn(Call<A, I>, &Arc<A>) -> Box<dyn SourceWatch> + Send + Sync;

impl<A: Agent, I> Clone for Fact<A, I> {
    fn clone(&self) -> Self {
        match self {
            Self::Message(fact) => Self::Message(fact.clone()),
            Self::Model(fact) => Self::Model(fact.clone()),
            Self::Source(fact) => Self::Source(fact.clone()),
        }
    }
}

/// What differs between capabilities, seen by the one pipeline that runs them all.
pub(crate) trait Steps<A: Agent>: Send + Sync {
    fn decode(&self, caller: Caller<A>, raw: &[u8]) -> Result<Box<dyn Prepared<A>>, Faults>;

    /// Decodes the arguments a second time for a completion, which outlives the method's own.
    fn fact(&self, caller: &Caller<A>, raw: &[u8], agent: &Arc<A>) -> Option<WaitFor<A>>;
}

/// A call whose arguments are decoded.
pub(crate) trait Prepared<A: Agent>: Send {
    fn authorize(&self) -> Option<Verdict<'_>>;
    fn run(self: Box<Self>, agent: Arc<A>) -> Running<A::Message>;
}

/// What a call waits for.
pub(crate) enum WaitFor<A: Agent> {
    Message(Box<dyn Fn(&A::Message) -> Step + Send + Sync>),
    Model(Box<dyn Fn(&A::Model) -> Step + Send + Sync>),
    Source(Box<dyn SourceWatch>),
}

pub(super) struct Typed<A: Agent, I> {
    pub(super) input: InputSchema,
    pub(super) decode: fn(&InputSchema, &[u8]) -> Result<I, Faults>,
    pub(super) shared: Arc<Shared<A, I>>,
}

pub(super) struct Shared<A: Agent, I> {
    pub(super) authorize: Option<Box<Authorize<A, I>>>,
    pub(super) fact: Option<Fact<A, I>>,
    pub(super) run: Box<Run<A, I>>,
}

impl<A: Agent, I: Send + Sync + 'static> Steps<A> for Typed<A, I> {
    fn decode(&self, caller: Caller<A>, raw: &[u8]) -> Result<Box<dyn Prepared<A>>, Faults> {
        let input = (self.decode)(&self.input, raw)?;
        Ok(Box::new(Decoded { shared: self.shared.clone(), call: Call { input, caller } }))
    }

    fn fact(&self, caller: &Caller<A>, raw: &[u8], agent: &Arc<A>) -> Option<WaitFor<A>> {
        let fact = self.shared.fact.as_ref()?;
        // The same bytes were decoded a moment ago, so they decode again.
        let input = (self.decode)(&self.input, raw).ok()?;
        let call = Call { input, caller: caller.clone() };
        Some(match fact.clone() {
            Fact::Message(fact) => WaitFor::Message(Box::new(move |message| fact(&call, message))),
            Fact::Model(fact) => WaitFor::Model(Box::new(move |model| fact(&call, model))),
            Fact::Source(fact) => WaitFor::Source(fact(call, agent)),
        })
    }
}

pub(super) struct Decoded<A: Agent, I> {
    shared: Arc<Shared<A, I>>,
    call: Call<A, I>,
}

impl<A: Agent, I: Send + Sync + 'static> Prepared<A> for Decoded<A, I> {
    fn authorize(&self) -> Option<Verdict<'_>> {
        Some(self.shared.authorize.as_ref()?(&self.call))
    }

    fn run(self: Box<Self>, agent: Arc<A>) -> Running<A::Message> {
        let Call { input, caller } = self.call;
        (self.shared.run)(agent, Context::new(caller), input)
    }
}

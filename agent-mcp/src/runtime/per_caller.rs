//! Agents that are made for each caller.

use std::sync::Arc;

use super::{
    agent::{Agent, NoHost},
    bound::{Bound, Declared, Serve},
    failure::Failure,
    hooks::BoxFuture,
    principal::Principal,
};
use crate::host::{Host, Never, SharedHost};

/// What may be bound for a caller: an agent that is its own Model, or an agent with its host.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be bound for a caller",
    note = "return the agent, or `(agent, host)` where it is declared with `model = ...`"
)]
pub trait Bindable: Send + 'static {
    /// The agent.
    type Agent: Agent;

    /// Both of its parts.
    #[doc(hidden)]
    fn into_parts(self) -> Parts<Self::Agent>;
}

/// An agent and its host.
pub(super) type Parts<A> = (Arc<A>, SharedHost<<A as Agent>::Model, <A as Agent>::Message>);

impl<A> Bindable for A
where
    A: Agent,
    A::Needs: NoHost<A>,
{
    type Agent = A;

    fn into_parts(self) -> Parts<A> {
        let agent = Arc::new(self);
        let host = Arc::new(A::Needs::host(agent.clone()));
        (agent, host)
    }
}

impl<A, H> Bindable for (A, H)
where
    A: Agent,
    H: Host<Model = A::Model, Message = A::Message>,
{
    type Agent = A;

    fn into_parts(self) -> Parts<A> {
        let (agent, host) = self;
        (Arc::new(agent), Arc::new(host))
    }
}

/// Marks a [`Server`](crate::Server) whose agents all serve all callers.
#[derive(Debug)]
pub enum Shared {}

/// Marks a [`Server`](crate::Server) that makes some of its agents for each caller.
pub struct PerCaller<P: Principal>(Arc<Make<P>>);

type Make<P> =
    dyn Fn(Arc<P>) -> BoxFuture<'static, Result<Arc<dyn Serve<P>>, Failure>> + Send + Sync;

/// The application's function that makes an agent for a caller.
pub(crate) type Making<A> = Box<
    dyn Fn(Arc<<A as Agent>::Principal>) -> BoxFuture<'static, Result<Parts<A>, Failure>>
        + Send
        + Sync,
>;

impl<P: Principal> PerCaller<P> {
    pub(super) fn new<A: Agent<Principal = P>>(declared: Declared<A>, make: Making<A>) -> Self {
        let declared = Arc::new(declared);
        Self(Arc::new(move |principal| {
            let (declared, made) = (declared.clone(), make(principal));
            Box::pin(async move {
                let (agent, host) = made.await?;
                let bound: Arc<dyn Serve<P>> = Arc::new(Bound::new(declared, agent, host)?);
                Ok(bound)
            })
        }))
    }

    /// Makes the agent of a caller.
    pub(super) fn make(
        &self,
        principal: Arc<P>,
    ) -> BoxFuture<'static, Result<Arc<dyn Serve<P>>, Failure>> {
        self.0(principal)
    }
}

impl<P: Principal> From<Shared> for PerCaller<P> {
    fn from(none: Shared) -> Self {
        match none {}
    }
}

/// A [`Server`](crate::Server) whose agents are there before any caller.
#[diagnostic::on_unimplemented(
    message = "this server makes agents for each caller, and is not told for which one",
    note = "call `.runtime_for(principal).await` or `.handler_for(principal).await`"
)]
pub trait ForAll {
    /// Proves it.
    #[doc(hidden)]
    fn nothing(self) -> Never;
}

impl ForAll for Shared {
    fn nothing(self) -> Never {
        match self {}
    }
}

//! What a method and the hooks beside it see of the call.

use std::{future::Future, ops::Deref, sync::Arc, time::Duration};

use serde_json::Value;

use super::{
    agent::Agent,
    invocation::Invocation,
    port::{Client, LogLevel, Progress},
};
use crate::contract::{MetaKeyError, check_meta_key};

/// The caller's side of a call: who calls, and the snapshot that the call sees.
pub struct Caller<A: Agent> {
    /// Who calls.
    pub principal: Arc<A::Principal>,
    /// The one snapshot that this call sees (B41).
    pub model: Arc<A::Model>,
    /// The call's id, transport and cancellation.
    pub invocation: Arc<Invocation>,
}

impl<A: Agent> Clone for Caller<A> {
    fn clone(&self) -> Self {
        Self {
            principal: self.principal.clone(),
            model: self.model.clone(),
            invocation: self.invocation.clone(),
        }
    }
}

/// A call with its decoded input: what `authorize` and `completion` see.
///
/// It derefs to [`Caller`], so a hook that does not care for the input takes `&Caller<Self>`.
pub struct Call<A: Agent, I> {
    /// The decoded arguments, a field for each.
    pub input: I,
    pub(crate) caller: Caller<A>,
}

impl<A: Agent, I> Deref for Call<A, I> {
    type Target = Caller<A>;

    fn deref(&self) -> &Caller<A> {
        &self.caller
    }
}

/// The context of a running method: taken by reference, never an argument.
pub struct Context<A: Agent> {
    caller: Caller<A>,
}

impl<A: Agent> Context<A> {
    pub(crate) fn new(caller: Caller<A>) -> Self {
        Self { caller }
    }

    /// The snapshot that `available` approved (B41).
    #[must_use]
    pub fn model(&self) -> &A::Model {
        &self.caller.model
    }

    /// Who calls.
    #[must_use]
    pub fn principal(&self) -> &A::Principal {
        &self.caller.principal
    }

    /// This call: its id and transport.
    #[must_use]
    pub fn invocation(&self) -> &Invocation {
        &self.caller.invocation
    }

    /// What the request says beside what the protocol knows: a member of its `_meta`.
    #[must_use]
    pub fn meta(&self, key: &str) -> Option<&Value> {
        self.caller.invocation.meta(key)
    }

    /// Adds a member to the `_meta` of the result, for callers that know it; a second one under the same key
    /// replaces the first. In-process callers and results that are errors of the protocol have none.
    ///
    /// # Errors
    ///
    /// A key that is not allowed, see [`check_meta_key`].
    pub fn add_meta(&self, key: &str, value: impl Into<Value>) -> Result<(), MetaKeyError> {
        check_meta_key(key)?;
        if let Some(port) = &self.caller.invocation.port {
            port.meta(key, value.into());
        }
        Ok(())
    }

    /// What the calling program says of itself. Nothing may be decided by it.
    #[must_use]
    pub fn client(&self) -> &Client {
        &self.caller.invocation.client
    }

    /// Tells the caller how far the work is.
    #[must_use]
    pub fn progress(&self) -> Progress<'_> {
        Progress(self.caller.invocation.port.as_deref())
    }

    /// Sends a log message to the caller, if it asked for that level.
    pub fn log(&self, level: LogLevel, data: impl serde::Serialize) {
        if let Some(port) = &self.caller.invocation.port
            && let Ok(data) = serde_json::to_value(data)
        {
            port.log(level, data);
        }
    }

    /// Lets the caller's connection go while this call runs on, for work that takes minutes: the caller comes
    /// back for the outcome, at the earliest after `retry`, and again if it is not there yet.
    ///
    /// Only callers that can come back are let go (Streamable HTTP at revision 2025-11-25); for others, and
    /// where the connection is let go already, this does nothing.
    ///
    /// ```
    /// # use std::time::Duration;
    /// # use agent_mcp::{Context, agent};
    /// # struct Archive;
    /// # #[agent]
    /// # impl Archive {
    /// /// Packs everything.
    /// #[capability]
    /// async fn pack(&self, cx: &Context<Self>) -> String {
    ///     cx.release(Duration::from_secs(30));
    ///     // ...
    ///     "packed".to_owned()
    /// }
    /// # }
    /// ```
    pub fn release(&self, retry: Duration) {
        if let Some(port) = &self.caller.invocation.port {
            port.release(retry);
        }
    }

    /// Resolves when the call is cancelled, its time is up or its session ends.
    ///
    /// The caller has been answered by then; the method is polled on for a moment to clean up and then
    /// dropped. A blocking method asks [`is_cancelled`](Self::is_cancelled) instead.
    pub fn cancelled(&self) -> impl Future<Output = ()> + Send + '_ {
        self.caller.invocation.cancellation.cancelled()
    }

    /// Whether the call is cancelled, its time is up or its session has ended.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.caller.invocation.cancellation.is_cancelled()
    }
}

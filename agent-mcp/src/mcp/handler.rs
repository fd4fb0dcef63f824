//! The protocol over a runtime.

use std::{fmt, ops::Deref, sync::Arc, time::Duration};

use super::{
    asking::{StateKeys, Used},
    connection::Connection,
    exchange::Outbox,
    offered::{Listed, Offered},
    protocol::Protocol,
    revision::Revision,
    session::Session,
    tasks::TaskStore,
};
use crate::runtime::{Agents, Failure, Principal, Runtime};

/// What of the protocol a server offers, and in which form.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct HandlerOptions {
    /// The revisions that are offered: all.
    pub revisions: Vec<Revision>,
    /// Whether methods can send log messages to callers: yes.
    pub logging: bool,
    /// How arguments that do not fit the schema are answered: as the revision has it.
    pub faults: FaultStyle,
    /// How long a client may keep a list that never changes: one minute. It is told so since 2026-07-28.
    pub list_ttl: Duration,
    /// How many messages may be in a batch: 100.
    pub batch: usize,
    /// How many streams of notices a connection may have open: 64.
    pub streams: usize,
    /// How many resources a session, or a stream of notices, may be subscribed to: 100.
    pub subscriptions: usize,
    /// What the server is, in a sentence, for people.
    pub description: Option<String>,
    /// Where people read about the server.
    pub website_url: Option<String>,
    /// Where tasks are kept; each server keeps them in its own memory where nothing is said.
    pub(crate) tasks: Option<KeptIn<dyn TaskStore>>,
    /// What seals that which clients carry for the server.
    pub(crate) state_keys: StateKeys,
    /// What knows which seals were used.
    pub(crate) used: Option<KeptIn<dyn Used>>,
    /// The skills that are served.
    #[cfg(feature = "skills")]
    pub(crate) skills: Option<Arc<crate::skills::Skills>>,
    /// Whether legacy clients have a stream for what belongs to no request.
    pub(crate) standing_streams: bool,
}

impl Default for HandlerOptions {
    fn default() -> Self {
        Self {
            revisions: Revision::ALL.to_vec(),
            logging: true,
            faults: FaultStyle::default(),
            list_ttl: Duration::from_secs(60),
            batch: 100,
            streams: 64,
            subscriptions: 100,
            description: None,
            website_url: None,
            tasks: None,
            state_keys: StateKeys::default(),
            used: None,
            #[cfg(feature = "skills")]
            skills: None,
            standing_streams: true,
        }
    }
}

/// Where something is kept.
pub(crate) struct KeptIn<S: ?Sized>(pub(crate) Arc<S>);

impl<S: ?Sized> Clone for KeptIn<S> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<S: ?Sized> PartialEq for KeptIn<S> {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl<S: ?Sized> fmt::Debug for KeptIn<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("KeptIn(..)")
    }
}

/// How arguments that do not fit the schema are answered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FaultStyle {
    /// As the revision has it: an error up to 2025-06-18, a result later.
    #[default]
    ByRevision,
    /// An error of the protocol, with all faults in its data. Most clients keep it from the model.
    Error,
    /// A failed result, which the model sees and can act on.
    Result,
}

/// The protocol as a state machine: message in, messages out. Clones share it.
///
/// It does no input or output and has no clock; a transport hands it bytes. This is also how a server is
/// tested without one:
///
/// ```
/// # use std::sync::Arc;
/// use agent_mcp::mcp::{Handler, Outbox, Received};
///
/// struct Nowhere;
///
/// impl Outbox for Nowhere {
///     fn send(&self, _: bytes::Bytes) {}
/// }
///
/// fn ping(handler: &Handler<()>) {
///     let connection = handler.connect(Arc::new(()), Arc::new(Nowhere));
///     let received = connection.receive(r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#.into());
///     let Received::Reply(reply) = received else { panic!("ping is answered at once") };
///     assert_eq!(reply, r#"{"jsonrpc":"2.0","id":1,"result":{}}"#);
/// }
/// ```
pub struct Handler<P: Principal> {
    protocol: Arc<Protocol>,
    runtime: Runtime<P>,
}

impl<P: Principal> Clone for Handler<P> {
    fn clone(&self) -> Self {
        Self { protocol: self.protocol.clone(), runtime: self.runtime.clone() }
    }
}

impl<P: Principal> Handler<P> {
    /// Serves the agents of `runtime`.
    #[must_use]
    pub fn new(runtime: Runtime<P>, options: HandlerOptions) -> Self {
        let protocol = Arc::new(Protocol::new(runtime.plan().clone(), options));
        Self { protocol, runtime }
    }

    /// Opens a connection for the caller `principal`; what is no reply goes to `outbox`.
    #[must_use]
    pub fn connect(&self, principal: Arc<P>, outbox: Arc<dyn Outbox>) -> Connection<P> {
        Connection::new(self.clone(), principal, outbox)
    }

    /// Opens a connection that goes on with the session of a [record](Connection::take_record); `None` where
    /// the record is none, or of a revision that is not offered.
    #[must_use]
    pub fn resume(
        &self,
        principal: Arc<P>,
        outbox: Arc<dyn Outbox>,
        record: &[u8],
    ) -> Option<Connection<P>> {
        let session = Session::resume(record)?;
        let is_offered = self.offered().contains(&session.revision);
        is_offered.then(|| self.connect(principal, outbox).in_session(session))
    }

    /// Opens a connection for a legacy client that keeps no session: all that is known is its revision.
    #[cfg(feature = "http")]
    pub(crate) fn assume(
        &self,
        revision: Revision,
        principal: Arc<P>,
        outbox: Arc<dyn Outbox>,
    ) -> Connection<P> {
        self.connect(principal, outbox).in_session(Session::assumed(revision))
    }

    /// The runtime behind it.
    #[must_use]
    pub fn runtime(&self) -> &Runtime<P> {
        &self.runtime
    }

    /// What exists for `principal` now; `None` where everything does, always.
    pub(crate) fn available(&self, principal: &P) -> Option<Offered> {
        let changes = |list| self.is_conditional(list);
        let any = Listed::ALL.into_iter().any(changes);
        any.then(|| Offered::now(self.runtime.availability(principal), changes))
    }
}

impl<P: Principal> Deref for Handler<P> {
    type Target = Protocol;

    fn deref(&self) -> &Protocol {
        &self.protocol
    }
}

/// The handlers of a server: one for all callers, or one for each.
pub(crate) struct Handlers<P: Principal> {
    protocol: Arc<Protocol>,
    agents: Agents<P>,
}

impl<P: Principal> Handlers<P> {
    pub(crate) fn new(agents: Agents<P>, options: HandlerOptions) -> Self {
        let protocol = Arc::new(Protocol::new(agents.plan().clone(), options));
        Self { protocol, agents }
    }

    /// The same with other options, as a transport has it.
    #[cfg(feature = "http")]
    pub(crate) fn with(self, change: impl FnOnce(&mut HandlerOptions)) -> Self {
        let mut options = self.protocol.options().clone();
        change(&mut options);
        Self::new(self.agents, options)
    }

    #[cfg(feature = "http")]
    pub(crate) fn protocol(&self) -> &Protocol {
        &self.protocol
    }

    /// What is offered.
    #[cfg(feature = "cli")]
    pub(crate) fn contract(&self) -> &crate::contract::Contract {
        self.agents.plan().contract()
    }

    /// The handler of all callers; `None` where agents are made per caller.
    #[cfg(any(feature = "stdio", feature = "http", feature = "testing"))]
    pub(crate) fn shared(&self) -> Option<Handler<P>> {
        let runtime = self.agents.shared()?;
        Some(Handler { protocol: self.protocol.clone(), runtime })
    }

    /// Makes the handler of one caller. Dropping the future leaves nothing half made (O29).
    pub(crate) async fn make(&self, principal: &Arc<P>) -> Result<Handler<P>, Failure> {
        let runtime = self.agents.runtime_for(principal).await?;
        Ok(Handler { protocol: self.protocol.clone(), runtime })
    }
}

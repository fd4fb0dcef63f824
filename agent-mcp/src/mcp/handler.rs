//! The protocol over a runtime.

use std::{
    collections::HashMap,
    sync::{Arc, OnceLock},
    time::Duration,
};

use bytes::Bytes;

use super::{
    connection::Connection,
    exchange::Outbox,
    face::{Face, Offers},
    incoming::Incoming,
    revision::Revision,
};
use crate::runtime::{Principal, Runtime};

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
    /// What the server is, in a sentence, for people.
    pub description: Option<String>,
    /// Where people read about the server.
    pub website_url: Option<String>,
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
            description: None,
            website_url: None,
        }
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
    inner: Arc<Inner<P>>,
}

struct Inner<P: Principal> {
    runtime: Runtime<P>,
    options: HandlerOptions,
    /// Newest first.
    offered: Vec<Revision>,
    offers: Offers,
    /// Where each tool stands in the contract.
    tools: HashMap<String, usize>,
    /// Whether some tool comes and goes.
    conditional: bool,
    faces: [OnceLock<Face>; Revision::ALL.len()],
}

impl<P: Principal> Clone for Handler<P> {
    fn clone(&self) -> Self {
        Self { inner: self.inner.clone() }
    }
}

impl<P: Principal> Handler<P> {
    /// Serves the agents of `runtime`.
    #[must_use]
    pub fn new(runtime: Runtime<P>, options: HandlerOptions) -> Self {
        let contract = runtime.contract();
        let offers = Offers {
            tools: !contract.capabilities.is_empty(),
            tool_changes: runtime.tells_of_changes(),
            resources: !contract.resources.is_empty() || contract.context.is_some(),
            logging: options.logging,
        };
        let names = contract.capabilities.iter().map(|tool| tool.name.clone());
        let tools = names.zip(0..).collect();
        let conditional = contract.capabilities.iter().any(|tool| tool.conditional);
        let offered = Revision::ALL.into_iter().rev();
        let offered = offered.filter(|revision| options.revisions.contains(revision)).collect();
        let faces = Default::default();
        Self {
            inner: Arc::new(Inner { runtime, options, offered, offers, tools, conditional, faces }),
        }
    }

    /// Opens a connection for the caller `principal`; what is no reply goes to `outbox`.
    #[must_use]
    pub fn connect(&self, principal: Arc<P>, outbox: Arc<dyn Outbox>) -> Connection<P> {
        Connection::new(self.clone(), principal, outbox)
    }

    /// Reads a message, for a transport that has to know whose it is before it is taken.
    #[must_use]
    pub fn read<'a>(&self, message: &'a Bytes) -> Incoming<'a> {
        Incoming::read(message, self)
    }

    /// The runtime behind it.
    #[must_use]
    pub fn runtime(&self) -> &Runtime<P> {
        &self.inner.runtime
    }

    pub(crate) fn options(&self) -> &HandlerOptions {
        &self.inner.options
    }

    pub(crate) fn offers(&self) -> Offers {
        self.inner.offers
    }

    /// The revisions on offer, the newest first.
    pub(crate) fn offered(&self) -> &[Revision] {
        &self.inner.offered
    }

    /// The newest legacy revision on offer.
    pub(crate) fn newest_legacy(&self) -> Option<Revision> {
        self.offered().iter().copied().find(|revision| !revision.is_modern())
    }

    /// Whether requests without a handshake are served.
    pub(crate) fn has_modern(&self) -> bool {
        self.offered().iter().any(|revision| revision.is_modern())
    }

    /// Where the tool of that name stands in the contract.
    pub(crate) fn place(&self, tool: &str) -> Option<usize> {
        self.inner.tools.get(tool).copied()
    }

    /// Whether arguments that do not fit are answered with a result.
    pub(crate) fn answers_faults_with_results(&self, revision: Revision) -> bool {
        match self.options().faults {
            FaultStyle::ByRevision => revision.answers_faults_with_results(),
            FaultStyle::Error => false,
            FaultStyle::Result => true,
        }
    }

    /// Which tools exist for `principal` now; `None` where all do, always.
    pub(crate) fn available(&self, principal: &P) -> Option<Vec<bool>> {
        self.inner.conditional.then(|| self.runtime().available(principal))
    }

    /// How the server shows itself at `revision`; written when it is asked for first.
    pub(crate) fn face(&self, revision: Revision) -> &Face {
        self.inner.faces[revision.index()].get_or_init(|| {
            Face::new(revision, self.runtime().contract(), self.offers(), self.options())
        })
    }

    /// How long a list may be kept that does not change.
    pub(crate) fn list_ttl_ms(&self) -> u64 {
        u64::try_from(self.options().list_ttl.as_millis()).unwrap_or(u64::MAX)
    }
}

//! One call: its id, its transport, its cancellation.

use std::{
    borrow::Cow,
    fmt,
    hash::{BuildHasher, Hash, Hasher, RandomState},
    sync::{
        Arc, LazyLock, OnceLock,
        atomic::{AtomicU64, Ordering},
    },
};

use serde_json::Value;
use tokio_util::sync::CancellationToken;

use super::{
    dialogue::{Dialogue, Means},
    port::{Client, Port},
    task::Begin,
    trace::Trace,
};
use crate::contract::MetaMap;

/// One call of a capability, or one read.
#[derive(Clone)]
#[non_exhaustive]
pub struct Invocation {
    /// Unique for each run, also of one stored operation that is run twice (B45).
    pub id: InvocationId,
    /// Where the call came from: `mcp`, `in-app`, or an adapter's own word (B46).
    pub transport: Cow<'static, str>,
    /// The id that the protocol gave the request, as its JSON text.
    pub request: Option<Arc<str>>,
    /// The session that the request belongs to.
    pub session: Option<Arc<str>>,
    pub(crate) cancellation: CancellationToken,
    pub(crate) port: Option<Arc<dyn Port>>,
    pub(crate) client: Arc<Client>,
    /// Whether it is kept out of the audit: what it gives is shown to nobody.
    pub(crate) unrecorded: bool,
    means: Means,
    meta: Option<Arc<MetaMap>>,
    /// Made when something is asked; most calls ask nothing.
    dialogue: OnceLock<Arc<Dialogue>>,
    pub(super) task: Option<Arc<dyn Begin>>,
}

impl Invocation {
    /// An invocation from inside the application: a fresh id, transport `in-app`, nobody to cancel it.
    #[must_use]
    pub fn new() -> Self {
        Self::on("in-app")
    }

    /// Keeps it out of the audit.
    pub(super) fn unrecorded(mut self) -> Self {
        self.unrecorded = true;
        self
    }

    /// An invocation that comes over `transport`.
    #[must_use]
    pub fn on(transport: impl Into<Cow<'static, str>>) -> Self {
        static NOBODY: LazyLock<Arc<Client>> = LazyLock::new(Arc::default);
        Self {
            id: InvocationId::fresh(),
            transport: transport.into(),
            request: None,
            session: None,
            cancellation: CancellationToken::new(),
            port: None,
            client: NOBODY.clone(),
            unrecorded: false,
            means: Means::default(),
            meta: None,
            dialogue: OnceLock::new(),
            task: None,
        }
    }

    /// Keeps `id` verbatim instead of a generated one (B45).
    #[must_use]
    pub fn with_id(mut self, id: impl Into<InvocationId>) -> Self {
        self.id = id.into();
        self
    }

    /// Ends the invocation when `token` is cancelled. The invocation's own end does not cancel `token`.
    #[must_use]
    pub fn with_cancellation(mut self, token: &CancellationToken) -> Self {
        self.cancellation = token.child_token();
        self
    }

    /// Names the protocol's request and session in spans and in the audit.
    #[must_use]
    pub fn with_request(mut self, request: Arc<str>, session: Option<Arc<str>>) -> Self {
        self.request = Some(request);
        self.session = session;
        self
    }

    /// Lets the method talk to its caller through `port`, which knows what `client` can do.
    #[must_use]
    pub fn with_port(mut self, port: Arc<dyn Port>, client: Arc<Client>) -> Self {
        self.port = Some(port);
        self.client = client;
        self
    }

    /// Lets the method ask its caller, by these means. Without it nobody can be asked.
    #[must_use]
    pub fn with_means(mut self, means: Means) -> Self {
        self.means = means;
        self
    }

    /// Goes on with a dialogue: the method finds the answers in it.
    #[must_use]
    pub fn with_dialogue(mut self, dialogue: Arc<Dialogue>) -> Self {
        self.means = dialogue.means();
        self.dialogue = OnceLock::from(dialogue);
        self
    }

    /// By which means the caller can be asked.
    #[must_use]
    pub fn means(&self) -> Means {
        self.means
    }

    /// What the method asks and gets.
    pub(crate) fn dialogue(&self) -> &Dialogue {
        self.dialogue.get_or_init(|| Arc::new(Dialogue::new(self.means)))
    }

    /// The same, where something was asked or answered.
    pub(crate) fn begun_dialogue(&self) -> Option<&Dialogue> {
        self.dialogue.get().map(|dialogue| &**dialogue)
    }

    /// Adds what the request says beside what the protocol knows: the other members of its `_meta`.
    #[must_use]
    pub fn with_meta(mut self, meta: impl Into<Arc<MetaMap>>) -> Self {
        self.meta = Some(meta.into());
        self
    }

    /// A member of the request's `_meta` that is none of the protocol's own.
    #[must_use]
    pub fn meta(&self, key: &str) -> Option<&Value> {
        self.meta.as_ref()?.get(key)
    }

    /// The caller's place in a distributed trace, as far as it says one (META-4).
    ///
    /// The span of each call carries it as the fields `traceparent`, `tracestate` and `baggage`, where a layer
    /// for OpenTelemetry finds it.
    #[must_use]
    pub fn trace(&self) -> Trace<'_> {
        self.meta.as_deref().map(Trace::of).unwrap_or_default()
    }

    /// The signal that fires when the caller cancels, the time is up or the session ends.
    #[must_use]
    pub fn cancellation(&self) -> &CancellationToken {
        &self.cancellation
    }
}

impl Default for Invocation {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for Invocation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Invocation")
            .field("id", &self.id)
            .field("transport", &self.transport)
            .field("request", &self.request)
            .field("session", &self.session)
            .finish_non_exhaustive()
    }
}

/// The identity of one [`Invocation`].
///
/// A Message carries it (`Message::DeleteRequested { request: cx.invocation().id.clone() }`) so that
/// the fact that follows can be told from the facts of other calls (B63).
#[derive(Clone)]
pub struct InvocationId(Id);

#[derive(Clone)]
enum Id {
    /// Unique without a platform source of UUIDs: a random half per process and a counter.
    Generated(u64, u64),
    Given(Arc<str>),
}

impl InvocationId {
    /// An id that no other invocation of this process has.
    #[must_use]
    pub fn fresh() -> Self {
        static PROCESS: LazyLock<u64> = LazyLock::new(|| RandomState::new().hash_one(0));
        static NEXT: AtomicU64 = AtomicU64::new(1);
        Self(Id::Generated(*PROCESS, NEXT.fetch_add(1, Ordering::Relaxed)))
    }
}

impl From<&str> for InvocationId {
    fn from(id: &str) -> Self {
        Self(Id::Given(id.into()))
    }
}

impl From<String> for InvocationId {
    fn from(id: String) -> Self {
        Self(Id::Given(id.into()))
    }
}

impl fmt::Display for InvocationId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Id::Generated(process, number) => write!(f, "{process:016x}-{number:x}"),
            Id::Given(id) => f.write_str(id),
        }
    }
}

impl fmt::Debug for InvocationId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl PartialEq for InvocationId {
    fn eq(&self, other: &Self) -> bool {
        match (&self.0, &other.0) {
            (Id::Generated(a, b), Id::Generated(c, d)) => (a, b) == (c, d),
            (Id::Given(a), Id::Given(b)) => a == b,
            // An id that went through a database comes back as text.
            _ => self.to_string() == other.to_string(),
        }
    }
}

impl Eq for InvocationId {}

impl Hash for InvocationId {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.to_string().hash(state);
    }
}

impl serde::Serialize for InvocationId {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> serde::Deserialize<'de> for InvocationId {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer).map(Self::from)
    }
}

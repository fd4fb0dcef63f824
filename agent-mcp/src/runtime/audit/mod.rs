//! The audit: every decision of the runtime, refusals included (B89).

mod arguments;
mod log;
mod recorder;

use std::{borrow::Cow, future::Future, sync::Arc, time::Duration, time::SystemTime};

pub use arguments::AuditedArguments;
pub(crate) use arguments::{ArgumentPolicy, Path};
pub use log::AuditLog;
pub(crate) use recorder::{NotOpened, Opened, Recorder, Recording};
use serde::Serialize;

use super::{
    invocation::InvocationId,
    outcome::{Delivery, Status},
    principal::PrincipalId,
};
use crate::host::BoxError;

/// What the audit holds of one invocation. It never holds the principal itself or the Model (B94, B95).
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct AuditEntry {
    /// Rises with each invocation in the order of their starts.
    pub sequence: u64,
    /// When the invocation started.
    #[serde(serialize_with = "rfc3339")]
    pub started: SystemTime,
    /// How long it took.
    #[serde(rename = "durationMs", serialize_with = "milliseconds")]
    pub duration: Duration,
    /// What was asked for.
    pub action: Action,
    /// The capability or resource, as the caller wrote it (B92); of a refused request the method and the path.
    pub target: String,
    /// The method behind a capability that exists.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub method: Option<String>,
    /// The template that the address of a resource fits.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub template: Option<String>,
    /// The invocation.
    pub invocation: InvocationId,
    /// Where it came from.
    pub transport: Cow<'static, str>,
    /// The request's id in its protocol, as JSON text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub request: Option<Arc<str>>,
    /// The session; of a refused request the one that it reached for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub session: Option<Arc<str>>,
    /// The caller's stable id; the anonymous one where the caller is not known.
    pub principal: PrincipalId,
    /// Whether the application was reached (B90).
    pub dispatched: Delivery,
    /// How it ended (B91).
    pub status: Status,
    /// What is kept of the arguments.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub arguments: Option<AuditedArguments>,
    /// What the log says more of, such as a predicate that panicked. Never an argument.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// What was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Action {
    /// A capability was called.
    Call,
    /// A resource or the context was read.
    Read,
    /// A prompt was got.
    Prompt,
    /// A request was refused before it reached either.
    Request,
}

/// A request that was refused before it reached anything, as a transport tells of it.
#[cfg(feature = "http")]
pub(crate) struct RefusedRequest {
    pub(crate) transport: &'static str,
    pub(crate) target: String,
    pub(crate) status: Status,
    pub(crate) principal: PrincipalId,
    pub(crate) session: Option<Arc<str>>,
    pub(crate) note: Option<String>,
}

/// Where audit entries go.
///
/// It runs on a task of its own behind a bounded queue: a slow or failing sink never holds up a call.
pub trait AuditSink: Send + Sync + 'static {
    /// Keeps `entry`.
    ///
    /// # Errors
    ///
    /// The entry is lost and counted with [`Audit::open`], tried again with [`Audit::closed`].
    fn record(&self, entry: &AuditEntry) -> impl Future<Output = Result<(), BoxError>> + Send;
}

/// Two sinks, each with every entry. One that fails does not keep the entry from the other.
impl<A: AuditSink, B: AuditSink> AuditSink for (A, B) {
    async fn record(&self, entry: &AuditEntry) -> Result<(), BoxError> {
        let (first, second) = (self.0.record(entry).await, self.1.record(entry).await);
        first.and(second)
    }
}

/// How invocations are audited: the sink, what of the arguments is kept, and what happens without a
/// place for an entry.
///
/// ```
/// use agent_mcp::{Audit, AuditLog};
///
/// let log = AuditLog::new(500);
/// let audit = Audit::to(log.clone()).keep(["query", "filter.*"]).redact(["**.token"]).closed();
/// # let _ = audit;
/// ```
pub struct Audit {
    sink: Arc<dyn DynSink>,
    arguments: ArgumentPolicy,
    closed: bool,
    queue: usize,
    reads: bool,
    requests: bool,
    clock: fn() -> SystemTime,
}

impl Audit {
    /// Audits to `sink`: argument names and a keyed digest, no values, 1,024 places, [`open`](Self::open).
    #[must_use]
    pub fn to(sink: impl AuditSink) -> Self {
        Self {
            sink: Arc::new(sink),
            arguments: ArgumentPolicy::default(),
            closed: false,
            queue: 1_024,
            reads: true,
            requests: true,
            clock: SystemTime::now,
        }
    }

    /// Keeps the values of the members at these paths.
    ///
    /// A path is member names joined by dots; `*` stands for any one name and `**` for any number of
    /// them. Elements of a list have the path of the list. Members whose schema says `writeOnly` are
    /// secrets and never kept.
    #[must_use]
    pub fn keep<T: AsRef<str>>(mut self, paths: impl IntoIterator<Item = T>) -> Self {
        self.arguments.keep(paths);
        self
    }

    /// Replaces the values of the members at these paths by a mark, at any depth (B93, O38).
    #[must_use]
    pub fn redact<T: AsRef<str>>(mut self, paths: impl IntoIterator<Item = T>) -> Self {
        self.arguments.redact(paths);
        self
    }

    /// Goes on when an entry finds no place, and counts the loss. This is the default.
    #[must_use]
    pub fn open(mut self) -> Self {
        self.closed = false;
        self
    }

    /// Refuses a call before its method runs when its entry would find no place, or while the sink fails.
    #[must_use]
    pub fn closed(mut self) -> Self {
        self.closed = true;
        self
    }

    /// How many entries may be on their way: calls that run and entries that wait for the sink.
    #[must_use]
    pub fn queue(mut self, places: usize) -> Self {
        self.queue = places.max(1);
        self
    }

    /// Leaves out reads of resources and of the context.
    #[must_use]
    pub fn without_reads(mut self) -> Self {
        self.reads = false;
        self
    }

    /// Leaves out requests that a transport refuses before they reach anything: those without a caller, from a
    /// foreign page, for somebody else's session.
    ///
    /// Calls always go first: such an entry is left out and counted when half of the places are taken.
    #[must_use]
    pub fn without_refused_requests(mut self) -> Self {
        self.requests = false;
        self
    }

    /// Takes the time of each entry from `clock` (B97). When it panics, that call is a defect.
    #[must_use]
    pub fn clock(mut self, clock: fn() -> SystemTime) -> Self {
        self.clock = clock;
        self
    }
}

impl<S: AuditSink> From<S> for Audit {
    fn from(sink: S) -> Self {
        Self::to(sink)
    }
}

/// An [`AuditSink`] behind a pointer.
trait DynSink: Send + Sync {
    fn record<'a>(&'a self, entry: &'a AuditEntry) -> super::BoxFuture<'a, Result<(), BoxError>>;
}

impl<S: AuditSink> DynSink for S {
    fn record<'a>(&'a self, entry: &'a AuditEntry) -> super::BoxFuture<'a, Result<(), BoxError>> {
        Box::pin(AuditSink::record(self, entry))
    }
}

fn milliseconds<S: serde::Serializer>(duration: &Duration, s: S) -> Result<S::Ok, S::Error> {
    s.serialize_f64((duration.as_secs_f64() * 1e6).round() / 1e3)
}

fn rfc3339<S: serde::Serializer>(time: &SystemTime, s: S) -> Result<S::Ok, S::Error> {
    s.collect_str(&crate::runtime::time::Rfc3339(*time))
}

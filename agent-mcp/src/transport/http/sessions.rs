//! Sessions (legacy) as one server has them: what runs in them, and when they end.

use std::{
    collections::{HashMap, hash_map::Entry},
    sync::{
        Arc, Mutex, MutexGuard, OnceLock, PoisonError, Weak,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::Duration,
};

use bytes::Bytes;
use tokio::{task::AbortHandle, time::sleep};

use super::{
    callers::{Callers, Instance},
    instances::NotMade,
    respond::Refusal,
    store::{
        Admission, EventId, Hear, Replica, SessionFacts, SessionLimits, SessionStore, Signal,
        StreamKind, Tail,
    },
};
use crate::{
    host::{BoxError, Subscription},
    mcp::{Connection, Incoming, Outbox},
    runtime::{Limits, Principal, PrincipalId},
};

pub(super) const NO_SESSION: &str =
    "`Mcp-Session-Id` is missing: a session begins with `initialize`";
pub(super) const UNKNOWN_SESSION: &str =
    "The session is not known: begin a new one with `initialize`";

/// The sessions that this server has seen; which there are, the store knows.
///
/// A session that nobody uses owns no task and no timer: one sweeper looks after all, and exists only while
/// there are sessions.
pub(super) struct Sessions<P: Principal> {
    pub(super) store: Arc<dyn SessionStore>,
    limits: SessionLimits,
    replica: Replica,
    hear: OnceLock<Hear>,
    here: Mutex<Here<P>>,
}

struct Here<P: Principal> {
    sessions: HashMap<Arc<str>, Arc<Session<P>>>,
    sweeper: Option<AbortHandle>,
}

/// One session.
pub(super) struct Session<P: Principal> {
    pub(super) id: Arc<str>,
    owner: PrincipalId,
    pub(super) instance: Arc<Instance<P>>,
    pub(super) connection: Arc<Connection<P>>,
    /// Whether anybody has ever listened for what belongs to no request.
    listened: Arc<AtomicBool>,
    /// What goes on in it.
    uses: AtomicUsize,
    calls: AtomicUsize,
    streams: AtomicUsize,
    store: Arc<dyn SessionStore>,
    subscription: Mutex<Option<Subscription>>,
}

/// A session in use; while one exists, the session is not idle.
pub(super) struct InUse<P: Principal>(pub(super) Arc<Session<P>>);

/// What is told of a session goes to the store, which knows who listens.
struct Standing {
    store: Arc<dyn SessionStore>,
    session: Arc<str>,
    listened: Arc<AtomicBool>,
}

impl Outbox for Standing {
    fn send(&self, message: Bytes) {
        self.store.tell(&self.session, message);
    }

    fn is_heard(&self) -> bool {
        self.listened.load(Ordering::Relaxed)
    }
}

/// A session that is being opened: a connection that has not shaken hands yet.
pub(super) struct Opening<P: Principal> {
    id: Arc<str>,
    instance: Arc<Instance<P>>,
    pub(super) connection: Connection<P>,
    listened: Arc<AtomicBool>,
}

/// Why a session is not opened.
pub(super) enum NotOpened {
    /// There are too many; the setting that says so.
    Full(&'static str, usize),
    Failed(BoxError),
}

/// Why it cannot be said whether there is a session, or it cannot be gone on with.
pub(super) enum NotFound {
    Failed(BoxError),
    NotServed(NotMade),
}

impl NotFound {
    /// The answer to the request that asks for it.
    pub(super) fn refusal(self, incoming: Option<&Incoming<'_>>) -> Refusal {
        match self {
            Self::Failed(error) => Refusal::of_store(error),
            Self::NotServed(error) => error.refusal(incoming),
        }
    }
}

impl<P: Principal> Sessions<P> {
    pub(super) fn new(store: Arc<dyn SessionStore>, limits: &Limits) -> Arc<Self> {
        let limits = SessionLimits {
            sessions: limits.sessions,
            sessions_per_principal: limits.sessions_per_principal,
            idle: limits.session_idle,
            stream_messages: limits.stream_messages,
            stream_bytes: limits.stream_bytes,
        };
        let here = Mutex::new(Here { sessions: HashMap::new(), sweeper: None });
        let replica = Replica(uuid::Uuid::new_v4().as_u128());
        let sessions = Arc::new(Self { store, limits, replica, hear: OnceLock::new(), here });
        // Held weakly: a store may outlive its servers.
        let listener = Arc::downgrade(&sessions);
        let hear: Hear = Arc::new(move |id, signal| {
            if let Some(sessions) = listener.upgrade() {
                sessions.heard(id, signal);
            }
        });
        let _ = sessions.hear.set(hear);
        sessions
    }

    /// A session that begins when its connection has shaken hands.
    pub(super) fn begin(&self, instance: Arc<Instance<P>>, principal: Arc<P>) -> Opening<P> {
        // SES-2: random, not guessable, visible ASCII.
        let id: Arc<str> = uuid::Uuid::new_v4().simple().to_string().into();
        let (listened, outbox) = self.standing(&id, false);
        let connection = instance.handler.connect(principal, outbox);
        Opening { id, instance, connection, listened }
    }

    fn standing(&self, id: &Arc<str>, listened: bool) -> (Arc<AtomicBool>, Arc<dyn Outbox>) {
        let listened = Arc::new(AtomicBool::new(listened));
        let (store, session) = (self.store.clone(), id.clone());
        let outbox = Standing { store, session, listened: listened.clone() };
        (listened, Arc::new(outbox))
    }

    /// Opens the session of a connection that has shaken hands, and gives its id.
    pub(super) async fn open(
        self: &Arc<Self>,
        opening: Opening<P>,
        owner: PrincipalId,
        record: Bytes,
    ) -> Result<Arc<str>, NotOpened> {
        let Opening { id, instance, connection, listened } = opening;
        let facts = SessionFacts { owner: owner.clone(), record };
        match self.store.create(&id, facts, self.limits).await.map_err(NotOpened::Failed)? {
            Admission::Admitted => {}
            Admission::Full => return Err(NotOpened::Full("sessions", self.limits.sessions)),
            Admission::FullForOwner => {
                let limit = self.limits.sessions_per_principal;
                return Err(NotOpened::Full("sessions_per_principal", limit));
            }
        }
        let store = self.store.clone();
        self.keep(Session::new(id.clone(), owner, instance, connection, listened, store));
        Ok(id)
    }

    /// The session with that id, where it is that caller's.
    pub(super) async fn find(
        self: &Arc<Self>,
        id: &str,
        callers: &Callers<P>,
        principal: &Arc<P>,
    ) -> Result<Option<InUse<P>>, NotFound> {
        let Some(facts) = self.store.find(id, &principal.id()).await.map_err(NotFound::Failed)?
        else {
            return Ok(None);
        };
        let known = self.lock().sessions.get(id).map(InUse::new);
        if known.is_some() {
            return Ok(known);
        }
        // It was opened at another server.
        let id: Arc<str> = id.into();
        let (listened, outbox) = self.standing(&id, true);
        let instance = callers.for_session(principal).await.map_err(NotFound::NotServed)?;
        let Some(connection) = instance.handler.resume(principal.clone(), outbox, &facts.record)
        else {
            return Ok(None);
        };
        let (owner, store) = (facts.owner, self.store.clone());
        let session = Session::new(id, owner, instance, connection, listened, store);
        Ok(Some(InUse::new(&self.keep(session))))
    }

    /// The id, where this server has seen such a session and it is somebody else's.
    pub(super) fn of_another(&self, id: &str, caller: &PrincipalId) -> Option<Arc<str>> {
        let here = self.lock();
        here.sessions.get(id).filter(|session| session.owner != *caller).map(|it| it.id.clone())
    }

    /// Ends a session (B156); false where the caller has none with that id.
    pub(super) async fn end(&self, id: &str, caller: &PrincipalId) -> Result<bool, BoxError> {
        self.store.end(id, caller).await
    }

    /// What was sent to this server may be meant for another.
    pub(super) async fn pass_on(&self, id: &str, message: Bytes) {
        if let Err(error) = self.store.send(id, self.replica, message).await {
            tracing::warn!(%error, "a message cannot be handed to other servers");
        }
    }

    /// How many there are.
    pub(super) fn count(&self) -> usize {
        self.lock().sessions.len()
    }

    /// Keeps a session, or the one that another request has kept in the meantime.
    fn keep(self: &Arc<Self>, session: Session<P>) -> Arc<Session<P>> {
        let mut here = self.lock();
        let place = here.sessions.entry(session.id.clone());
        let is_new = matches!(place, Entry::Vacant(_));
        let kept = place.or_insert_with(|| Arc::new(session)).clone();
        if here.sweeper.is_none() {
            here.sweeper = Some(tokio::spawn(sweep(Arc::downgrade(self))).abort_handle());
        }
        drop(here);
        if let Some(hear) = self.hear.get().filter(|_| is_new) {
            // Without a lock: the store may call at once.
            let subscription = self.store.subscribe(&kept.id, self.replica, hear.clone());
            *kept.subscription.lock().unwrap_or_else(PoisonError::into_inner) = Some(subscription);
        }
        kept
    }

    fn heard(&self, id: &str, signal: Signal) {
        match signal {
            Signal::Message(message) => {
                let session = self.lock().sessions.get(id).cloned();
                if let Some(session) = session {
                    session.connection.overhear(&message);
                }
            }
            Signal::Ended => {
                let mut here = self.lock();
                let session = here.sessions.remove(id);
                if here.sessions.is_empty()
                    && let Some(sweeper) = here.sweeper.take()
                {
                    sweeper.abort();
                }
                drop(here);
                if let Some(session) = session {
                    session.connection.close();
                }
            }
        }
    }

    /// Ends what is idle for too long, and says when to look again; `None` when there is nothing left to look
    /// at.
    async fn expire(&self) -> Option<Duration> {
        let used: Vec<_> =
            self.lock().sessions.values().filter(|it| it.is_used()).cloned().collect();
        for session in used {
            self.store.touch(&session.id);
        }
        let next = self.store.sweep().await.unwrap_or_else(|error| {
            tracing::warn!(%error, "sessions that are over cannot be ended");
            None
        });
        let idle = self.limits.idle;
        let mut here = self.lock();
        if next.is_none() && here.sessions.is_empty() {
            here.sweeper = None;
            return None;
        }
        // Not for each one: what is over is refused in any case.
        Some(next.unwrap_or(idle / 2).clamp(idle / 16, idle / 2))
    }

    fn lock(&self) -> MutexGuard<'_, Here<P>> {
        self.here.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<P: Principal> Drop for Here<P> {
    fn drop(&mut self) {
        if let Some(sweeper) = &self.sweeper {
            sweeper.abort();
        }
        // B158: what runs is cancelled.
        for session in self.sessions.values() {
            session.connection.close();
        }
    }
}

/// The only task of all sessions.
async fn sweep<P: Principal>(sessions: Weak<Sessions<P>>) {
    let idle = match sessions.upgrade() {
        Some(sessions) => sessions.limits.idle,
        None => return,
    };
    let mut next = idle / 2;
    loop {
        sleep(next).await;
        let Some(sessions) = sessions.upgrade() else { return };
        let Some(again) = sessions.expire().await else { return };
        next = again;
    }
}

impl<P: Principal> Session<P> {
    fn new(
        id: Arc<str>,
        owner: PrincipalId,
        instance: Arc<Instance<P>>,
        connection: Connection<P>,
        listened: Arc<AtomicBool>,
        store: Arc<dyn SessionStore>,
    ) -> Self {
        let connection = Arc::new(connection);
        let (uses, calls, streams) = Default::default();
        let subscription = Mutex::default();
        Self {
            id,
            owner,
            instance,
            connection,
            listened,
            uses,
            calls,
            streams,
            store,
            subscription,
        }
    }

    fn is_used(&self) -> bool {
        self.uses.load(Ordering::Relaxed) > 0
    }

    /// Somebody listens for what belongs to no request.
    pub(super) fn is_listened_to(&self) {
        self.listened.store(true, Ordering::Relaxed);
    }

    /// The session cannot be idle while this is kept.
    pub(super) fn in_use(self: &Arc<Self>) -> InUse<P> {
        InUse::new(self)
    }

    /// Opens the stream of one request and reads it; `None` where the session is over.
    pub(super) async fn log(&self) -> Result<Option<(Log, Tail)>, BoxError> {
        let Some(stream) = self.store.open(&self.id, StreamKind::Request).await? else {
            return Ok(None);
        };
        let tail = self.store.tail(&self.id, EventId { stream, event: 0 }).await?;
        let (store, session) = (self.store.clone(), self.id.clone());
        Ok(Some((Log { store, session, stream }, tail)))
    }
}

impl<P: Principal> InUse<P> {
    fn new(session: &Arc<Session<P>>) -> Self {
        session.uses.fetch_add(1, Ordering::Relaxed);
        Self(session.clone())
    }
}

impl<P: Principal> Drop for InUse<P> {
    fn drop(&mut self) {
        self.0.uses.fetch_sub(1, Ordering::Relaxed);
        self.0.store.touch(&self.0.id);
    }
}

/// A place among the calls, or among the streams, of a session; given up when it is dropped.
pub(super) struct Place<P: Principal> {
    pub(super) session: InUse<P>,
    count: fn(&Session<P>) -> &AtomicUsize,
    many: usize,
}

impl<P: Principal> Place<P> {
    /// A place for so many more calls; gives the session back where they would go over the limit.
    pub(super) fn of_calls(session: InUse<P>, many: usize, limit: usize) -> Result<Self, InUse<P>> {
        Self::take(session, many, limit, |session| &session.calls)
    }

    /// A place for one more stream; gives the session back at the limit.
    pub(super) fn of_stream(session: InUse<P>, limit: usize) -> Result<Self, InUse<P>> {
        Self::take(session, 1, limit, |session| &session.streams)
    }

    fn take(
        session: InUse<P>,
        many: usize,
        limit: usize,
        count: fn(&Session<P>) -> &AtomicUsize,
    ) -> Result<Self, InUse<P>> {
        let before = count(&session.0).fetch_add(many, Ordering::Relaxed);
        let place = Self { session, count, many };
        if before.saturating_add(many) <= limit {
            return Ok(place);
        }
        let session = InUse::new(&place.session.0);
        drop(place);
        Err(session)
    }
}

impl<P: Principal> Drop for Place<P> {
    fn drop(&mut self) {
        (self.count)(&self.session.0).fetch_sub(self.many, Ordering::Relaxed);
    }
}

/// The stream of one request.
#[derive(Clone)]
pub(super) struct Log {
    store: Arc<dyn SessionStore>,
    session: Arc<str>,
    pub(super) stream: u64,
}

impl Log {
    pub(super) fn append(&self, message: Bytes) {
        self.store.append(&self.session, self.stream, message);
    }

    pub(super) fn finish(&self) {
        self.store.finish(&self.session, self.stream);
    }

    pub(super) fn release(&self, retry: Duration) {
        self.store.release(&self.session, self.stream, retry);
    }
}

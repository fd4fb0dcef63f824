//! Sessions (legacy): whose they are, how many, and how long they live.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError, Weak},
    time::Duration,
};

use tokio::{
    task::AbortHandle,
    time::{Instant, sleep_until},
};

use crate::{
    mcp::Connection,
    runtime::{Limits, Principal, PrincipalId},
};

/// All sessions of a server, behind one lock that is held for a look.
///
/// A session that nobody uses owns no task and no timer: one sweeper ends all that are idle for too long, and
/// exists only while there are sessions.
pub(super) struct Sessions<P: Principal> {
    idle: Duration,
    total: usize,
    each: usize,
    table: Mutex<Table<P>>,
}

struct Table<P: Principal> {
    sessions: HashMap<Arc<str>, Arc<Session<P>>>,
    /// How many sessions each caller has.
    owners: HashMap<PrincipalId, usize>,
    sweeper: Option<AbortHandle>,
}

/// One session. It belongs to the caller that opened it.
pub(super) struct Session<P: Principal> {
    owner: PrincipalId,
    pub(super) connection: Connection<P>,
    activity: Mutex<Activity>,
}

struct Activity {
    /// What goes on in the session.
    running: usize,
    /// When the last of it ended.
    since: Instant,
}

/// A session in use; while one exists, the session is not idle.
pub(super) struct InUse<P: Principal>(pub(super) Arc<Session<P>>);

impl<P: Principal> Sessions<P> {
    pub(super) fn new(limits: &Limits) -> Self {
        let (sessions, owners, sweeper) = (HashMap::new(), HashMap::new(), None);
        Self {
            idle: limits.session_idle,
            total: limits.sessions,
            each: limits.sessions_per_principal,
            table: Mutex::new(Table { sessions, owners, sweeper }),
        }
    }

    /// Makes a session of a connection that has shaken hands, and gives its id.
    ///
    /// # Errors
    ///
    /// There are too many; says which limit it is.
    pub(super) fn open(
        self: &Arc<Self>,
        connection: Connection<P>,
        owner: PrincipalId,
    ) -> Result<Arc<str>, String> {
        // SES-2: random, not guessable, visible ASCII.
        let id: Arc<str> = uuid::Uuid::new_v4().simple().to_string().into();
        let mut table = self.lock();
        if table.sessions.len() >= self.total {
            let total = self.total;
            return Err(format!("{total} sessions are open, which is the limit `sessions`"));
        }
        let count = table.owners.entry(owner.clone()).or_default();
        // Callers without a name are not one caller.
        if *count >= self.each && owner != PrincipalId::anonymous() {
            let each = self.each;
            return Err(format!(
                "You have {each} sessions open, which is the limit `sessions_per_principal`"
            ));
        }
        *count += 1;
        let activity = Mutex::new(Activity { running: 0, since: Instant::now() });
        table.sessions.insert(id.clone(), Arc::new(Session { owner, connection, activity }));
        if table.sweeper.is_none() {
            let sweep = sweep(Arc::downgrade(self), Instant::now() + self.idle);
            table.sweeper = Some(tokio::spawn(sweep).abort_handle());
        }
        Ok(id)
    }

    /// The session with that id, where it is that caller's. For anybody else there is none, and its clock
    /// goes on (B152).
    pub(super) fn find(&self, id: &str, caller: &PrincipalId) -> Option<InUse<P>> {
        let mut table = self.lock();
        let session = table.sessions.get(id).filter(|session| session.owner == *caller)?.clone();
        if session.is_over(self.idle) {
            table.remove(id);
            drop(table);
            session.connection.close();
            return None;
        }
        // Under the lock of the table, so that the sweeper sees it.
        session.activity().running += 1;
        Some(InUse(session))
    }

    /// Ends a session (B156); false where the caller has none with that id.
    pub(super) fn end(&self, id: &str, caller: &PrincipalId) -> bool {
        let Some(session) = self.find(id, caller) else { return false };
        let ended = self.lock().remove(id).is_some();
        session.0.connection.close();
        ended
    }

    /// How many there are.
    pub(super) fn count(&self) -> usize {
        self.lock().sessions.len()
    }

    /// Ends what is idle for too long, and gives the time to look again; `None` when there is nothing left
    /// to look at.
    fn expire(&self) -> Option<Instant> {
        let mut table = self.lock();
        let over: Vec<_> = table
            .sessions
            .iter()
            .filter(|(_, session)| session.is_over(self.idle))
            .map(|(id, _)| id.clone())
            .collect();
        let over: Vec<_> = over.iter().filter_map(|id| table.remove(id)).collect();
        let next = table.sessions.values().map(|session| session.end(self.idle)).min();
        if next.is_none() {
            table.sweeper = None;
        }
        drop(table);
        for session in over {
            session.connection.close();
        }
        // Not for each one: what is over is refused in any case.
        next.map(|next| next.max(Instant::now() + self.idle / 16))
    }

    fn lock(&self) -> MutexGuard<'_, Table<P>> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<P: Principal> Table<P> {
    fn remove(&mut self, id: &str) -> Option<Arc<Session<P>>> {
        let session = self.sessions.remove(id)?;
        if let Some(count) = self.owners.get_mut(&session.owner) {
            *count -= 1;
            if *count == 0 {
                self.owners.remove(&session.owner);
            }
        }
        Some(session)
    }
}

impl<P: Principal> Drop for Table<P> {
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
async fn sweep<P: Principal>(sessions: Weak<Sessions<P>>, mut next: Instant) {
    loop {
        sleep_until(next).await;
        let Some(again) = sessions.upgrade().and_then(|sessions| sessions.expire()) else { return };
        next = again;
    }
}

impl<P: Principal> Session<P> {
    /// When it is over, if nothing happens until then.
    fn end(&self, idle: Duration) -> Instant {
        let activity = self.activity();
        let since = if activity.running > 0 { Instant::now() } else { activity.since };
        since + idle
    }

    fn is_over(&self, idle: Duration) -> bool {
        self.end(idle) <= Instant::now()
    }

    fn activity(&self) -> MutexGuard<'_, Activity> {
        self.activity.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How much goes on in it.
    pub(super) fn running(&self) -> usize {
        self.activity().running
    }
}

impl<P: Principal> Drop for InUse<P> {
    fn drop(&mut self) {
        let mut activity = self.0.activity();
        activity.running -= 1;
        activity.since = Instant::now();
    }
}

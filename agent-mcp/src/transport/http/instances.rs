//! What is made for each caller, kept while it is used and for a while after.

use std::{
    collections::HashMap,
    future::Future,
    ops::Deref,
    sync::{Arc, Mutex, MutexGuard, PoisonError, Weak},
    time::Duration,
};

use tokio::{
    sync::watch,
    task::AbortHandle,
    time::{Instant, sleep_until},
};
use tracing::Instrument;

use crate::{mcp::RpcError, runtime::PrincipalId};

/// One value for each caller, made when it is first asked for.
///
/// Whoever asks while it is made waits for the same one. A failure is told to all who wait and is not kept;
/// when nobody waits any more, the making ends. A value that nobody uses owns no task and no timer: one
/// sweeper drops all that are idle for too long, and exists only while there are values.
pub(super) struct Instances<V> {
    limit: usize,
    idle: Duration,
    table: Mutex<Table<V>>,
}

struct Table<V> {
    entries: HashMap<PrincipalId, Entry<V>>,
    /// Tells two entries of one caller apart, when the first is gone.
    next: u64,
    sweeper: Option<AbortHandle>,
}

struct Entry<V> {
    number: u64,
    state: State<V>,
    /// How many use it, or wait for it.
    uses: usize,
    /// When the last of them left.
    since: Instant,
}

enum State<V> {
    Making(AbortHandle, Attempt<V>),
    Made(Arc<V>),
}

type Attempt<V> = watch::Receiver<Option<Result<Arc<V>, RpcError>>>;

/// Why there is no value.
#[derive(Debug)]
pub(super) enum NotMade {
    /// As many as there may be are in use; says the limit and its setting.
    Full(usize, &'static str),
    /// It cannot be made.
    Failed(RpcError),
    /// The server ends.
    Abandoned,
}

/// A value in use; while one of these exists, it is kept.
pub(super) struct InUse<V: Send + Sync + 'static> {
    value: Arc<V>,
    _place: Place<V>,
}

struct Place<V: Send + Sync + 'static> {
    instances: Arc<Instances<V>>,
    caller: PrincipalId,
    number: u64,
}

impl<V: Send + Sync + 'static> Instances<V> {
    pub(super) fn new(limit: usize, idle: Duration) -> Self {
        let table = Table { entries: HashMap::new(), next: 0, sweeper: None };
        Self { limit, idle, table: Mutex::new(table) }
    }

    /// The value of `caller`; `make` makes it where there is none.
    pub(super) async fn get<F>(
        self: &Arc<Self>,
        caller: PrincipalId,
        make: F,
    ) -> Result<InUse<V>, NotMade>
    where
        F: Future<Output = Result<V, RpcError>> + Send + 'static,
    {
        let (_place, state) = self.enter(caller, make)?;
        let mut attempt = match state {
            State::Made(value) => return Ok(InUse { value, _place }),
            State::Making(_, attempt) => attempt,
        };
        let ended = attempt.wait_for(Option::is_some).await.map(|made| made.clone());
        match ended {
            Ok(Some(Ok(value))) => Ok(InUse { value, _place }),
            Ok(Some(Err(error))) => Err(NotMade::Failed(error)),
            Ok(None) | Err(_) => Err(NotMade::Abandoned),
        }
    }

    /// Takes a place with the caller's value, which may still be in the making.
    fn enter<F>(
        self: &Arc<Self>,
        caller: PrincipalId,
        make: F,
    ) -> Result<(Place<V>, State<V>), NotMade>
    where
        F: Future<Output = Result<V, RpcError>> + Send + 'static,
    {
        let mut table = self.lock();
        let place = |number, caller| Place { instances: self.clone(), caller, number };
        if let Some(entry) = table.entries.get_mut(&caller) {
            entry.uses += 1;
            return Ok((place(entry.number, caller), entry.state.share()));
        }
        let evicted = if table.entries.len() < self.limit {
            None
        } else {
            Some(table.evict().ok_or(NotMade::Full(self.limit, "callers"))?)
        };
        let number = table.next;
        table.next += 1;
        let (tell, attempt) = watch::channel(None);
        let (instances, key) = (self.clone(), caller.clone());
        let task = tokio::spawn(
            async move {
                let made = make.await.map(Arc::new);
                instances.settle(&key, number, &made);
                // Nobody may wait any more.
                let _ = tell.send(Some(made));
            }
            .in_current_span(),
        );
        let state = State::Making(task.abort_handle(), attempt);
        let entered = (place(number, caller.clone()), state.share());
        table.entries.insert(caller, Entry { number, state, uses: 1, since: Instant::now() });
        if table.sweeper.is_none() {
            let sweep = sweep(Arc::downgrade(self), Instant::now() + self.idle);
            table.sweeper = Some(tokio::spawn(sweep).abort_handle());
        }
        drop(table);
        // Without the lock, here and below: dropping a value runs the application's own code.
        drop(evicted);
        Ok(entered)
    }

    /// An attempt has ended. A failure is forgotten.
    fn settle(&self, caller: &PrincipalId, number: u64, made: &Result<Arc<V>, RpcError>) {
        let mut table = self.lock();
        match (table.entry(caller, number), made) {
            (Some(entry), Ok(value)) => entry.state = State::Made(value.clone()),
            (Some(_), Err(_)) => drop(table.entries.remove(caller)),
            (None, _) => {}
        }
    }

    /// Drops what is idle for too long, and gives the time to look again; `None` when there is nothing left
    /// to look at.
    fn expire(&self) -> Option<Instant> {
        let now = Instant::now();
        let mut table = self.lock();
        let is_over = |entry: &mut Entry<V>| entry.uses == 0 && entry.since + self.idle <= now;
        let over: Vec<_> = table.entries.extract_if(|_, entry| is_over(entry)).collect();
        let ends = table.entries.values().map(|entry| match entry.uses {
            0 => entry.since + self.idle,
            _ => now + self.idle,
        });
        let next = ends.min();
        if next.is_none() {
            table.sweeper = None;
        }
        drop(table);
        drop(over);
        // Not for each one.
        next.map(|next| next.max(now + self.idle / 16))
    }

    fn lock(&self) -> MutexGuard<'_, Table<V>> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<V> State<V> {
    fn share(&self) -> Self {
        match self {
            Self::Making(task, attempt) => Self::Making(task.clone(), attempt.clone()),
            Self::Made(value) => Self::Made(value.clone()),
        }
    }
}

impl<V> Table<V> {
    fn entry(&mut self, caller: &PrincipalId, number: u64) -> Option<&mut Entry<V>> {
        self.entries.get_mut(caller).filter(|entry| entry.number == number)
    }

    /// Takes out what was not used for the longest time; `None` where all are in use.
    fn evict(&mut self) -> Option<Entry<V>> {
        let idle = self.entries.iter().filter(|(_, entry)| entry.uses == 0);
        let oldest = idle.min_by_key(|(_, entry)| entry.since).map(|(caller, _)| caller.clone());
        self.entries.remove(&oldest?)
    }
}

impl<V> Drop for Table<V> {
    fn drop(&mut self) {
        if let Some(sweeper) = &self.sweeper {
            sweeper.abort();
        }
    }
}

/// The only task of all values.
async fn sweep<V: Send + Sync + 'static>(instances: Weak<Instances<V>>, mut next: Instant) {
    loop {
        sleep_until(next).await;
        let Some(again) = instances.upgrade().and_then(|instances| instances.expire()) else {
            return;
        };
        next = again;
    }
}

impl<V: Send + Sync + 'static> Drop for Place<V> {
    fn drop(&mut self) {
        let mut table = self.instances.lock();
        let Some(entry) = table.entry(&self.caller, self.number) else { return };
        entry.uses -= 1;
        entry.since = Instant::now();
        if entry.uses == 0
            && let State::Making(task, _) = &entry.state
        {
            task.abort();
            table.entries.remove(&self.caller);
        }
    }
}

impl<V: Send + Sync + 'static> Deref for InUse<V> {
    type Target = V;

    fn deref(&self) -> &V {
        &self.value
    }
}

#[cfg(test)]
mod tests {
    use std::future::{pending, ready};

    use tokio::{sync::oneshot, time::advance};

    use super::*;

    type Values = Arc<Instances<String>>;

    const IDLE: Duration = Duration::from_secs(60);

    fn values(limit: usize) -> Values {
        Arc::new(Instances::new(limit, IDLE))
    }

    fn id(name: &str) -> PrincipalId {
        PrincipalId::local(name)
    }

    async fn get(values: &Values, name: &str, value: &str) -> Result<InUse<String>, NotMade> {
        values.get(id(name), ready(Ok(value.to_owned()))).await
    }

    fn failure() -> RpcError {
        RpcError::invalid_request("no")
    }

    fn count(values: &Values) -> usize {
        values.lock().entries.len()
    }

    /// Lets every task do what it can.
    async fn settle() {
        for _ in 0..16 {
            tokio::task::yield_now().await;
        }
    }

    #[tokio::test(start_paused = true)]
    async fn b154_a_value_is_made_once_for_each_caller() {
        let values = values(10);
        assert_eq!(**get(&values, "ada", "first").await.unwrap(), *"first");
        assert_eq!(**get(&values, "ada", "second").await.unwrap(), *"first");
        assert_eq!(**get(&values, "bob", "other").await.unwrap(), *"other");
    }

    #[tokio::test(start_paused = true)]
    async fn two_who_ask_at_once_get_one_value() {
        let values = values(10);
        let (send, made) = oneshot::channel();
        let making = async { made.await.map_err(|_| failure()) };
        let (one, other, ()) = tokio::join!(
            values.get(id("ada"), making),
            values.get(id("ada"), async { panic!("made twice") }),
            async { send.send("once".to_owned()).unwrap() },
        );
        let (one, other) = (one.unwrap(), other.unwrap());
        assert!(Arc::ptr_eq(&one.value, &other.value) && **one == *"once");
    }

    #[tokio::test(start_paused = true)]
    async fn o29_a_failure_is_told_to_all_who_wait_and_not_kept() {
        let values = values(10);
        let (send, failed) = oneshot::channel();
        let making = async { Err(failed.await.unwrap()) };
        let (one, other, ()) = tokio::join!(
            values.get(id("ada"), making),
            values.get(id("ada"), async { panic!("made twice") }),
            async { send.send(failure()).unwrap() },
        );
        for failed in [one, other] {
            let Err(NotMade::Failed(error)) = failed else { panic!("it fails") };
            assert_eq!(error, failure());
        }
        assert_eq!(count(&values), 0);
        assert_eq!(**get(&values, "ada", "again").await.unwrap(), *"again");
    }

    #[tokio::test(start_paused = true)]
    async fn the_making_ends_when_nobody_waits_any_more() {
        let values = values(1);
        let (alive, mut ended) = oneshot::channel::<()>();
        let making = async move {
            let _alive = alive;
            pending().await
        };
        let mut one = Box::pin(values.get(id("ada"), making));
        let mut other = Box::pin(values.get(id("ada"), pending()));
        assert!(waits(&mut one).await && waits(&mut other).await);
        drop(one);
        settle().await;
        assert!(ended.try_recv().is_err_and(|error| error == oneshot::error::TryRecvError::Empty));
        drop(other);
        assert!(ended.await.is_err());
        assert_eq!(count(&values), 0);
        assert_eq!(**get(&values, "ada", "again").await.unwrap(), *"again");
    }

    /// Polls once; whether the future waits.
    async fn waits<F: Future + Unpin>(future: &mut F) -> bool {
        std::future::poll_fn(|cx| {
            std::task::Poll::Ready(std::pin::Pin::new(&mut *future).poll(cx).is_pending())
        })
        .await
    }

    #[tokio::test(start_paused = true)]
    async fn at_the_limit_the_one_goes_that_was_not_used_for_longest() {
        let values = values(2);
        let ada = get(&values, "ada", "ada").await.unwrap();
        drop(get(&values, "bob", "bob").await.unwrap());
        advance(Duration::from_secs(1)).await;
        drop(ada);
        drop(get(&values, "cyd", "cyd").await.unwrap());
        assert_eq!(**get(&values, "ada", "new").await.unwrap(), *"ada");
        assert_eq!(**get(&values, "bob", "new").await.unwrap(), *"new");
        assert_eq!(count(&values), 2);
    }

    #[tokio::test(start_paused = true)]
    async fn what_is_in_use_is_never_evicted() {
        let values = values(1);
        let ada = get(&values, "ada", "ada").await.unwrap();
        assert!(matches!(get(&values, "bob", "bob").await, Err(NotMade::Full(1, "callers"))));
        advance(IDLE * 3).await;
        settle().await;
        assert_eq!(**get(&values, "ada", "new").await.unwrap(), *"ada");
        drop(ada);
        assert!(get(&values, "bob", "bob").await.is_ok());
    }

    #[tokio::test(start_paused = true)]
    async fn what_nobody_uses_is_dropped_after_a_while_and_the_sweeper_with_it() {
        let values = values(10);
        let value = get(&values, "ada", "ada").await.unwrap();
        let weak = Arc::downgrade(&value.value);
        advance(IDLE).await;
        drop(value);
        settle().await;
        advance(IDLE - Duration::from_secs(5)).await;
        settle().await;
        assert!(weak.upgrade().is_some());
        advance(Duration::from_secs(10)).await;
        settle().await;
        assert!(weak.upgrade().is_none());
        assert!(values.lock().sweeper.is_none());
        drop(get(&values, "ada", "new").await.unwrap());
        assert!(values.lock().sweeper.is_some());
    }

    #[tokio::test(start_paused = true)]
    async fn the_sweeper_does_not_keep_the_server() {
        let values = values(10);
        drop(get(&values, "ada", "ada").await.unwrap());
        settle().await;
        let weak = Arc::downgrade(&values);
        drop(values);
        settle().await;
        assert!(weak.upgrade().is_none());
    }
}

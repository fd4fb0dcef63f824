//! What may be used once.

use std::{
    collections::{HashMap, VecDeque},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use tokio::time::Instant;

use crate::{
    host::BoxError,
    runtime::{BoxFuture, Limits, PrincipalId},
};

/// Knows what was used before.
pub(crate) trait Used: Send + Sync + 'static {
    /// Uses `nonce`; false where that was done before. It need not be known for longer than `lifetime`.
    fn claim<'a>(
        &'a self,
        nonce: &'a str,
        lifetime: Duration,
    ) -> BoxFuture<'a, Result<bool, BoxError>>;

    /// `nonce` was not used after all.
    fn unclaim<'a>(&'a self, nonce: &'a str) -> BoxFuture<'a, Result<(), BoxError>>;
}

/// Knows what was used at this process.
#[derive(Default)]
pub(crate) struct UsedHere(Mutex<HashMap<Box<str>, Instant>>);

impl UsedHere {
    fn lock(&self) -> MutexGuard<'_, HashMap<Box<str>, Instant>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Used for UsedHere {
    fn claim<'a>(
        &'a self,
        nonce: &'a str,
        lifetime: Duration,
    ) -> BoxFuture<'a, Result<bool, BoxError>> {
        let now = Instant::now();
        let mut used = self.lock();
        // Only what is over its time is forgotten: anything else could be used again.
        if used.len() == used.capacity() {
            used.retain(|_, until| *until > now);
        }
        let is_new = used.get(nonce).is_none_or(|until| *until <= now);
        if is_new {
            used.insert(nonce.into(), now + lifetime);
        }
        Box::pin(async move { Ok(is_new) })
    }

    fn unclaim<'a>(&'a self, nonce: &'a str) -> BoxFuture<'a, Result<(), BoxError>> {
        self.lock().remove(nonce);
        Box::pin(async { Ok(()) })
    }
}

/// Lets each state be used once, and no caller use so many that there is no room for others.
pub(crate) struct UsedStates {
    used: Arc<dyn Used>,
    lifetime: Duration,
    most: usize,
    most_per_principal: usize,
    shares: Mutex<Shares>,
}

/// A state that is in use.
pub(crate) struct Claimed {
    nonce: String,
    owner: PrincipalId,
    until: Instant,
}

/// Why a state cannot be used.
pub(crate) enum Unclaimed {
    /// It was used before.
    Used,
    /// There is no room to remember that it was used; the setting that says so.
    Full(&'static str),
    Failed(BoxError),
}

impl UsedStates {
    pub(crate) fn new(used: Arc<dyn Used>, limits: &Limits) -> Self {
        Self {
            used,
            // What is in a state says it in whole seconds.
            lifetime: limits.state_age + Duration::from_secs(1),
            most: limits.used_states,
            most_per_principal: limits.used_states_per_principal,
            shares: Mutex::default(),
        }
    }

    /// Uses a state. Of several that try it at the same time, one succeeds.
    pub(crate) async fn claim(
        &self,
        owner: PrincipalId,
        nonce: String,
    ) -> Result<Claimed, Unclaimed> {
        let until = self.take(&owner).map_err(Unclaimed::Full)?;
        let claim = Claimed { nonce, owner, until };
        match self.used.claim(&claim.nonce, self.lifetime).await {
            Ok(true) => Ok(claim),
            Ok(false) => {
                self.shares().give_back(&claim);
                Err(Unclaimed::Used)
            }
            Err(error) => {
                self.shares().give_back(&claim);
                Err(Unclaimed::Failed(error))
            }
        }
    }

    /// The state was not used after all.
    pub(crate) async fn unclaim(&self, claim: Claimed) -> Result<(), BoxError> {
        self.used.unclaim(&claim.nonce).await?;
        self.shares().give_back(&claim);
        Ok(())
    }

    /// A place of `owner` for one more, and until when it is taken.
    fn take(&self, owner: &PrincipalId) -> Result<Instant, &'static str> {
        let now = Instant::now();
        let mut shares = self.shares();
        shares.expire(owner, now);
        if shares.total >= self.most {
            shares.expire_all(now);
        }
        if shares.total >= self.most {
            return Err("used_states");
        }
        // Callers without a name are not one caller.
        if shares.of(owner) >= self.most_per_principal && *owner != PrincipalId::anonymous() {
            return Err("used_states_per_principal");
        }
        let until = now + self.lifetime;
        shares.add(owner, until);
        Ok(until)
    }

    fn shares(&self) -> MutexGuard<'_, Shares> {
        self.shares.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// How many states each caller has used, and until when each has to be remembered.
#[derive(Default)]
struct Shares {
    owners: HashMap<PrincipalId, VecDeque<Instant>>,
    total: usize,
}

impl Shares {
    fn of(&self, owner: &PrincipalId) -> usize {
        self.owners.get(owner).map_or(0, VecDeque::len)
    }

    fn add(&mut self, owner: &PrincipalId, until: Instant) {
        self.owners.entry(owner.clone()).or_default().push_back(until);
        self.total += 1;
    }

    fn give_back(&mut self, claim: &Claimed) {
        if let Some(share) = self.owners.get_mut(&claim.owner)
            && let Some(place) = share.iter().rposition(|until| *until == claim.until)
        {
            share.remove(place);
            self.total -= 1;
        }
    }

    fn expire(&mut self, owner: &PrincipalId, now: Instant) {
        if let Some(share) = self.owners.get_mut(owner) {
            // The oldest is first, for all have the same time.
            let over = share.iter().take_while(|until| **until <= now).count();
            share.drain(..over);
            self.total -= over;
        }
    }

    fn expire_all(&mut self, now: Instant) {
        self.owners.retain(|_, share| {
            share.retain(|until| *until > now);
            !share.is_empty()
        });
        self.total = self.owners.values().map(VecDeque::len).sum();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIFETIME: Duration = Duration::from_secs(600);

    fn states(most: usize, most_per_principal: usize) -> UsedStates {
        let used_states_per_principal = most_per_principal;
        let limits = Limits {
            used_states: most,
            used_states_per_principal,
            state_age: LIFETIME,
            ..Limits::default()
        };
        UsedStates::new(Arc::new(UsedHere::default()), &limits)
    }

    /// Why it is refused, or nothing.
    async fn refused(
        states: &UsedStates,
        owner: &PrincipalId,
        nonce: &str,
    ) -> Option<&'static str> {
        match states.claim(owner.clone(), nonce.to_owned()).await {
            Ok(_) => None,
            Err(Unclaimed::Used) => Some("used"),
            Err(Unclaimed::Full(setting)) => Some(setting),
            Err(Unclaimed::Failed(error)) => panic!("{error}"),
        }
    }

    #[tokio::test(start_paused = true)]
    async fn what_was_used_is_known_for_its_time_and_then_forgotten() {
        let used = UsedHere::default();
        assert!(used.claim("a", LIFETIME).await.unwrap());
        assert!(!used.claim("a", LIFETIME).await.unwrap());
        tokio::time::advance(LIFETIME).await;
        for nonce in 0..100 {
            assert!(used.claim(&nonce.to_string(), LIFETIME).await.unwrap());
        }
        assert!(!used.lock().contains_key("a"));
        assert!(used.claim("a", LIFETIME).await.unwrap());
        used.unclaim("a").await.unwrap();
        assert!(used.claim("a", LIFETIME).await.unwrap());
    }

    #[tokio::test(start_paused = true)]
    async fn a_caller_that_uses_its_share_makes_nothing_usable_again() {
        let states = states(5, 3);
        let (ada, bob) = (PrincipalId::local("ada"), PrincipalId::local("bob"));
        assert_eq!(refused(&states, &bob, "his").await, None);
        for nonce in ["1", "2", "3"] {
            assert_eq!(refused(&states, &ada, nonce).await, None);
        }
        assert_eq!(refused(&states, &ada, "4").await, Some("used_states_per_principal"));
        // Neither her own nor his was pushed out, and he has room.
        assert_eq!(refused(&states, &bob, "his").await, Some("used"));
        assert_eq!(refused(&states, &bob, "his other").await, None);
        assert_eq!(refused(&states, &bob, "no room").await, Some("used_states"));
        tokio::time::advance(LIFETIME + Duration::from_secs(1)).await;
        assert_eq!(refused(&states, &ada, "4").await, None);
        assert_eq!(states.shares().total, 3, "his are counted until the room is needed");
    }

    #[tokio::test(start_paused = true)]
    async fn callers_without_a_name_share_the_room_of_all() {
        let states = states(2, 1);
        let nobody = PrincipalId::anonymous();
        for nonce in ["1", "2"] {
            assert_eq!(refused(&states, &nobody, nonce).await, None);
        }
        assert_eq!(refused(&states, &nobody, "3").await, Some("used_states"));
    }

    #[tokio::test(start_paused = true)]
    async fn what_is_given_back_can_be_used_and_takes_no_room() {
        let states = states(9, 1);
        let ada = PrincipalId::local("ada");
        for _ in 0..3 {
            let claim = states.claim(ada.clone(), "a".to_owned()).await.ok().unwrap();
            assert_eq!(refused(&states, &ada, "b").await, Some("used_states_per_principal"));
            states.unclaim(claim).await.unwrap();
        }
        assert_eq!(refused(&states, &ada, "a").await, None);
        assert_eq!(states.shares().total, 1);
    }
}

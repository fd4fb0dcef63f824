//! How often each caller may call.

use std::{
    collections::HashMap,
    num::NonZeroU32,
    sync::{Mutex, PoisonError},
    time::Duration,
};

use tokio::time::Instant;

use super::principal::PrincipalId;

/// So many calls of each caller in a second, and as many at once after a rest.
///
/// For each caller one point in time is kept: when all that was used up is there again. Whoever has rested
/// long enough is forgotten.
#[derive(Default)]
pub(super) struct Rates {
    restored: Mutex<HashMap<PrincipalId, Instant>>,
}

impl Rates {
    /// Lets one more call of `caller` begin, or says how long it has to wait.
    pub(super) fn admit(&self, caller: PrincipalId, limit: NonZeroU32) -> Result<(), Duration> {
        const SECOND: Duration = Duration::from_secs(1);
        let each = SECOND / limit.get();
        let now = Instant::now();
        let mut restored = self.restored.lock().unwrap_or_else(PoisonError::into_inner);
        if restored.len() == restored.capacity() {
            restored.retain(|_, restored| *restored > now);
        }
        let place = restored.entry(caller).or_insert(now);
        let next = (*place).max(now) + each;
        let over = next.saturating_duration_since(now + SECOND);
        if over.is_zero() {
            *place = next;
            Ok(())
        } else {
            Err(over)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn each_caller_has_so_many_calls_in_a_second() {
        let (rates, limit) = (Rates::default(), NonZeroU32::new(4).unwrap());
        let ada = || rates.admit(PrincipalId::local("ada"), limit);
        for _ in 0..4 {
            assert_eq!(ada(), Ok(()));
        }
        assert_eq!(ada(), Err(Duration::from_millis(250)));
        assert_eq!(rates.admit(PrincipalId::local("bob"), limit), Ok(()));
        tokio::time::advance(Duration::from_millis(250)).await;
        assert_eq!(ada(), Ok(()));
        assert!(ada().is_err());
        // A rest gives a second's worth back, and no more.
        tokio::time::advance(Duration::from_secs(60)).await;
        assert_eq!((0..9).filter(|_| ada().is_ok()).count(), 4);
    }

    #[tokio::test(start_paused = true)]
    async fn who_rests_is_forgotten() {
        let (rates, limit) = (Rates::default(), NonZeroU32::MIN);
        for caller in 0..1_000 {
            rates.admit(PrincipalId::local(&caller.to_string()), limit).unwrap();
            tokio::time::advance(Duration::from_millis(500)).await;
        }
        assert!(rates.restored.lock().unwrap().len() < 10);
    }
}

//! What may be used once.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use tokio::time::Instant;

use crate::{host::BoxError, runtime::BoxFuture};

/// Knows what was used before.
pub(crate) trait Used: Send + Sync + 'static {
    /// Uses `nonce`; false where that was done before. It need not be known for longer than `lifetime`.
    fn claim<'a>(
        &'a self,
        nonce: &'a str,
        lifetime: Duration,
    ) -> BoxFuture<'a, Result<bool, BoxError>>;
}

/// Knows what was used at this process.
#[derive(Default)]
pub(crate) struct UsedHere(Mutex<HashMap<Arc<str>, Instant>>);

impl UsedHere {
    /// How many are known at a time. A caller needs an answered question for each.
    const MOST: usize = 100_000;
}

impl Used for UsedHere {
    fn claim<'a>(
        &'a self,
        nonce: &'a str,
        lifetime: Duration,
    ) -> BoxFuture<'a, Result<bool, BoxError>> {
        let mut used = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let now = Instant::now();
        if used.len() >= Self::MOST {
            used.retain(|_, until| *until > now);
        }
        let claimed = if used.contains_key(nonce) {
            Ok(false)
        } else if used.len() >= Self::MOST {
            // To forget one would be to let it be used again.
            Err("too many states are in use".into())
        } else {
            used.insert(nonce.into(), now + lifetime);
            Ok(true)
        };
        Box::pin(async move { claimed })
    }
}

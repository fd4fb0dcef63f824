//! The keys of an issuer, which change.

use std::{
    future::Future,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use jsonwebtoken::{
    Algorithm, AlgorithmFamily, DecodingKey,
    jwk::{Jwk, KeyAlgorithm, PublicKeyUse},
};
use serde_json::Value;
use tokio::time::{Instant, timeout};

use crate::{host::BoxError, runtime::BoxFuture};

/// How long keys are good without being asked for again.
const GOOD_FOR: Duration = Duration::from_secs(3_600);
/// How long nobody asks again: a token can name any key, so tokens alone must not bring about more.
const PAUSE: Duration = Duration::from_secs(30);
/// The same while no keys are known at all.
const SHORT_PAUSE: Duration = Duration::from_secs(1);
/// How long a source may take.
const PATIENCE: Duration = Duration::from_secs(10);

pub(super) struct Keys(Arc<Source>);

struct Source {
    fetch: Box<dyn Fn() -> BoxFuture<'static, Result<Vec<Key>, BoxError>> + Send + Sync>,
    known: Mutex<Known>,
    /// Whoever has it asks; all others wait for what the answer is.
    asking: tokio::sync::Mutex<()>,
}

#[derive(Clone, Default)]
struct Known {
    keys: Option<Arc<[Key]>>,
    fetched: Option<Instant>,
    asked: Option<Instant>,
}

/// A key to verify with.
#[derive(Clone)]
pub(super) struct Key {
    pub(super) key: DecodingKey,
    id: Option<String>,
    /// The one algorithm that it is for, where it says so.
    algorithm: Option<KeyAlgorithm>,
}

impl Keys {
    pub(super) fn new<F, R, T, E>(fetch: F) -> Self
    where
        F: Fn() -> R + Send + Sync + 'static,
        R: Future<Output = Result<T, E>> + Send + 'static,
        T: AsRef<[u8]>,
        E: Into<BoxError>,
    {
        let fetch = move || -> BoxFuture<'static, _> {
            let fetched = fetch();
            Box::pin(async move { Key::read_all(fetched.await.map_err(Into::into)?.as_ref()) })
        };
        let (known, asking) = (Mutex::default(), tokio::sync::Mutex::default());
        Self(Arc::new(Source { fetch: Box::new(fetch), known, asking }))
    }

    /// The keys that a token with that head may be signed with.
    ///
    /// # Errors
    ///
    /// No keys are known at all.
    pub(super) async fn find(
        &self,
        id: Option<&str>,
        algorithm: Algorithm,
    ) -> Result<Vec<Key>, BoxError> {
        let known = self.0.known();
        let found = known.fresh().map(|keys| fitting(keys, id, algorithm)).unwrap_or_default();
        if !found.is_empty() {
            return Ok(found);
        }
        // On a task of its own: a caller that goes away must not take the answer from the others.
        let (source, seen) = (self.0.clone(), known.fetched);
        let asked = tokio::spawn(async move { source.ask(seen).await }).await;
        if let Err(error) = asked {
            tracing::error!(%error, "the source of an issuer's keys is broken");
        }
        let keys = self.0.known().keys.ok_or("no keys of the issuer are known")?;
        Ok(fitting(&keys, id, algorithm))
    }
}

impl Source {
    /// Asks for the keys, unless somebody has had an answer since `seen`, or has asked just now.
    async fn ask(&self, seen: Option<Instant>) {
        let _asking = self.asking.lock().await;
        let known = self.known();
        let pause = if known.keys.is_some() { PAUSE } else { SHORT_PAUSE };
        if known.fetched != seen || known.asked.is_some_and(|asked| asked.elapsed() < pause) {
            return;
        }
        self.lock().asked = Some(Instant::now());
        let fetched = timeout(PATIENCE, (self.fetch)()).await;
        match fetched.map_err(BoxError::from).and_then(|fetched| fetched) {
            Ok(keys) => {
                let mut known = self.lock();
                known.keys = Some(keys.into());
                known.fetched = Some(Instant::now());
            }
            Err(error) => tracing::error!(%error, "the keys of an issuer cannot be had"),
        }
    }

    fn known(&self) -> Known {
        self.lock().clone()
    }

    fn lock(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Known {
    fn fresh(&self) -> Option<&[Key]> {
        let fetched = self.fetched.filter(|fetched| fetched.elapsed() < GOOD_FOR);
        self.keys.as_deref().filter(|_| fetched.is_some())
    }
}

fn fitting(keys: &[Key], id: Option<&str>, algorithm: Algorithm) -> Vec<Key> {
    let fits = |key: &&Key| {
        key.key.family() == algorithm.family()
            && key.algorithm.is_none_or(|it| it == KeyAlgorithm::from(algorithm))
            && (id.is_none() || key.id.as_deref() == id)
    };
    keys.iter().filter(fits).cloned().collect()
}

impl Key {
    /// Reads a JSON Web Key Set. Keys that nobody here could verify with are left out.
    fn read_all(json: &[u8]) -> Result<Vec<Self>, BoxError> {
        #[derive(serde::Deserialize)]
        struct Set {
            keys: Vec<Value>,
        }
        let set: Set = serde_json::from_slice(json)?;
        Ok(set.keys.into_iter().filter_map(Self::read).collect())
    }

    fn read(value: Value) -> Option<Self> {
        let jwk: Jwk = serde_json::from_value(value).ok()?;
        if matches!(jwk.common.public_key_use, Some(PublicKeyUse::Encryption)) {
            return None;
        }
        let key = DecodingKey::from_jwk(&jwk).ok()?;
        // A secret that is published is none, and nothing may be taken for one.
        let is_public = key.family() != AlgorithmFamily::Hmac;
        let (id, algorithm) = (jwk.common.key_id, jwk.common.key_algorithm);
        is_public.then_some(Self { key, id, algorithm })
    }
}

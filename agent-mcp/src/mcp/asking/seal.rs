//! What a modern client carries from one request to the next for the server: `requestState` (MR-4 to MR-6).

use std::{fmt, sync::Once, time::Duration};

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use chacha20poly1305::{
    Key, XChaCha20Poly1305, XNonce,
    aead::{Aead, Generate, KeyInit, Payload},
};
use serde::{Deserialize, Serialize};

use super::bound::Bound;
use crate::{mcp::clock::Clock, runtime::Memory};

/// Seals states, so that nobody but a server with the same keys can read or make one.
pub(crate) struct Seal {
    /// The first seals; each opens.
    keys: Vec<XChaCha20Poly1305>,
    /// Whether the key is one of this process alone.
    passing: bool,
    told: Once,
    clock: Clock,
    lifetime: Duration,
}

/// The keys that seal what a client carries for the server. Their bytes are never shown.
#[derive(Clone, Default, PartialEq)]
pub(crate) struct StateKeys(pub(crate) Vec<[u8; 32]>);

impl fmt::Debug for StateKeys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} keys", self.0.len())
    }
}

/// A state that was opened.
pub(crate) struct Opened {
    pub(crate) memory: Memory,
    /// Tells it from every other.
    pub(crate) nonce: String,
}

#[derive(Serialize, Deserialize)]
struct Content {
    /// Seconds since 1970.
    until: u64,
    memory: Memory,
}

const VERSION: u8 = 1;
const NONCE: usize = 24;

impl Seal {
    pub(crate) fn new(keys: &StateKeys, lifetime: Duration) -> Self {
        let passing = keys.0.is_empty();
        let keys: Vec<_> = match &keys.0[..] {
            [] => vec![Key::generate()],
            keys => keys.iter().map(|key| Key::from(*key)).collect(),
        };
        let keys = keys.iter().map(XChaCha20Poly1305::new).collect();
        Self { keys, passing, told: Once::new(), clock: Clock::new(), lifetime }
    }

    /// Seals what is to be known when the caller comes back.
    pub(crate) fn close(&self, bound: &Bound, memory: Memory) -> String {
        if self.passing {
            self.told.call_once(|| {
                tracing::info!(
                    "`state_keys` are not set: a call that asks its caller can be gone on with at this process only"
                );
            });
        }
        let until = (self.clock.now() + self.lifetime).as_secs();
        let content = serde_json::to_vec(&Content { until, memory }).unwrap_or_default();
        let nonce = XNonce::generate();
        let payload = Payload { msg: &content, aad: bound.as_bytes() };
        // It fails for messages of many gigabytes only.
        let sealed = self.keys[0].encrypt(&nonce, payload).unwrap_or_default();
        let mut bytes = Vec::with_capacity(1 + NONCE + sealed.len());
        bytes.push(VERSION);
        bytes.extend_from_slice(&nonce);
        bytes.extend_from_slice(&sealed);
        URL_SAFE_NO_PAD.encode(bytes)
    }

    /// Opens a state; `None` where it is not one of ours for this, or too old.
    pub(crate) fn open(&self, bound: &Bound, state: &str) -> Option<Opened> {
        let bytes = URL_SAFE_NO_PAD.decode(state).ok()?;
        let (&VERSION, rest) = bytes.split_first()? else { return None };
        let (nonce, sealed) = rest.split_at_checked(NONCE)?;
        let nonce: [u8; NONCE] = nonce.try_into().ok()?;
        let content = self.keys.iter().find_map(|key| {
            let payload = Payload { msg: sealed, aad: bound.as_bytes() };
            key.decrypt(&XNonce::from(nonce), payload).ok()
        })?;
        let Content { until, memory } = serde_json::from_slice(&content).ok()?;
        let nonce = URL_SAFE_NO_PAD.encode(nonce);
        (self.clock.now().as_secs() <= until).then_some(Opened { memory, nonce })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::runtime::PrincipalId;

    fn bound(subject: &str, arguments: &str) -> Bound {
        Bound::new(&PrincipalId::new("i", subject), "tools/call", "t", arguments.as_bytes())
    }

    fn seal(keys: &[u8]) -> Seal {
        let keys = keys.iter().map(|key| [*key; 32]).collect();
        Seal::new(&StateKeys(keys), Duration::from_secs(600))
    }

    #[test]
    fn mr_5_a_state_belongs_to_its_operation() {
        let seal = seal(&[]);
        let state = seal.close(&bound("ada", r#"{"a":1,"b":[2]}"#), Memory::default());
        assert!(seal.open(&bound("ada", r#" {"b": [2], "a": 1} "#), &state).is_some());
        for other in [
            bound("bob", r#"{"a":1,"b":[2]}"#),
            bound("ada", r#"{"a":1,"b":[3]}"#),
            bound("ada", r#"{"a":1,"b":2}"#),
            Bound::new(&PrincipalId::new("i", "ada"), "tools/call", "u", br#"{"a":1,"b":[2]}"#),
            Bound::new(&PrincipalId::new("i", "ada"), "prompts/get", "t", br#"{"a":1,"b":[2]}"#),
        ] {
            assert!(seal.open(&other, &state).is_none());
        }
    }

    #[test]
    fn mr_4_what_was_changed_is_no_state() {
        let (seal, bound) = (seal(&[1]), bound("ada", "{}"));
        let state = seal.close(&bound, Memory::default());
        for at in 0..state.len() {
            let mut other = state.clone().into_bytes();
            other[at] = if other[at] == b'A' { b'B' } else { b'A' };
            assert!(seal.open(&bound, std::str::from_utf8(&other).unwrap()).is_none(), "{at}");
        }
        for other in ["", "A", "AQ", "not base64!", &format!("{state}-TAMPERED"), &state[1..]] {
            assert!(seal.open(&bound, other).is_none(), "{other}");
        }
    }

    #[test]
    fn keys_are_changed_without_a_gap() {
        let bound = bound("ada", "{}");
        let before = seal(&[1]).close(&bound, Memory::default());
        assert!(seal(&[2, 1]).open(&bound, &before).is_some());
        assert!(seal(&[2]).open(&bound, &before).is_none());
        assert!(seal(&[]).open(&bound, &before).is_none(), "a key that nobody has set is random");
        let keys = StateKeys(vec![[7; 32]]);
        assert_eq!(format!("{keys:?}"), "1 keys");
    }

    #[tokio::test(start_paused = true)]
    async fn mr_5_a_state_has_its_time() {
        let (seal, bound) = (seal(&[]), bound("ada", "{}"));
        let state = seal.close(&bound, Memory::default());
        tokio::time::advance(Duration::from_secs(599)).await;
        assert!(seal.open(&bound, &state).is_some());
        tokio::time::advance(Duration::from_secs(3)).await;
        assert!(seal.open(&bound, &state).is_none());
    }
}

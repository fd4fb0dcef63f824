//! What holds from one handshake on (legacy).

use std::sync::{
    Arc,
    atomic::{AtomicU8, Ordering},
};

use bytes::Bytes;

use super::{
    envelope::{self, Asked},
    offered::Offered,
    revision::Revision,
    terms,
    updates::Watched,
};
use crate::runtime::{Client, LogLevel};

/// What holds from one handshake on (legacy).
pub(crate) struct Session {
    pub(crate) revision: Revision,
    pub(crate) client: Arc<Client>,
    pub(crate) threshold: Arc<Threshold>,
    /// Whether there is something in it that its last record does not have.
    pub(crate) changed: bool,
    /// Whether the client has said that it is ready.
    pub(crate) initialized: bool,
    /// What the client knows to be on offer, of what it has listed (O16). Nothing is on offer to a client of
    /// which that is not known, so it will be told.
    pub(crate) told: Offered,
    /// The resources that the client is told of (RES-10).
    pub(crate) subscriptions: Vec<Watched>,
}

/// What another connection has to know of a session to go on with it.
#[derive(serde::Serialize, serde::Deserialize)]
struct Record {
    revision: Revision,
    name: Option<String>,
    version: Option<String>,
    capabilities: serde_json::Value,
    level: LogLevel,
    #[serde(default)]
    subscriptions: Vec<Arc<str>>,
}

impl Session {
    /// What another connection has to know to go on with the session.
    pub(crate) fn record(&self) -> Bytes {
        let client = &*self.client;
        let record = Record {
            revision: self.revision,
            name: client.name.clone(),
            version: client.version.clone(),
            capabilities: client.capabilities.clone(),
            level: self.threshold.level(),
            subscriptions: self.subscriptions.iter().map(|it| it.uri.clone()).collect(),
        };
        serde_json::to_vec(&record).unwrap_or_default().into()
    }

    /// The session of a record, which may have been written elsewhere.
    pub(crate) fn resume(record: &[u8]) -> Option<Self> {
        let Record { revision, name, version, capabilities, level, subscriptions } =
            serde_json::from_slice(record).ok()?;
        let revision_name = Some(revision.as_str());
        Some(Self {
            revision,
            client: Arc::new(Client { name, version, revision: revision_name, capabilities }),
            threshold: Arc::new(Threshold::new(level)),
            changed: false,
            initialized: true,
            told: Offered::forgotten(),
            subscriptions: subscriptions.into_iter().map(Watched::forgotten).collect(),
        })
    }

    /// Takes over what another connection of the session was asked and has done.
    pub(crate) fn overhear(&mut self, call: &Asked<'_>) {
        let uri = call.params.uri.and_then(envelope::text);
        match (&*call.method, uri) {
            ("resources/subscribe", Some(uri))
                if self.subscriptions.iter().all(|it| *it.uri != *uri) =>
            {
                self.subscriptions.push(Watched::forgotten(uri.into()));
            }
            ("resources/unsubscribe", Some(uri)) => {
                self.subscriptions.retain(|it| *it.uri != *uri);
            }
            _ => {
                if let Some(Ok(level)) = call.params.level.map(terms::level) {
                    self.threshold.set(level);
                }
            }
        }
    }

    #[cfg(feature = "http")]
    /// The session of a client without one: it has said nothing and is told nothing.
    pub(crate) fn assumed(revision: Revision) -> Self {
        Self {
            revision,
            client: Arc::new(Client { revision: Some(revision.as_str()), ..Client::default() }),
            threshold: Arc::new(Threshold::new(LogLevel::Info)),
            changed: false,
            initialized: true,
            told: Offered::default(),
            subscriptions: Vec::new(),
        }
    }
}

/// The least grave log message that a session wants.
#[derive(Debug)]
pub(crate) struct Threshold(AtomicU8);

impl Threshold {
    pub(crate) fn new(level: LogLevel) -> Self {
        Self(AtomicU8::new(level as u8))
    }

    pub(crate) fn level(&self) -> LogLevel {
        LogLevel::ALL[usize::from(self.0.load(Ordering::Relaxed))]
    }

    pub(crate) fn set(&self, level: LogLevel) {
        self.0.store(level as u8, Ordering::Relaxed);
    }

    pub(crate) fn admits(&self, level: LogLevel) -> bool {
        level as u8 >= self.0.load(Ordering::Relaxed)
    }
}

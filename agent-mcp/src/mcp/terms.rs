//! The terms on which one request is served: its revision, its caller, what it wants to hear.

use std::sync::Arc;

use serde_json::Value;

use super::{
    claims::Claims,
    envelope::{self, Asked, Meta, Params, Raw, given},
    error::RpcError,
    face::Offers,
    notices::Wanted,
    offered::Offered,
    protocol::Protocol,
    revision::Revision,
    session::{Session, Threshold},
    state::{Known, State},
    tree,
};
use crate::runtime::{Client, LogLevel};

/// The terms on which one request is served.
pub(crate) struct Terms {
    pub(crate) revision: Revision,
    pub(crate) client: Arc<Client>,
    pub(crate) wanted: Wanted,
}

const VERSION: &str = "io.modelcontextprotocol/protocolVersion";
const CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";

impl Terms {
    /// The terms of a session (legacy).
    pub(crate) fn of_session(session: &Session, offers: Offers) -> Self {
        let wanted = if offers.logging {
            Wanted::Session(session.threshold.clone())
        } else {
            Wanted::Nothing
        };
        Self { revision: session.revision, client: session.client.clone(), wanted }
    }

    /// The terms that a modern envelope states for its own request and for no other (BASE-15).
    pub(crate) fn of_envelope(
        meta: &Meta<'_>,
        call: &Asked<'_>,
        claims: Option<&Claims<'_>>,
        protocol: &Protocol,
        state: &mut State,
    ) -> Result<Self, RpcError> {
        let (Some(version), Some(capabilities)) = (
            meta.protocol_version.and_then(envelope::text),
            meta.client_capabilities.filter(|raw| raw.get().starts_with('{')),
        ) else {
            return Err(incomplete(protocol));
        };
        // MH-2: in this order.
        if let Some(claims) = claims {
            claims.hold_revision(&version)?;
        }
        let revision = Revision::named(&version)
            .filter(|revision| revision.is_modern() && protocol.offered().contains(revision))
            .ok_or_else(|| unsupported(protocol, &version))?;
        if let Some(claims) = claims {
            claims.hold_call(call, protocol)?;
        }
        let wanted = match given(meta.log_level).map(level).transpose()? {
            Some(level) if protocol.offers().logging => Wanted::From(level),
            _ => Wanted::Nothing,
        };
        let info = given(meta.client_info).map(serde_json::value::RawValue::get);
        let capabilities = capabilities.get();
        let known = state.known.as_ref();
        let client = match known.filter(|known| known.is(capabilities, info)) {
            Some(known) => known.client.clone(),
            None => {
                let client = client(revision, Some(capabilities), info)?;
                if capabilities.len() + info.map_or(0, str::len) <= Known::LONGEST {
                    let (capabilities, info) = (capabilities.into(), info.map(Into::into));
                    state.known = Some(Known { capabilities, info, client: client.clone() });
                }
                client
            }
        };
        Ok(Self { revision, client, wanted })
    }
}

impl Known {
    /// How much of what clients say of themselves is kept, in bytes.
    const LONGEST: usize = 4096;

    fn is(&self, capabilities: &str, info: Option<&str>) -> bool {
        *self.capabilities == *capabilities && self.info.as_deref() == info
    }
}

/// Agrees on a revision and opens a session (VER-1 to VER-3).
pub(crate) fn handshake(params: &Params<'_>, protocol: &Protocol) -> Result<Session, RpcError> {
    let Some(asked) = params.protocol_version.and_then(envelope::text) else {
        return Err(RpcError::invalid_params("`protocolVersion` must be a string"));
    };
    let Some(newest) = protocol.newest_legacy() else {
        // VER-16: the only place where a legacy client can learn why.
        return Err(unsupported(protocol, &asked));
    };
    let revision = Revision::named(&asked)
        .filter(|revision| !revision.is_modern() && protocol.offered().contains(revision))
        .unwrap_or(newest);
    let (capabilities, info) = (text(params.capabilities), text(params.client_info));
    Ok(Session {
        revision,
        client: client(revision, capabilities, info)?,
        threshold: Arc::new(Threshold::new(LogLevel::Info)),
        changed: true,
        initialized: false,
        told: Offered::default(),
        subscriptions: Vec::new(),
    })
}

/// There is neither an envelope nor a session (VER-14).
pub(crate) fn missing(protocol: &Protocol) -> RpcError {
    if protocol.has_modern() {
        incomplete(protocol)
    } else {
        RpcError::invalid_request("Send `initialize` first")
    }
}

fn incomplete(protocol: &Protocol) -> RpcError {
    let mut text =
        format!("`params._meta` must hold `{VERSION}` (a string) and `{CAPABILITIES}` (an object)");
    if protocol.newest_legacy().is_some() {
        text.push_str("; the revisions before 2026-07-28 begin with `initialize`");
    }
    RpcError::invalid_params(text)
        .with(&Supported { supported: protocol.offered(), requested: None })
}

fn unsupported(protocol: &Protocol, asked: &str) -> RpcError {
    RpcError::new(RpcError::UNSUPPORTED_REVISION, "Unsupported protocol version")
        .with(&Supported { supported: protocol.offered(), requested: Some(asked) })
}

/// VER-8, VER-15: what may be asked for instead.
#[derive(serde::Serialize)]
struct Supported<'a> {
    supported: &'a [Revision],
    #[serde(skip_serializing_if = "Option::is_none")]
    requested: Option<&'a str>,
}

/// Reads a level of the log (LOG-3, LOG-6).
pub(crate) fn level(raw: &serde_json::value::RawValue) -> Result<LogLevel, RpcError> {
    serde_json::from_str(raw.get()).map_err(|_| {
        RpcError::invalid_params(
            "The log level must be one of debug, info, notice, warning, error, critical, alert, emergency",
        )
    })
}

/// The longest of what is kept of a client, in bytes: each session has one.
const LONGEST: usize = 16 * 1024;

fn text<'a>(raw: Raw<'a>) -> Option<&'a str> {
    raw.map(serde_json::value::RawValue::get)
}

/// What a client says of itself. What it says wrongly is not said.
fn client(
    revision: Revision,
    capabilities: Option<&str>,
    info: Option<&str>,
) -> Result<Arc<Client>, RpcError> {
    #[derive(Default, serde::Deserialize)]
    struct Info {
        name: Option<String>,
        version: Option<String>,
    }
    let info: Info = info.and_then(|info| serde_json::from_str(info).ok()).unwrap_or_default();
    let name = |text: &Option<String>| text.as_ref().map_or(0, String::len);
    let said = capabilities.unwrap_or_default();
    let length = said.len() + name(&info.name) + name(&info.version);
    if length > LONGEST || tree::is_larger(said, tree::MOST_KEPT) {
        return Err(RpcError::invalid_params(format!(
            "The capabilities, the name and the version of a client must not be longer than {LONGEST} bytes, nor hold more than {} values",
            tree::MOST_KEPT
        )));
    }
    let capabilities = serde_json::from_str(said).unwrap_or(Value::Null);
    Ok(Arc::new(Client {
        name: info.name,
        version: info.version,
        revision: Some(revision.as_str()),
        capabilities,
    }))
}

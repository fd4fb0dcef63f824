//! Scopes that a caller lacks.

use serde_json::json;

use super::{error::RpcError, exchange::NeedsScopes, reply::OUTCOME};
use crate::runtime::{Outcome, Refusal};

/// What a transport is to know of an outcome, where it is a refusal for want of scopes (AUTH-10).
pub(crate) fn needed(outcome: &Outcome, id: &str) -> Option<Box<NeedsScopes>> {
    let Outcome::Refused(refusal @ Refusal::InsufficientScope { scopes, .. }) = outcome else {
        return None;
    };
    let data = json!({ "scopes": scopes, OUTCOME: outcome.code() });
    let error = RpcError::invalid_request(refusal.to_string()).with(&data).reply(Some(id));
    Some(Box::new(NeedsScopes { scopes: scopes.clone(), error }))
}

//! What a client sends of its answers (modern).

use std::{borrow::Cow, collections::BTreeMap};

use serde_json::{Value, value::RawValue};

use crate::mcp::{
    envelope::{self, Params},
    error::RpcError,
    tree,
};

/// What the caller says that it was asked (modern).
pub(super) struct Given {
    pub(super) responses: BTreeMap<String, Value>,
    pub(super) state: Option<String>,
}

impl Given {
    pub(super) fn of(params: &Params<'_>) -> Result<Option<Self>, RpcError> {
        let responses = envelope::given(params.input_responses).map(responses);
        let state = envelope::given(params.request_state).map(|raw| {
            let text = envelope::text(raw).map(Cow::into_owned);
            text.ok_or_else(|| RpcError::invalid_params("`requestState` must be a string"))
        });
        if responses.is_none() && state.is_none() {
            return Ok(None);
        }
        let responses = responses.transpose()?.unwrap_or_default();
        Ok(Some(Self { responses, state: state.transpose()? }))
    }
}

/// Reads answers by their keys.
pub(crate) fn responses(raw: &RawValue) -> Result<BTreeMap<String, Value>, RpcError> {
    tree::read(raw, tree::MOST).ok_or_else(|| {
        let most = tree::MOST;
        let text = format!("`inputResponses` must be an object of no more than {most} values");
        RpcError::invalid_params(text)
    })
}

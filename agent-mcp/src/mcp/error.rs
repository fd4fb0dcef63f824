//! Errors of the protocol.

use std::{borrow::Cow, num::NonZeroU32, time::Duration};

use super::writer::Writer;
#[cfg(feature = "http")]
use crate::runtime::{Failure, FailureKind, InvocationId};

/// An error of JSON-RPC: the answer to a request that cannot be worked on.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct RpcError {
    pub(crate) code: i32,
    pub(crate) message: Cow<'static, str>,
    /// The JSON text of what a program should know.
    pub(crate) data: Option<String>,
    /// When it may be tried again, where that is all that is wrong.
    pub(crate) retry_after: Option<Duration>,
}

impl RpcError {
    pub(crate) const PARSE: i32 = -32700;
    pub(crate) const INVALID_REQUEST: i32 = -32600;
    pub(crate) const UNKNOWN_METHOD: i32 = -32601;
    pub(crate) const INVALID_PARAMS: i32 = -32602;
    pub(crate) const INTERNAL: i32 = -32603;
    /// The message is not what is said of it beside it.
    pub(crate) const MISMATCH: i32 = -32020;
    /// The client would have to be able to do more.
    pub(crate) const MISSING_CAPABILITY: i32 = -32021;
    pub(crate) const UNSUPPORTED_REVISION: i32 = -32022;

    pub(crate) fn new(code: i32, message: impl Into<Cow<'static, str>>) -> Self {
        Self { code, message: message.into(), data: None, retry_after: None }
    }

    /// Whether it is about what the request lacks and not about what it asks for.
    pub(crate) fn is_of_the_request(&self) -> bool {
        self.retry_after.is_some() || self.code == Self::MISSING_CAPABILITY
    }

    pub(crate) fn invalid_request(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(Self::INVALID_REQUEST, message)
    }

    pub(crate) fn invalid_params(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(Self::INVALID_PARAMS, message)
    }

    pub(crate) fn unknown_method(method: &str) -> Self {
        Self::new(Self::UNKNOWN_METHOD, format!("Unknown method: {method}"))
    }

    /// There are too many calls in too short a time.
    pub(crate) fn too_often((limit, wait): (NonZeroU32, Duration)) -> Self {
        let wait_ms = wait.as_millis().max(1);
        let text = format!(
            "You may call {limit} times in a second (limit `calls_per_second`): wait {wait_ms} ms"
        );
        Self { retry_after: Some(wait), ..Self::invalid_request(text) }
    }

    /// The agents of a caller cannot be made (O29). The cause is for the log.
    #[cfg(feature = "http")]
    pub(crate) fn unbound(failure: Failure) -> Self {
        match failure.0 {
            FailureKind::Say(text) => Self::invalid_request(text),
            FailureKind::NotFound => Self::invalid_request(crate::runtime::NOT_FOUND),
            FailureKind::Protocol { code, message } => Self::new(code, message),
            FailureKind::Internal(cause) => {
                let reference = InvocationId::fresh();
                tracing::error!(%reference, %cause, "the agents of a caller cannot be made");
                Self::new(
                    Self::INTERNAL,
                    format!("The server failed for an internal reason. Reference: {reference}"),
                )
            }
        }
    }

    /// Adds what a program should know.
    pub(crate) fn with(mut self, data: &impl serde::Serialize) -> Self {
        self.data = serde_json::to_string(data).ok();
        self
    }

    /// The answer to the request `id`, or to nothing in particular (BASE-5).
    pub(crate) fn reply(&self, id: Option<&str>) -> bytes::Bytes {
        let mut reply = Writer::new(128 + self.message.len());
        reply.raw(r#"{"jsonrpc":"2.0""#);
        if let Some(id) = id {
            reply.raw(r#","id":"#);
            reply.json(id);
        }
        reply.raw(r#","error":{"code":"#);
        reply.number(self.code.into());
        reply.raw(r#","message":"#);
        reply.text(&self.message);
        if let Some(data) = &self.data {
            reply.raw(r#","data":"#);
            reply.json(data);
        }
        reply.raw("}}");
        reply.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base_4_an_error_is_a_code_and_a_message() {
        let error = RpcError::invalid_params("no \"name\"").with(&serde_json::json!({"a": 1}));
        assert_eq!(
            error.reply(Some("\"x\"")),
            r#"{"jsonrpc":"2.0","id":"x","error":{"code":-32602,"message":"no \"name\"","data":{"a":1}}}"#
        );
        assert_eq!(
            RpcError::new(RpcError::PARSE, "no JSON").reply(None),
            r#"{"jsonrpc":"2.0","error":{"code":-32700,"message":"no JSON"}}"#
        );
    }
}

//! The door for code inside the application: the same pipeline, nothing skipped (N12).

use std::{future::Future, sync::Arc};

use bytes::Bytes;
use serde::Serialize;

use super::{
    invocation::Invocation, outcome::Outcome, output::Output, principal::Principal,
    runtime::Runtime,
};

/// Calls the capabilities of a [`Runtime`] from inside the application, on behalf of one principal.
///
/// A call passes availability, schema, `authorize` and audit like any other; its transport is `in-app`.
pub struct InProcess<P: Principal> {
    runtime: Runtime<P>,
    principal: Arc<P>,
}

impl<P: Principal> Clone for InProcess<P> {
    fn clone(&self) -> Self {
        Self { runtime: self.runtime.clone(), principal: self.principal.clone() }
    }
}

impl<P: Principal> Runtime<P> {
    /// The door for in-process calls on behalf of `principal`.
    #[must_use]
    pub fn acting_as(&self, principal: impl Into<Arc<P>>) -> InProcess<P> {
        InProcess { runtime: self.clone(), principal: principal.into() }
    }
}

impl Runtime<()> {
    /// The door for in-process calls where callers are not told apart.
    #[must_use]
    pub fn in_process(&self) -> InProcess<()> {
        self.acting_as(())
    }
}

impl<P: Principal> InProcess<P> {
    /// The runtime behind the door.
    #[must_use]
    pub fn runtime(&self) -> &Runtime<P> {
        &self.runtime
    }

    /// Calls `capability` with `arguments`, which serialise to an object. This is the unchecked form, for
    /// names that are known at run time only; `#[agent(calls = Name)]` makes a checked one.
    pub fn call<T: Serialize + ?Sized>(
        &self,
        capability: &str,
        arguments: &T,
    ) -> impl Future<Output = Outcome> + Send + use<P, T> {
        self.call_as(capability, arguments, Invocation::new())
    }

    /// Calls `capability` as the given invocation: with an id of its own, a transport, or a signal.
    pub fn call_as<T: Serialize + ?Sized>(
        &self,
        capability: &str,
        arguments: &T,
        invocation: Invocation,
    ) -> impl Future<Output = Outcome> + Send + use<P, T> {
        // What cannot be written as JSON is no object either, and refused as such.
        let arguments =
            serde_json::to_vec(arguments).map_or(Bytes::from_static(b"null"), Bytes::from);
        self.runtime.call(capability, arguments, invocation, self.principal.clone())
    }

    /// Gets `prompt`, filled in with `arguments`, which serialise to an object of texts.
    pub fn prompt<T: Serialize + ?Sized>(
        &self,
        prompt: &str,
        arguments: &T,
    ) -> impl Future<Output = Outcome> + Send + use<P, T> {
        let arguments =
            serde_json::to_vec(arguments).map_or(Bytes::from_static(b"null"), Bytes::from);
        self.runtime.prompt(prompt, arguments, Invocation::new(), self.principal.clone())
    }

    /// Reads a resource or the context.
    pub fn read(&self, uri: &str) -> impl Future<Output = Outcome> + Send + use<P> {
        self.runtime.read(uri, Invocation::new(), self.principal.clone())
    }
}

impl Outcome {
    /// The value of a call that did what it is for, read as `T`.
    ///
    /// # Errors
    ///
    /// The call did not succeed, or its value is no `T`.
    pub fn json<T: serde::de::DeserializeOwned>(&self) -> Result<T, OutcomeError> {
        match self {
            Self::Value(Output::Json(json)) | Self::Completed(Some(Output::Json(json))) => {
                Ok(serde_json::from_str(json)?)
            }
            Self::Value(Output::Text(text)) => {
                Ok(serde_json::from_value(serde_json::Value::String(text.clone()))?)
            }
            Self::Value(_) | Self::Completed(_) | Self::Dispatched => {
                Ok(serde_json::from_value(serde_json::Value::Null)?)
            }
            failed => Err(OutcomeError::Failed(failed.summary("the capability").text.into_owned())),
        }
    }
}

/// Why an [`Outcome`] has no value of the type that was asked for.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OutcomeError {
    /// The call did not succeed; this is what an agent would read.
    #[error("{0}")]
    Failed(String),
    /// The value is of another type.
    #[error("the value is of another type: {0}")]
    Type(#[from] serde_json::Error),
}

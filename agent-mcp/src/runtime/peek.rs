//! Reads that are compared and shown to nobody.

use std::{
    future::Future,
    hash::{DefaultHasher, Hash, Hasher},
    sync::Arc,
    time::Duration,
};

use super::{
    invocation::Invocation,
    outcome::{Outcome, Refusal},
    output::Output,
    principal::Principal,
    runtime::Runtime,
};

/// What a resource holds, as far as it takes to see that it has changed.
pub(crate) enum Peeked {
    /// The digest of what is there; also of there being nothing.
    Digest(u64),
    /// The caller may not know, or it cannot be read at the moment.
    Nothing,
}

/// How long a read may take. One that hangs must not keep others from being told.
const LIMIT: Duration = Duration::from_secs(30);

impl<P: Principal> Runtime<P> {
    /// Reads a resource for `principal`, by all rules of a read, to compare it. The audit has no entry of it:
    /// nothing is handed out.
    pub(crate) fn peek(
        &self,
        uri: &str,
        principal: Arc<P>,
    ) -> impl Future<Output = Peeked> + Send + use<P> {
        let located = self.locate(uri);
        let is_known = located.is_some();
        let invocation = Invocation::on("mcp").unrecorded();
        let reading = self.read_located(uri, located, invocation, principal);
        async move {
            if !is_known {
                return Peeked::Nothing;
            }
            match tokio::time::timeout(LIMIT, reading).await {
                Ok(outcome) => digest(&outcome),
                Err(_) => Peeked::Nothing,
            }
        }
    }
}

fn digest(outcome: &Outcome) -> Peeked {
    let mut hasher = DefaultHasher::new();
    match outcome {
        Outcome::Value(Output::Text(text)) => (1, text).hash(&mut hasher),
        Outcome::Value(Output::Json(json)) => (2, json).hash(&mut hasher),
        Outcome::Value(Output::Content(blocks)) => {
            3.hash(&mut hasher);
            for block in blocks {
                block.hash_into(&mut hasher);
            }
        }
        Outcome::Refused(Refusal::UnknownResource { .. }) => 4.hash(&mut hasher),
        _ => return Peeked::Nothing,
    }
    Peeked::Digest(hasher.finish())
}

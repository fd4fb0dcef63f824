//! What a transport says of a message beside the message.

use std::borrow::Cow;

use super::{
    envelope::{self, Asked},
    error::RpcError,
};

/// What the framing of a transport says of a request, so that others on the way can route it unread.
///
/// A modern request must be what its frame says (MH-1, MH-6, MH-7): two readers that trust different parts
/// would serve two different requests.
#[derive(Debug)]
pub struct Claims<'a> {
    /// The revision.
    pub revision: Claim<'a>,
    /// The method.
    pub method: Claim<'a>,
    /// What the method is about: the tool, the prompt, the resource.
    pub name: Claim<'a>,
}

/// One thing that is said beside a message.
#[derive(Debug)]
pub struct Claim<'a> {
    /// Where it is said, for people.
    pub place: &'static str,
    /// What is said there.
    pub said: Said<'a>,
}

/// What is said in one place.
#[derive(Debug)]
pub enum Said<'a> {
    /// Nothing.
    Nothing,
    /// A text.
    Text(Cow<'a, str>),
    /// Something that cannot be read, or more than one thing.
    Garbled,
}

impl Claims<'_> {
    pub(crate) fn hold_revision(&self, revision: &str) -> Result<(), RpcError> {
        self.revision.hold(Some(revision))
    }

    pub(crate) fn hold_call(&self, call: &Asked<'_>) -> Result<(), RpcError> {
        self.method.hold(Some(&*call.method))?;
        let about = match &*call.method {
            "tools/call" | "prompts/get" => call.params.name,
            "resources/read" => call.params.uri,
            _ => return Ok(()),
        };
        self.name.hold(about.and_then(envelope::text).as_deref())
    }
}

impl Claim<'_> {
    /// What the message holds must be said, and nothing else.
    fn hold(&self, held: Option<&str>) -> Result<(), RpcError> {
        let place = self.place;
        let text = match (&self.said, held) {
            (Said::Nothing, None) => return Ok(()),
            (Said::Text(said), Some(held)) if said == held => return Ok(()),
            (Said::Nothing, Some(_)) => format!("`{place}` is missing"),
            (Said::Garbled, _) => format!("`{place}` cannot be read"),
            // What was sent is not repeated.
            (Said::Text(_), _) => format!("`{place}` says something else than the message"),
        };
        Err(RpcError::new(RpcError::MISMATCH, text))
    }
}

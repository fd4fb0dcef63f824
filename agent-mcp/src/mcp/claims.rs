//! What a transport says of a message beside the message.

use std::{borrow::Cow, fmt};

use super::{
    envelope::{self, Asked},
    error::RpcError,
    protocol::Protocol,
    repeated::Held,
};

/// What the framing of a transport says of a request, so that others on the way can route it unread.
///
/// A modern request must be what its frame says (MH-1, MH-6, MH-7, MH-10): two readers that trust different parts
/// would serve two different requests.
#[derive(Debug)]
pub struct Claims<'a> {
    /// The revision.
    pub revision: Claim<'a>,
    /// The method.
    pub method: Claim<'a>,
    /// What the method is about: the tool, the prompt, the resource.
    pub name: Claim<'a>,
    /// The arguments of a call that its frame repeats.
    pub arguments: &'a dyn Repeats,
}

/// What the framing of a transport repeats of the arguments of a call.
pub trait Repeats: fmt::Debug + Sync {
    /// What is said of the argument that is repeated as `name`, whose case makes no difference.
    fn argument(&self, name: &str) -> Claim<'_>;
}

/// One thing that is said beside a message.
#[derive(Debug)]
pub struct Claim<'a> {
    /// Where it is said, for people.
    pub place: Cow<'static, str>,
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
        self.revision.hold(Some(&Held::Text(revision.into())))
    }

    pub(crate) fn hold_call(&self, call: &Asked<'_>, protocol: &Protocol) -> Result<(), RpcError> {
        self.method.hold(Some(&Held::Text((&*call.method).into())))?;
        let about = match &*call.method {
            "tools/call" | "prompts/get" => call.params.name,
            "resources/read" => call.params.uri,
            "tasks/get" | "tasks/update" | "tasks/cancel" => call.params.task_id,
            _ => return Ok(()),
        };
        let about = about.and_then(envelope::text).map(Held::Text);
        self.name.hold(about.as_ref())?;
        if let ("tools/call", Some(Held::Text(tool))) = (&*call.method, &about) {
            for argument in protocol.repeated(tool) {
                let held = argument.held(call.params.arguments);
                self.arguments.argument(&argument.name).hold(held.as_ref())?;
            }
        }
        Ok(())
    }
}

impl Claim<'_> {
    /// What the message holds must be said, and nothing else.
    fn hold(&self, held: Option<&Held<'_>>) -> Result<(), RpcError> {
        let place = &self.place;
        let text = match (&self.said, held) {
            (Said::Nothing, None) => return Ok(()),
            (Said::Text(said), Some(held)) if held.is(said) => return Ok(()),
            (_, Some(Held::Other)) => {
                format!("The message holds something that `{place}` cannot say")
            }
            (Said::Nothing, Some(_)) => format!("`{place}` is missing"),
            (Said::Garbled, _) => format!("`{place}` cannot be read"),
            // What was sent is not repeated.
            (Said::Text(_), _) => format!("`{place}` says something else than the message"),
        };
        Err(RpcError::new(RpcError::MISMATCH, text))
    }
}

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
        self.hold(&self.revision, Some(&Held::Text(revision.into())))
    }

    pub(crate) fn hold_call(&self, call: &Asked<'_>, protocol: &Protocol) -> Result<(), RpcError> {
        self.hold(&self.method, Some(&Held::Text((&*call.method).into())))?;
        let about = match &*call.method {
            "tools/call" | "prompts/get" => call.params.name,
            "resources/read" => call.params.uri,
            "tasks/get" | "tasks/update" | "tasks/cancel" => call.params.task_id,
            _ => return Ok(()),
        };
        let about = about.and_then(envelope::text).map(Held::Text);
        self.hold(&self.name, about.as_ref())?;
        if let ("tools/call", Some(Held::Text(tool))) = (&*call.method, &about) {
            for argument in protocol.repeated(tool) {
                let held = argument.held(call.params.arguments);
                let claim = self.arguments.argument(&argument.name);
                claim
                    .hold(held.as_ref())
                    .map_err(|text| RpcError::new(RpcError::MISMATCH, text))?;
            }
        }
        Ok(())
    }

    fn hold(&self, claim: &Claim<'_>, held: Option<&Held<'_>>) -> Result<(), RpcError> {
        claim.hold(held).map_err(|mut text| {
            // Whoever leaves one out may not know of the others.
            if let Said::Nothing = claim.said {
                let Self { revision, method, name, .. } = self;
                text += &format!(
                    ": a request says its revision in `{}`, its method in `{}` and what it is about, \
                     where there is such a thing, in `{}`",
                    revision.place, method.place, name.place
                );
            }
            RpcError::new(RpcError::MISMATCH, text)
        })
    }
}

impl Claim<'_> {
    /// What the message holds must be said, and nothing else.
    fn hold(&self, held: Option<&Held<'_>>) -> Result<(), String> {
        let place = &self.place;
        Err(match (&self.said, held) {
            (Said::Nothing, None) => return Ok(()),
            (Said::Text(said), Some(held)) if held.is(said) => return Ok(()),
            (_, Some(Held::Other)) => {
                format!("The message holds something that `{place}` cannot say")
            }
            (Said::Nothing, Some(_)) => format!("`{place}` is missing"),
            (Said::Garbled, _) => format!("`{place}` cannot be read"),
            // What was sent is not repeated.
            (Said::Text(_), _) => format!("`{place}` says something else than the message"),
        })
    }
}

//! A message that is read and not yet taken.

use std::time::Duration;

use bytes::Bytes;
use serde_json::value::RawValue;

use super::{
    envelope::{self, Message, Rejected},
    error::RpcError,
    id::Id,
    protocol::Protocol,
    terms,
};

/// A message that is read and not yet taken: what a transport with sessions looks at to find out whose it is.
pub struct Incoming<'a> {
    pub(crate) bytes: &'a Bytes,
    pub(crate) content: Content<'a>,
    form: Form,
}

#[allow(clippy::large_enum_variant)] // it is moved once, and a box would cost more
pub(crate) enum Content<'a> {
    One(Result<Message<'a>, Rejected<'a>>),
    Batch(serde_json::Result<Vec<&'a RawValue>>),
}

/// What a message is, as far as it decides who takes it (VER-12).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Form {
    /// A request that states its own terms: it needs no session (modern).
    Enveloped,
    /// The request that opens a session (legacy).
    Handshake,
    /// Any other request.
    Request,
    /// A notification.
    Notification,
    /// An answer to a question of the server.
    Response,
    /// Several messages.
    Batch,
    /// No message.
    Unreadable,
}

/// A message that is not taken, for what it is or lacks. What a method answers is never one.
#[derive(Debug)]
pub struct Refused {
    /// The answer.
    pub reply: Bytes,
    /// Whether all that is wrong is that nothing has such a name.
    pub unknown_method: bool,
    /// When it may be sent again, where all that is wrong is that there are too many.
    pub retry_after: Option<Duration>,
}

impl<'a> Incoming<'a> {
    pub(crate) fn read(bytes: &'a Bytes, protocol: &Protocol) -> Self {
        let Ok(text) = std::str::from_utf8(bytes) else {
            let error = RpcError::new(RpcError::PARSE, "The message is no JSON: it is not UTF-8");
            let content = Content::One(Err(Rejected { id: None, error }));
            return Self { bytes, content, form: Form::Unreadable };
        };
        if let Some(members) = envelope::members(text) {
            let form = if members.is_ok() { Form::Batch } else { Form::Unreadable };
            return Self { bytes, content: Content::Batch(members), form };
        }
        let message = envelope::read(text);
        let form = match &message {
            Ok(Message::Request { call, .. }) => {
                // The envelope decides first, then the method.
                let modern = call.params.meta().is_some_and(envelope::Meta::is_modern);
                match &*call.method {
                    _ if modern && protocol.has_modern() => Form::Enveloped,
                    "initialize" => Form::Handshake,
                    _ => Form::Request,
                }
            }
            Ok(Message::Notification(_)) => Form::Notification,
            Ok(Message::Response { .. }) => Form::Response,
            Err(_) => Form::Unreadable,
        };
        Self { bytes, content: Content::One(message), form }
    }

    /// Its bytes.
    #[must_use]
    pub fn message(&self) -> &'a Bytes {
        self.bytes
    }

    /// What it is.
    #[must_use]
    pub fn form(&self) -> Form {
        self.form
    }

    /// The answer of a transport that does not hand it on.
    #[must_use]
    pub fn refuse(&self, reason: &str) -> Bytes {
        RpcError::invalid_request(reason.to_owned()).reply(self.id())
    }

    /// The answer to what is no message, or several, where there is no session.
    #[cfg(feature = "http")]
    pub(crate) fn unfit(&self) -> Bytes {
        match &self.content {
            Content::One(Err(rejected)) => self.fail(&rejected.error),
            Content::Batch(Err(error)) => self.fail(&super::batch::no_json(error)),
            Content::Batch(Ok(_)) | Content::One(Ok(_)) => self.fail(&super::batch::none_here()),
        }
    }

    /// The answer of a transport that cannot hand it on.
    #[cfg(feature = "http")]
    pub(crate) fn fail(&self, error: &RpcError) -> Bytes {
        error.reply(self.id())
    }

    /// The answer where it should have stated its own terms and did not (VER-14).
    #[must_use]
    pub fn refuse_bare(&self, protocol: &Protocol) -> Bytes {
        terms::missing(protocol).reply(self.id())
    }

    fn id(&self) -> Option<&'a str> {
        match &self.content {
            Content::One(Ok(Message::Request { id, .. })) => Some(id.raw()),
            Content::One(Err(rejected)) => rejected.id.map(Id::raw),
            Content::One(Ok(_)) | Content::Batch(_) => None,
        }
    }
}

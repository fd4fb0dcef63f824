//! The body of a response.

use std::{
    convert::Infallible,
    pin::Pin,
    task::{Context, Poll},
};

use bytes::Bytes;
use http_body::{Frame, SizeHint};

use super::events::Events;

/// The body of a response: one document, or a stream of events.
#[derive(Debug)]
pub struct Body(Content);

#[derive(Debug)]
enum Content {
    Document(Option<Bytes>),
    Events(Box<Events>),
}

impl Body {
    pub(super) fn empty() -> Self {
        Self(Content::Document(None))
    }

    pub(super) fn events(events: Events) -> Self {
        Self(Content::Events(Box::new(events)))
    }
}

impl From<Bytes> for Body {
    fn from(bytes: Bytes) -> Self {
        Self(Content::Document(Some(bytes)))
    }
}

impl http_body::Body for Body {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        let bytes = match &mut self.0 {
            Content::Document(bytes) => bytes.take(),
            Content::Events(events) => std::task::ready!(events.poll_frame(cx)),
        };
        Poll::Ready(bytes.map(|bytes| Ok(Frame::data(bytes))))
    }

    fn is_end_stream(&self) -> bool {
        match &self.0 {
            Content::Document(bytes) => bytes.is_none(),
            Content::Events(events) => events.is_over(),
        }
    }

    fn size_hint(&self) -> SizeHint {
        match &self.0 {
            Content::Document(bytes) => {
                SizeHint::with_exact(bytes.as_ref().map_or(0, |bytes| bytes.len() as u64))
            }
            Content::Events(_) => SizeHint::default(),
        }
    }
}

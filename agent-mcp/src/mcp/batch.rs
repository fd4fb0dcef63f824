//! Several messages in one: 2025-03-26 only (BASE-8).

use std::{
    future::Future,
    pin::Pin,
    task::{Context, Poll},
};

use bytes::Bytes;

use super::{
    error::RpcError,
    exchange::{Exchange, Received},
    writer::Writer,
};

/// What was to be several messages cannot be read.
pub(crate) fn no_json(error: &serde_json::Error) -> RpcError {
    RpcError::new(RpcError::PARSE, format!("The message is no JSON: {error}"))
}

/// BASE-10: elsewhere nothing inside is looked at (B113).
pub(crate) fn none_here() -> RpcError {
    RpcError::invalid_request("Batches exist at revision 2025-03-26 only")
}

/// Joins what became of each member: one list of the answers, in the order of the requests.
///
/// There is no list where nothing is to be answered.
pub(crate) fn join(members: Vec<Received>, size: usize) -> Received {
    let mut batch = Batch { members: Vec::with_capacity(members.len()) };
    let (mut waits, mut kept) = (false, size);
    for member in members {
        match member {
            Received::Nothing => {}
            Received::Reply(reply) => batch.members.push(Member::Answered(reply)),
            Received::Call(exchange) => {
                waits = true;
                // Each keeps something of its own beside the message, which all share.
                kept += exchange.size().saturating_sub(size);
                batch.members.push(Member::Working(exchange));
            }
        }
    }
    if waits {
        return Received::Call(Exchange::batch(kept, batch));
    }
    batch.list().map_or(Received::Nothing, Received::Reply)
}

/// A batch in which some members are answered and some are being worked on.
pub(crate) struct Batch {
    members: Vec<Member>,
}

enum Member {
    Answered(Bytes),
    Working(Exchange),
    Silent,
}

impl Batch {
    /// Answers the members that have not been run.
    pub(crate) fn refuse(mut self, reason: &str) -> Bytes {
        for member in &mut self.members {
            *member = match std::mem::replace(member, Member::Silent) {
                Member::Working(exchange) => Member::Answered(exchange.refuse(reason)),
                done => done,
            };
        }
        self.list().unwrap_or_default()
    }

    /// How many members it still works on.
    pub(crate) fn calls(&self) -> usize {
        self.members.iter().filter(|member| matches!(member, Member::Working(_))).count()
    }

    /// Whether all that it still works on is cancelled.
    pub(crate) fn is_cancelled(&self) -> bool {
        self.members.iter().all(|member| match member {
            Member::Working(exchange) => exchange.is_cancelled(),
            Member::Answered(_) | Member::Silent => true,
        })
    }

    fn list(&self) -> Option<Bytes> {
        let mut list = Writer::new(256);
        list.raw("[");
        let mut empty = true;
        for member in &self.members {
            if let Member::Answered(reply) = member {
                list.comma();
                list.ready(reply);
                empty = false;
            }
        }
        list.raw("]");
        (!empty).then(|| list.finish())
    }
}

impl Future for Batch {
    type Output = Option<Bytes>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Bytes>> {
        let mut waits = false;
        for member in &mut self.members {
            if let Member::Working(exchange) = member {
                match Pin::new(exchange).poll(cx) {
                    Poll::Ready(Some(reply)) => *member = Member::Answered(reply),
                    Poll::Ready(None) => *member = Member::Silent,
                    Poll::Pending => waits = true,
                }
            }
        }
        if waits { Poll::Pending } else { Poll::Ready(self.list()) }
    }
}

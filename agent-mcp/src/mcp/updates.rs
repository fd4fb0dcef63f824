//! Subscriptions to resources: what is read there is compared with what was read before.
//!
//! There is no task for each subscription. When the transport says that something may have changed, all that a
//! connection is subscribed to is read once, for its caller and by the rules of any read; whoever knows
//! another value is told (RES-10, SUB-3).

use std::{
    collections::HashMap,
    future::Future,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
};

use bytes::Bytes;

use super::{
    envelope,
    error::RpcError,
    exchange::{Answer, Exchange, Outbox, Received},
    handler::Handler,
    reply::Reply,
    request::Request,
    resources,
    state::{Shared, State},
    writer::Writer,
};
use crate::runtime::{Invocation, Peeked, Principal};

/// One subscription.
#[derive(Clone, Debug)]
pub(crate) struct Watched {
    pub(crate) uri: Arc<str>,
    seen: Seen,
}

/// What a subscriber knows of a resource.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Seen {
    /// It is being read for the first time.
    Nothing,
    /// Nobody knows any more: it is told at the next look.
    Forgotten,
    /// The digest of what was read last.
    Read(u64),
}

impl Watched {
    fn new(uri: Arc<str>) -> Self {
        Self { uri, seen: Seen::Nothing }
    }

    /// A subscription that was made elsewhere.
    pub(crate) fn forgotten(uri: Arc<str>) -> Self {
        Self { uri, seen: Seen::Forgotten }
    }

    /// Takes over what is read now, and says whether that is new.
    fn sees(&mut self, digest: u64) -> bool {
        let before = std::mem::replace(&mut self.seen, Seen::Read(digest));
        before != self.seen && before != Seen::Nothing
    }
}

/// Whether a look at the subscriptions is on its way.
#[derive(Default)]
pub(crate) struct Looking {
    runs: bool,
    again: bool,
}

/// Reads what a connection is subscribed to, and tells of what has changed. It is to be driven to its end;
/// nothing is told when it is dropped before.
#[must_use = "nothing is told unless it is driven"]
pub struct Updates(Pin<Box<dyn Future<Output = ()> + Send>>);

impl Future for Updates {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        self.0.as_mut().poll(cx)
    }
}

/// Looks at the subscriptions of a connection, unless somebody does: then once more after that.
pub(crate) fn look<P: Principal>(
    handler: &Handler<P>,
    principal: &Arc<P>,
    shared: &Shared,
    outbox: &Arc<dyn Outbox>,
) -> Option<Updates> {
    let mut state = shared.lock();
    if !state.is_subscribed() {
        return None;
    }
    if std::mem::replace(&mut state.looking.runs, true) {
        state.looking.again = true;
        return None;
    }
    drop(state);
    let (handler, principal, outbox) = (handler.clone(), principal.clone(), outbox.clone());
    let shared = shared.clone();
    let mut end = End(Some(shared.clone()));
    Some(Updates(Box::pin(async move {
        loop {
            let uris = shared.lock().subscribed();
            let reads = uris.into_iter().map(|uri| {
                let reading = handler.runtime().peek(&uri, principal.clone());
                async move { (uri, reading.await) }
            });
            each(reads, |(uri, reading)| {
                if let Peeked::Digest(digest) = reading {
                    shared.lock().sees(&uri, digest, &*outbox);
                }
            })
            .await;
            // Under one lock: a change that comes now is either looked at here or begins a look of its own.
            if shared.lock().looking.ends() {
                end.0.take();
                return;
            }
        }
    })))
}

impl Looking {
    /// Ends a look, unless it is to be done once more.
    fn ends(&mut self) -> bool {
        self.runs = std::mem::take(&mut self.again);
        !self.runs
    }
}

/// The end of a look that is dropped on its way.
struct End(Option<Shared>);

impl Drop for End {
    fn drop(&mut self) {
        if let Some(shared) = &self.0 {
            shared.lock().looking = Looking::default();
        }
    }
}

/// Drives all at once and hands on what each comes to.
async fn each<F: Future>(futures: impl Iterator<Item = F>, mut done: impl FnMut(F::Output)) {
    let mut running: Vec<_> = futures.map(Box::pin).collect();
    std::future::poll_fn(|cx| {
        running.retain_mut(|future| match future.as_mut().poll(cx) {
            Poll::Ready(output) => {
                done(output);
                false
            }
            Poll::Pending => true,
        });
        if running.is_empty() { Poll::Ready(()) } else { Poll::Pending }
    })
    .await;
}

/// Reads for the first time what is to be subscribed to. What cannot be read is not among what this gives.
pub(crate) async fn first<P: Principal>(
    handler: &Handler<P>,
    principal: &Arc<P>,
    shared: &Shared,
    uris: Vec<Arc<str>>,
) -> Vec<Watched> {
    /// A state that does not rest is not waited for.
    const ROUNDS: usize = 4;
    let mut seen = HashMap::new();
    for round in 1..=ROUNDS {
        let before = shared.lock().changes;
        let reads = uris.iter().map(|uri| {
            let reading = handler.runtime().peek(uri, principal.clone());
            async move { (uri.clone(), reading.await) }
        });
        seen.clear();
        each(reads, |(uri, reading)| {
            if let Peeked::Digest(digest) = reading {
                seen.insert(uri, Seen::Read(digest));
            }
        })
        .await;
        if shared.lock().changes == before {
            break;
        }
        if round == ROUNDS {
            seen.values_mut().for_each(|seen| *seen = Seen::Forgotten);
        }
    }
    let watched = uris.into_iter().filter_map(|uri| Some(Watched { seen: *seen.get(&uri)?, uri }));
    watched.collect()
}

/// `resources/subscribe` (legacy): from now on the session is told of changes.
pub(crate) fn subscribe<P: Principal>(
    request: &Request<'_, P>,
    mut state: std::sync::MutexGuard<'_, State>,
) -> Result<Received, RpcError> {
    let uri: Arc<str> = uri(request)?.into();
    let limit = request.handler.options().subscriptions;
    let Some(session) = &mut state.session else {
        return Ok(request.reply(0).end().into());
    };
    if session.subscriptions.iter().all(|it| it.uri != uri) {
        if session.subscriptions.len() >= limit {
            return Err(too_many(limit));
        }
        session.subscriptions.push(Watched::new(uri.clone()));
        session.changed = true;
    }
    let flight = request.shared.take_off(&mut state, request.id);
    drop(state);
    let notices = request.caller_side();
    let invocation = Invocation::on("mcp")
        .with_request(flight.id.clone(), None)
        .with_cancellation(&flight.cancellation)
        .with_port(notices.clone(), request.terms.client.clone());
    let (handler, principal) = (request.handler.clone(), request.principal.clone());
    let (shared, revision) = (request.shared.clone(), request.terms.revision);
    // Whoever subscribes reads: the same rules, and an entry in the audit.
    let reading = handler.runtime().read(&uri, invocation, principal.clone());
    Ok(Received::Call(Exchange::new(flight.answer(), request.bytes.len(), async move {
        let outcome = reading.await;
        notices.close();
        let first = match outcome.is_ok() {
            true => first(&handler, &principal, &shared, vec![uri.clone()]).await.pop(),
            false => None,
        };
        shared.lock().settle(&uri, first.as_ref());
        let id = flight.id.clone();
        flight.land().then(|| match first {
            Some(_) => Answer::from(Reply::new(&id, handler.face(revision), 0).end()),
            None => Answer {
                reply: resources::refusal(revision, &uri, &outcome).reply(Some(&id)),
                needs: super::scopes::needed(&outcome, &id),
                lacking: false,
            },
        })
    })))
}

/// `resources/unsubscribe` (legacy).
pub(crate) fn unsubscribe<P: Principal>(
    request: &Request<'_, P>,
    mut state: std::sync::MutexGuard<'_, State>,
) -> Result<Received, RpcError> {
    let uri = uri(request)?;
    if let Some(session) = &mut state.session {
        session.subscriptions.retain(|it| *it.uri != *uri);
        session.changed = true;
    }
    Ok(request.reply(0).end().into())
}

fn uri<'a, P: Principal>(request: &Request<'a, P>) -> Result<std::borrow::Cow<'a, str>, RpcError> {
    let uri = request.params.uri.and_then(envelope::text);
    uri.ok_or_else(|| RpcError::invalid_params("`uri` must be a string"))
}

pub(crate) fn too_many(limit: usize) -> RpcError {
    RpcError::invalid_request(format!(
        "More than {limit} subscriptions, which is the limit `subscriptions`"
    ))
}

impl State {
    /// Whether there is anything to look at.
    pub(crate) fn is_subscribed(&self) -> bool {
        let session = self.session.iter().flat_map(|session| &session.subscriptions);
        session.chain(self.watched()).next().is_some()
    }

    /// Everything that is subscribed to, each once.
    fn subscribed(&self) -> Vec<Arc<str>> {
        let session = self.session.iter().flat_map(|session| &session.subscriptions);
        let mut uris: Vec<_> = session.chain(self.watched()).map(|it| it.uri.clone()).collect();
        uris.sort_unstable();
        uris.dedup();
        uris
    }

    /// Tells all who know another value of what is read at `uri`.
    fn sees(&mut self, uri: &str, digest: u64, outbox: &dyn Outbox) {
        if let Some(session) = &mut self.session
            // What cannot be heard is told later.
            && outbox.is_heard()
        {
            let mut own = session.subscriptions.iter_mut().filter(|it| *it.uri == *uri);
            if own.any(|it| it.sees(digest)) {
                outbox.send(updated(uri));
            }
        }
        for stream in self.streams_mut() {
            stream.sees(uri, |watched| watched.sees(digest));
        }
    }

    /// A first read has come to its end: a subscription begins, or is none.
    fn settle(&mut self, uri: &str, first: Option<&Watched>) {
        let Some(session) = &mut self.session else { return };
        let place = session.subscriptions.iter().position(|it| *it.uri == *uri);
        let Some(place) = place.filter(|place| session.subscriptions[*place].seen == Seen::Nothing)
        else {
            return;
        };
        match first {
            Some(first) => session.subscriptions[place].seen = first.seen,
            None => {
                session.subscriptions.remove(place);
                session.changed = true;
            }
        }
    }
}

fn updated(uri: &str) -> Bytes {
    let mut notice = Writer::notification(UPDATED);
    notice.key("uri").text(uri);
    notice.end()
}

pub(crate) const UPDATED: &str = "notifications/resources/updated";

//! Streams of notices: `subscriptions/listen` (modern).

use std::{
    collections::HashSet,
    sync::{Arc, MutexGuard},
};

use super::{
    envelope,
    error::RpcError,
    exchange::{Exchange, Outbox, Received},
    handler::Handler,
    offered::{self, Listed, Offered},
    reply::Reply,
    request::Request,
    state::{Flight, Shared, State},
    updates::{self, UPDATED, Watched},
    writer::Writer,
};
use crate::runtime::Principal;

const UNREADABLE: &str = r#"`notifications` must be an object, such as {"toolsListChanged":true,"resourceSubscriptions":["app://a"]}"#;
const SUBSCRIPTION_ID: &str = "io.modelcontextprotocol/subscriptionId";

/// A stream that was opened by one request.
pub(crate) struct Stream {
    /// SUB-2: the id of that request, as it came.
    id: Arc<str>,
    notices: Arc<dyn Outbox>,
    /// The lists whose changes it is told of.
    lists: Vec<Listed>,
    /// What of them this stream knows to be on offer.
    told: Offered,
    /// What it is subscribed to; `None` where it did not ask.
    watched: Option<Vec<Watched>>,
}

/// What a client asks to be told of; what is not served is not read (SUB-1).
#[derive(Default, serde::Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Filter {
    tools_list_changed: Option<bool>,
    resources_list_changed: Option<bool>,
    resource_subscriptions: Option<Vec<String>>,
}

impl Filter {
    fn wants(&self, list: Listed) -> bool {
        let flag = match list {
            Listed::Tools => self.tools_list_changed,
            Listed::Resources => self.resources_list_changed,
        };
        flag == Some(true)
    }
}

impl Stream {
    /// SUB-1: what is honoured, before anything else.
    pub(crate) fn acknowledge(&self) {
        self.send("notifications/subscriptions/acknowledged", |notice| {
            let member = notice.key("notifications").open('{');
            for list in &self.lists {
                member.key(list.flag()).raw("true");
            }
            if let Some(watched) = &self.watched {
                let uris: Vec<_> = watched.iter().map(|it| &*it.uri).collect();
                member.key("resourceSubscriptions").value(&uris);
            }
            member.close('}');
        });
    }

    /// Tells of the lists whose entries are not those that this stream knows (SUB-3, B129).
    pub(crate) fn tell(&mut self, offered: &Offered) {
        for list in self.told.catch_up(offered) {
            self.send(list.changed(), |_| {});
        }
    }

    pub(crate) fn watched(&self) -> &[Watched] {
        self.watched.as_deref().unwrap_or_default()
    }

    /// Tells that what is read at `uri` has changed, where the stream is subscribed to it and knows something
    /// else.
    pub(crate) fn sees(&mut self, uri: &str, sees: impl Fn(&mut Watched) -> bool) {
        let watched = self.watched.iter_mut().flatten().find(|it| *it.uri == *uri);
        if watched.is_some_and(sees) {
            self.send(UPDATED, |notice| {
                notice.key("uri").text(uri);
            });
        }
    }

    fn send(&self, method: &str, write: impl FnOnce(&mut Writer)) {
        let mut notice = Writer::notification(method);
        notice.key("_meta").raw("{");
        notice.key(SUBSCRIPTION_ID).json(&self.id);
        notice.raw("}");
        write(&mut notice);
        self.notices.send(notice.end());
    }
}

/// Opens a stream. Its request is answered when the server ends it (SUB-7), not when the client does.
pub(crate) fn listen<P: Principal>(
    request: &Request<'_, P>,
    mut state: MutexGuard<'_, State>,
) -> Result<Received, RpcError> {
    let (handler, revision) = (request.handler.clone(), request.terms.revision);
    let filter = envelope::given(request.params.notifications)
        .and_then(|raw| serde_json::from_str::<Filter>(raw.get()).ok())
        .ok_or_else(|| RpcError::invalid_params(UNREADABLE))?;
    let limit = handler.options().streams;
    if state.streams() >= limit {
        return Err(RpcError::invalid_request(format!(
            "{limit} streams are open already, which is the limit `streams`"
        )));
    }
    let offers = handler.offers();
    let honours = |list: &Listed| filter.wants(*list) && offers.changes(*list, revision);
    let lists = Listed::ALL.into_iter().filter(honours).collect();
    let uris = filter.resource_subscriptions.filter(|_| offers.updates(revision));
    let uris = uris.map(|uris| distinct(uris, handler.options().subscriptions)).transpose()?;

    let flight = request.shared.take_off(&mut state, request.id);
    state.opens(&flight);
    let opening = Opening {
        handler: handler.clone(),
        principal: request.principal.clone(),
        shared: request.shared.clone(),
        stream: Stream {
            id: flight.id.clone(),
            notices: request.notices.clone(),
            lists,
            told: Offered::default(),
            watched: None,
        },
    };
    // Without anything to read it is open at once.
    let opening = match uris {
        Some(uris) => Some((opening, uris)),
        None => {
            opening.open(state, &flight);
            None
        }
    };
    Ok(Received::Call(Exchange::stream(flight.answer(), request.bytes.len(), async move {
        if let Some((mut opening, uris)) = opening {
            let Opening { handler, principal, shared, stream } = &mut opening;
            tokio::select! {
                biased;
                () = flight.cancellation.cancelled() => {}
                watched = updates::first(handler, principal, shared, uris) => {
                    stream.watched = Some(watched);
                    let shared = shared.clone();
                    opening.open(shared.lock(), &flight);
                }
            }
        }
        flight.cancellation.cancelled().await;
        let id = flight.id.clone();
        flight.land().then(|| {
            let mut reply = Reply::new(&id, handler.face(revision), 0);
            reply.meta(SUBSCRIPTION_ID).json(&id);
            reply.end()
        })
    })))
}

/// A stream that is not open yet.
struct Opening<P: Principal> {
    handler: Handler<P>,
    principal: Arc<P>,
    shared: Shared,
    stream: Stream,
}

impl<P: Principal> Opening<P> {
    fn open(self, state: MutexGuard<'_, State>, flight: &Flight) {
        let Self { handler, principal, shared, mut stream } = self;
        if stream.lists.is_empty() {
            let mut state = state;
            return state.open(flight, stream);
        }
        offered::record(&handler, &*principal, &shared, state, |state, offered| {
            for list in &stream.lists {
                stream.told.note(*list, offered);
            }
            state.open(flight, stream);
        });
    }
}

/// The addresses, each once.
fn distinct(uris: Vec<String>, limit: usize) -> Result<Vec<Arc<str>>, RpcError> {
    let mut seen = HashSet::new();
    let uris: Vec<Arc<str>> = uris
        .into_iter()
        .map(Into::into)
        .filter(|uri: &Arc<str>| seen.insert(uri.clone()))
        .collect();
    if uris.len() > limit { Err(updates::too_many(limit)) } else { Ok(uris) }
}

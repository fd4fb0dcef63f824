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
    tasks::{self, Watching},
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
    /// The tasks that it is told of; `None` where it did not ask.
    tasks: Option<Vec<Arc<str>>>,
}

/// What a client asks to be told of; what is not served is not read (SUB-1).
#[derive(Default, serde::Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Filter {
    tools_list_changed: Option<bool>,
    resources_list_changed: Option<bool>,
    prompts_list_changed: Option<bool>,
    resource_subscriptions: Option<Vec<String>>,
    task_ids: Option<Vec<String>>,
}

impl Filter {
    fn wants(&self, list: Listed) -> bool {
        let flag = match list {
            Listed::Tools => self.tools_list_changed,
            Listed::Resources => self.resources_list_changed,
            Listed::Prompts => self.prompts_list_changed,
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
            if let Some(tasks) = &self.tasks {
                member.key("taskIds").value(tasks);
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
        send(&*self.notices, &self.id, method, write);
    }
}

/// Tells the stream of the request `id` something.
fn send(notices: &dyn Outbox, id: &str, method: &str, write: impl FnOnce(&mut Writer)) {
    let mut notice = Writer::notification(method);
    notice.key("_meta").raw("{");
    notice.key(SUBSCRIPTION_ID).json(id);
    notice.raw("}");
    write(&mut notice);
    notices.send(notice.end());
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
    let ids = filter.task_ids.filter(|_| offers.tasks);
    // SUB-10
    if ids.is_some() && !tasks::are_kept_by(&request.terms.client) {
        return Err(tasks::needed());
    }
    let ids = ids.map(|ids| distinct(ids, handler.options().subscriptions)).transpose()?;

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
            tasks: None,
        },
    };
    let (notices, id) = (request.notices.clone(), flight.id.clone());
    // Without anything to read it is open at once.
    let opening = if uris.is_some() || ids.is_some() {
        Some((opening, uris, ids))
    } else {
        opening.open(state, &flight);
        None
    };
    Ok(Received::Call(Exchange::stream(flight.answer(), request.bytes.len(), async move {
        tokio::select! {
            biased;
            () = flight.cancellation.cancelled() => {}
            () = Box::pin(go_on(opening, &flight, &*notices)) => {}
        }
        flight.land().then(|| {
            let mut reply = Reply::new(&id, handler.face(revision), 0);
            reply.meta(SUBSCRIPTION_ID).json(&id);
            reply.end()
        })
    })))
}

/// Opens a stream that has something to look at first, and tells of what has no other way to be told.
async fn go_on<P: Principal>(
    opening: Option<(Opening<P>, Option<Vec<Arc<str>>>, Option<Vec<Arc<str>>>)>,
    flight: &Flight,
    notices: &dyn Outbox,
) {
    let Some((mut opening, uris, ids)) = opening else { return std::future::pending().await };
    let Opening { handler, principal, shared, stream } = &mut opening;
    if let Some(uris) = uris {
        stream.watched = Some(updates::first(handler, principal, shared, uris).await);
    }
    let watching = match ids {
        Some(ids) => Some(Watching::new(handler.tasks().clone(), principal.id(), ids).await),
        None => None,
    };
    stream.tasks = watching.as_ref().map(|watching| watching.ids.clone());
    let shared = shared.clone();
    opening.open(shared.lock(), flight);
    let Some(mut watching) = watching else { return std::future::pending().await };
    loop {
        let (id, task) = watching.next().await;
        send(notices, &flight.id, "notifications/tasks", |notice| tasks::told(notice, &id, &task));
    }
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

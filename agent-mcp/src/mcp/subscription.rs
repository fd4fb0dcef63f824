//! Streams of notices: `subscriptions/listen` (modern).

use std::sync::{Arc, MutexGuard};

use super::{
    envelope,
    error::RpcError,
    exchange::{Exchange, Outbox, Received},
    reply::Reply,
    request::Request,
    state::State,
    writer::Writer,
};
use crate::runtime::Principal;

const UNREADABLE: &str =
    r#"`notifications` must be an object of flags, such as {"toolsListChanged":true}"#;
const SUBSCRIPTION_ID: &str = "io.modelcontextprotocol/subscriptionId";

/// A stream that was opened by one request.
pub(crate) struct Stream {
    /// SUB-2: the id of that request, as it came.
    id: Arc<str>,
    notices: Arc<dyn Outbox>,
    filter: Filter,
    /// What this stream knows to be on offer.
    told: Arc<[bool]>,
}

/// What a client asks to be told of; what is not served is not read (SUB-1).
#[derive(Clone, Copy, Default, serde::Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Filter {
    tools_list_changed: Option<bool>,
}

impl Filter {
    fn wants_tools(self) -> bool {
        self.tools_list_changed == Some(true)
    }
}

impl Stream {
    /// SUB-1: what is honoured, before anything else.
    pub(crate) fn acknowledge(&self) {
        self.send("notifications/subscriptions/acknowledged", |notice| {
            notice.key("notifications").raw("{");
            if self.filter.wants_tools() {
                notice.key("toolsListChanged").raw("true");
            }
            notice.raw("}");
        });
    }

    /// Tells of the tools, if what is on offer is not what this stream knows (SUB-3, B129).
    pub(crate) fn tell(&mut self, offered: &Arc<[bool]>) {
        if self.filter.wants_tools() && self.told != *offered {
            self.told = offered.clone();
            self.send("notifications/tools/list_changed", |_| {});
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
    let filter = envelope::given(request.params.notifications)
        .and_then(|raw| serde_json::from_str::<Filter>(raw.get()).ok())
        .ok_or_else(|| RpcError::invalid_params(UNREADABLE))?;
    let limit = request.handler.options().streams;
    if state.streams() >= limit {
        return Err(RpcError::invalid_request(format!(
            "{limit} streams are open already, which is the limit `streams`"
        )));
    }
    let flight = request.shared.take_off(&mut state, request.id);
    request.offered(state, |state, offered| {
        let (id, notices) = (flight.id.clone(), request.notices.clone());
        state.open(&flight, Stream { id, notices, filter, told: offered.clone() });
    });

    let (handler, revision) = (request.handler.clone(), request.terms.revision);
    Ok(Received::Call(Exchange::stream(flight.answer(), request.bytes.len(), async move {
        flight.cancellation.cancelled().await;
        let id = flight.id.clone();
        flight.land().then(|| {
            let mut reply = Reply::new(&id, handler.face(revision), 0);
            reply.meta(SUBSCRIPTION_ID).json(&id);
            reply.end()
        })
    })))
}

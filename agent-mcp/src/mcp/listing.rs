//! Lists: tools, resources, templates.

use std::sync::MutexGuard;

use super::{
    envelope,
    error::RpcError,
    exchange::Received,
    list::List,
    offered::{self, Listed},
    reply::Cache,
    request::Request,
    state::State,
    views,
};
use crate::runtime::Principal;

/// `tools/list`.
pub(crate) fn tools<P: Principal>(
    request: &Request<'_, P>,
    state: MutexGuard<'_, State>,
) -> Result<Received, RpcError> {
    let face = request.face();
    let shows_views = face.has_views() && views::are_shown_by(&request.terms.client);
    // CAC-4: what one client may see of views is not for another one.
    existing(request, state, Listed::Tools, (face.tools(shows_views), !face.has_views()))
}

/// `resources/list` and `resources/templates/list`.
pub(crate) fn resources<P: Principal>(
    request: &Request<'_, P>,
    state: MutexGuard<'_, State>,
    list: &List,
) -> Result<Received, RpcError> {
    existing(request, state, Listed::Resources, (list, true))
}

/// `prompts/list`.
pub(crate) fn prompts<P: Principal>(
    request: &Request<'_, P>,
    state: MutexGuard<'_, State>,
) -> Result<Received, RpcError> {
    existing(request, state, Listed::Prompts, (&request.face().prompts, true))
}

/// What of a list exists for this caller now (B116); whether all callers may share it, too.
fn existing<P: Principal>(
    request: &Request<'_, P>,
    state: MutexGuard<'_, State>,
    listed: Listed,
    (list, shared_by_all): (&List, bool),
) -> Result<Received, RpcError> {
    let Request { handler, principal, shared, .. } = request;
    if !handler.is_conditional(listed) {
        drop(state);
        let cache = Cache { ttl_ms: handler.list_ttl_ms(), public: shared_by_all };
        return page(request, list, None, cache);
    }
    let revision = request.terms.revision;
    let told_by_session = handler.offers().changes(listed, revision) && !revision.is_modern();
    let offered = offered::record(handler, principal, shared, state, |state, offered| {
        // B130: what the client has fetched is not announced to it.
        if let Some(session) = state.session.as_mut().filter(|_| told_by_session) {
            session.told.note(listed, offered);
        }
    });
    let public = shared_by_all && !handler.runtime().availability_depends_on_principal();
    let bits = offered.as_ref().and_then(|offered| offered.of(listed)).map(|bits| &**bits);
    page(request, list, bits, Cache { ttl_ms: 0, public })
}

/// A list that is the same for everybody, always.
#[cfg(feature = "skills")]
pub(crate) fn fixed<P: Principal>(
    request: &Request<'_, P>,
    list: &List,
) -> Result<Received, RpcError> {
    page(request, list, None, Cache { ttl_ms: request.handler.list_ttl_ms(), public: true })
}

fn page<P: Principal>(
    request: &Request<'_, P>,
    list: &List,
    offered: Option<&[bool]>,
    cache: Cache,
) -> Result<Received, RpcError> {
    let cursor = match envelope::given(request.params.cursor) {
        None => None,
        Some(raw) => Some(
            envelope::text(raw)
                .ok_or_else(|| RpcError::invalid_params("`cursor` must be a string"))?,
        ),
    };
    let size = request.handler.runtime().limits().page;
    let page = list.page(offered, cursor.as_deref(), size)?;
    let mut reply = request.reply(page.entries.len());
    reply.key(list.member).ready(&page.entries);
    if let Some(next) = page.next {
        reply.key("nextCursor").text(&next);
    }
    reply.cache(cache);
    Ok(reply.end().into())
}

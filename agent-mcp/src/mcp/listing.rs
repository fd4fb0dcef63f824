//! Lists: tools, resources, templates.

use std::sync::MutexGuard;

use super::{
    envelope, error::RpcError, exchange::Received, list::List, reply::Cache, request::Request,
    state::State, views,
};
use crate::runtime::Principal;

/// `tools/list`: what exists for this caller now (B116).
pub(crate) fn tools<P: Principal>(
    request: &Request<'_, P>,
    state: MutexGuard<'_, State>,
) -> Result<Received, RpcError> {
    let told_by_session =
        request.handler.offers().tool_changes && !request.terms.revision.is_modern();
    let offered = request.offered(state, |state, offered| {
        // B130: what the client has fetched is not announced to it.
        if let Some(session) = state.session.as_mut().filter(|_| told_by_session) {
            session.told = Some(offered.clone());
        }
    });
    let face = request.face();
    let shows_views = face.has_views() && views::are_shown_by(&request.terms.client);
    // CAC-4: what one client may see of views is not for another one.
    let cache = match offered {
        None => Cache { ttl_ms: request.handler.list_ttl_ms(), public: !face.has_views() },
        Some(_) => {
            let depends = request.handler.runtime().availability_depends_on_principal();
            Cache { ttl_ms: 0, public: !depends && !face.has_views() }
        }
    };
    page(request, face.tools(shows_views), offered.as_deref(), cache)
}

/// A list that is the same for everybody, always.
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

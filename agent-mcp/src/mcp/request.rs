//! A request whose terms are known, on its way to the method that answers it.

use std::sync::{Arc, MutexGuard};

use bytes::Bytes;

use super::{
    completion,
    envelope::Params,
    error::RpcError,
    exchange::{Outbox, Received},
    face::Face,
    handler::Handler,
    id::Id,
    listing,
    method::Method,
    notices::Notices,
    prompts,
    reply::Reply,
    resources,
    state::{Shared, State},
    subscription, tasks,
    terms::{self, Terms},
    tools, updates,
};
use crate::runtime::Principal;

/// A request whose terms are known.
pub(crate) struct Request<'a, P: Principal> {
    pub(crate) handler: &'a Handler<P>,
    pub(crate) shared: &'a Shared,
    pub(crate) id: Id<'a>,
    pub(crate) params: &'a Params<'a>,
    pub(crate) terms: Terms,
    pub(crate) bytes: &'a Bytes,
    pub(crate) principal: &'a Arc<P>,
    pub(crate) notices: &'a Arc<dyn Outbox>,
    /// Whether a call that was cancelled is answered all the same: its channel waits for it alone.
    pub(crate) own_channel: bool,
}

impl<P: Principal> Request<'_, P> {
    pub(crate) fn dispatch(
        self,
        method: Method,
        mut state: MutexGuard<'_, State>,
    ) -> Result<Received, RpcError> {
        match method {
            Method::Ping => Ok(self.reply(0).end().into()),
            Method::SetLogLevel => {
                let level = self.params.level.map_or_else(
                    || Err(RpcError::invalid_params("`level` is missing")),
                    terms::level,
                )?;
                if let Some(session) = &mut state.session {
                    session.threshold.set(level);
                    session.changed = true;
                }
                Ok(self.reply(0).end().into())
            }
            Method::Discover => Ok(self
                .face()
                .discovery(self.id.raw(), self.handler.offered(), self.handler.list_ttl_ms())
                .into()),
            Method::Listen => subscription::listen(&self, state),
            Method::ListTools => listing::tools(&self, state),
            Method::ListResources => listing::resources(&self, state, &self.face().resources),
            Method::ListTemplates => listing::resources(&self, state, &self.face().templates),
            Method::Subscribe => updates::subscribe(&self, state),
            Method::Unsubscribe => updates::unsubscribe(&self, state),
            Method::CallTool => {
                let flight = self.shared.take_off(&mut state, self.id);
                drop(state);
                let runtime = self.handler.runtime();
                runtime.admit(self.principal).map_err(RpcError::too_often)?;
                tools::call(&self, flight)
            }
            Method::ListPrompts => listing::prompts(&self, state),
            Method::GetPrompt => {
                let flight = self.shared.take_off(&mut state, self.id);
                drop(state);
                prompts::get(&self, flight)
            }
            Method::Complete => {
                let flight = self.shared.take_off(&mut state, self.id);
                drop(state);
                completion::complete(&self, flight)
            }
            Method::Task(verb) => {
                let flight = self.shared.take_off(&mut state, self.id);
                drop(state);
                tasks::touch(&self, verb, flight)
            }
            #[cfg(feature = "skills")]
            Method::Skills(verb) => super::skills::serve(&self, verb),
            Method::ReadResource => {
                #[cfg(feature = "skills")]
                if let Some(file) = super::skills::file(&self) {
                    return Ok(file);
                }
                let flight = self.shared.take_off(&mut state, self.id);
                drop(state);
                resources::read(&self, flight)
            }
        }
    }

    /// How the server shows itself to this request.
    pub(crate) fn face(&self) -> &Face {
        self.handler.face(self.terms.revision)
    }

    /// Begins the result.
    pub(crate) fn reply(&self, capacity: usize) -> Reply<'_> {
        Reply::new(self.id.raw(), self.face(), capacity)
    }

    /// The caller's side of a call.
    pub(crate) fn caller_side(&self) -> Arc<Notices> {
        Arc::new(Notices::new(
            self.notices.clone(),
            self.params.meta().and_then(|meta| meta.progress_token),
            self.terms.revision,
            self.terms.wanted.clone(),
        ))
    }
}

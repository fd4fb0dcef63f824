//! What a running method asks of its caller, in both eras: the runs of one request, from the first to the one
//! that has all answers.

mod live;
mod question;
mod seal;
mod used;

use std::{collections::BTreeMap, future::Future, sync::Arc};

use bytes::Bytes;
use serde_json::Value;
use tokio_util::sync::CancellationToken;

use self::{live::Open, seal::Bound};
pub(crate) use self::{
    live::read,
    question::request,
    seal::{Seal, StateKeys},
    used::{Used, UsedHere},
};
use super::{
    envelope::{self, Params},
    error::RpcError,
    exchange::{self, Outbox},
    handler::Handler,
    notices::Notices,
    reply::Reply,
    request::Request,
    revision::Revision,
    scopes,
    state::{Flight, Shared},
};
use crate::contract::MetaMap;
use crate::runtime::{
    Answer, Asks, Client, Dialogue, Invocation, InvocationId, Located, Means, Outcome, Principal,
    Refusal,
};

/// What an operation is about; a state that a client carries is for that alone (MR-5).
pub(crate) struct About {
    pub(crate) method: &'static str,
    /// The name, or the address.
    pub(crate) name: String,
    pub(crate) arguments: Bytes,
    /// Whether it must not be done twice, so that a state is accepted once (MR-6).
    pub(crate) once: bool,
}

/// The runs of one request.
pub(crate) struct Runs<P: Principal> {
    pub(crate) handler: Handler<P>,
    pub(crate) principal: Arc<P>,
    revision: Revision,
    pub(crate) client: Arc<Client>,
    pub(crate) notices: Arc<Notices>,
    id: Arc<str>,
    cancellation: CancellationToken,
    shared: Shared,
    outbox: Arc<dyn Outbox>,
    about: About,
    /// What the request says beside what the protocol knows.
    meta: Option<Arc<MetaMap>>,
    given: Option<Given>,
}

/// What the caller says that it was asked (modern).
struct Given {
    responses: BTreeMap<String, Value>,
    state: Option<String>,
}

impl Given {
    fn of(params: &Params<'_>) -> Result<Option<Self>, RpcError> {
        let responses = envelope::given(params.input_responses).map(|raw| {
            serde_json::from_str(raw.get())
                .map_err(|_| RpcError::invalid_params("`inputResponses` must be an object"))
        });
        let state = envelope::given(params.request_state).map(|raw| {
            let text = envelope::text(raw).map(std::borrow::Cow::into_owned);
            text.ok_or_else(|| RpcError::invalid_params("`requestState` must be a string"))
        });
        if responses.is_none() && state.is_none() {
            return Ok(None);
        }
        let responses = responses.transpose()?.unwrap_or_default();
        Ok(Some(Self { responses, state: state.transpose()? }))
    }
}

impl<P: Principal> Runs<P> {
    /// The runs of a request that is in flight.
    pub(crate) fn of(
        request: &Request<'_, P>,
        flight: &Flight,
        about: About,
    ) -> Result<Self, RpcError> {
        let revision = request.terms.revision;
        let given = if revision.is_modern() { Given::of(request.params)? } else { None };
        Ok(Self {
            handler: request.handler.clone(),
            principal: request.principal.clone(),
            revision,
            client: request.terms.client.clone(),
            notices: request.caller_side(),
            id: flight.id.clone(),
            cancellation: flight.cancellation.clone(),
            shared: request.shared.clone(),
            outbox: request.notices.clone(),
            about,
            meta: request.params.meta().and_then(envelope::Meta::others).map(Arc::new),
            given,
        })
    }

    /// By which means the caller can be asked.
    fn means(&self) -> Means {
        if self.revision.is_modern() || self.outbox.carries_requests() {
            question::means(self.revision, &self.client)
        } else {
            Means::default()
        }
    }

    /// One more run, with an id of its own (B45).
    pub(crate) fn invocation(&self) -> Invocation {
        let invocation = Invocation::on("mcp")
            .with_request(self.id.clone(), None)
            .with_cancellation(&self.cancellation)
            .with_port(self.notices.clone(), self.client.clone())
            .with_means(self.means());
        match &self.meta {
            Some(meta) => invocation.with_meta(meta.clone()),
            None => invocation,
        }
    }

    /// Runs it until it comes to something else than questions (legacy), or to the first questions (modern).
    ///
    /// # Errors
    ///
    /// What the caller carries for the server is not what it got.
    pub(crate) async fn run<F, R>(&self, run: F) -> Result<Outcome, RpcError>
    where
        F: Fn(Invocation) -> R,
        R: Future<Output = Outcome>,
    {
        let mut dialogue = match &self.given {
            // Boxed, as below: most calls ask nothing, and what waits should be small.
            Some(given) => Some(Box::pin(self.resume(given)).await?),
            None => None,
        };
        let limit = self.handler.limits().rounds;
        for _ in 0..limit {
            let mut invocation = self.invocation();
            if let Some(dialogue) = dialogue.take() {
                invocation = invocation.with_dialogue(Arc::new(dialogue));
            }
            let outcome = run(invocation).await;
            match outcome {
                Outcome::Asks(asks) if !self.revision.is_modern() => {
                    dialogue = Some(Box::pin(self.put(*asks)).await);
                }
                outcome => return Ok(outcome),
            }
        }
        let capability = self.about.name.clone().into();
        Ok(Outcome::Refused(Refusal::Busy { capability, setting: "rounds" }))
    }

    /// What was asked and answered before the first run.
    pub(crate) async fn dialogue(&self) -> Result<Dialogue, RpcError> {
        match &self.given {
            Some(given) => self.resume(given).await,
            None => Ok(Dialogue::new(self.means())),
        }
    }

    /// Calls the capability that it is about.
    pub(crate) fn call(&self, run: Invocation) -> impl Future<Output = Outcome> + Send + use<P> {
        let About { name, arguments, .. } = &self.about;
        self.handler.runtime().call(name, arguments.clone(), run, self.principal.clone())
    }

    /// Reads the resource that it is about.
    pub(crate) fn read(
        &self,
        located: Option<Located>,
        run: Invocation,
    ) -> impl Future<Output = Outcome> + Send + use<P> {
        let (runtime, principal) = (self.handler.runtime(), self.principal.clone());
        runtime.read_located(&self.about.name, located, run, principal)
    }

    /// Whether the caller has sent answers, or what the server gave it to carry.
    pub(crate) fn has_answers(&self) -> bool {
        self.given.is_some()
    }

    /// Gets the prompt that it is about.
    pub(crate) fn prompt(&self, run: Invocation) -> impl Future<Output = Outcome> + Send + use<P> {
        let About { name, arguments, .. } = &self.about;
        self.handler.runtime().prompt(name, arguments.clone(), run, self.principal.clone())
    }

    /// The name, or the address.
    pub(crate) fn name(&self) -> &str {
        &self.about.name
    }

    /// The answer to what the runs came to; `show` writes what is neither a question nor about the client.
    pub(crate) fn answer(
        &self,
        came: Result<Outcome, RpcError>,
        show: impl Fn(&Outcome) -> Bytes,
    ) -> exchange::Answer {
        let outcome = match came {
            Err(error) => return error.reply(Some(&self.id)).into(),
            Ok(Outcome::Asks(asks)) => match self.input_required(*asks) {
                Ok(reply) => return reply.into(),
                Err(too_long) => too_long,
            },
            Ok(outcome) => outcome,
        };
        if let Some(error) = question::error(self.revision, &outcome) {
            let (lacking, reply) = (error.is_of_the_request(), error.reply(Some(&self.id)));
            return exchange::Answer { reply, lacking, needs: None };
        }
        let needs = scopes::needed(&outcome, &self.id);
        exchange::Answer { reply: show(&outcome), lacking: false, needs }
    }

    async fn resume(&self, given: &Given) -> Result<Dialogue, RpcError> {
        let responses = given.responses.iter();
        let answers = responses.map(|(key, answer)| (key, Answer::Given(answer.clone())));
        let Some(state) = &given.state else {
            // MR-9: who knows the questions may answer them beforehand.
            let dialogue = Dialogue::new(self.means());
            answers.for_each(|(key, answer)| dialogue.answer_beforehand(key, answer));
            return Ok(dialogue);
        };
        let seal = self.handler.seal();
        let opened = seal.open(&self.bound(), state).ok_or_else(|| {
            RpcError::invalid_params(
                "`requestState` is not what this server gave for this request, or is too old; ask again without it",
            )
        })?;
        if self.about.once {
            let claimed = self.handler.used().claim(&opened.nonce, seal.lifetime()).await;
            match claimed {
                Ok(true) => {}
                Ok(false) => {
                    return Err(RpcError::invalid_params(
                        "`requestState` was used before; ask again without it",
                    ));
                }
                Err(error) => {
                    let reference = InvocationId::fresh();
                    tracing::error!(%reference, %error, "it cannot be told whether a state was used");
                    let text = format!("The call cannot be gone on with. Reference: {reference}");
                    return Err(RpcError::new(RpcError::INTERNAL, text));
                }
            }
        }
        let dialogue = Dialogue::resume(self.means(), opened.memory);
        // MR-7: what was not asked means nothing.
        answers.for_each(|(key, answer)| {
            dialogue.answer(key, answer);
        });
        Ok(dialogue)
    }

    fn bound(&self) -> Bound {
        let About { method, name, arguments, .. } = &self.about;
        Bound::new(&self.principal.id(), method, name, arguments)
    }

    /// Puts the questions of a run to the caller and waits for all answers (legacy).
    async fn put(&self, asks: Asks) -> Dialogue {
        let Asks { questions, memory, .. } = asks;
        let dialogue = Dialogue::resume(self.means(), memory);
        let open: Vec<_> = questions
            .iter()
            .map(|(key, question)| {
                let request = request(question, self.revision);
                (key, Open::put(&self.shared, &*self.outbox, &request))
            })
            .collect();
        let until = tokio::time::Instant::now() + self.handler.limits().answer;
        for (key, mut open) in open {
            let answer = tokio::select! {
                biased;
                answer = open.answer() => answer,
                // The next run sees that nobody waits for it.
                () = self.cancellation.cancelled() => continue,
                () = tokio::time::sleep_until(until) => Answer::TimedOut,
            };
            dialogue.answer(key, answer);
        }
        dialogue
    }

    /// The result that asks for more (modern).
    pub(crate) fn input_required(&self, asks: Asks) -> Result<Bytes, Outcome> {
        let Asks { questions, memory, .. } = asks;
        let state = self.handler.seal().close(&self.bound(), memory);
        let limit = self.handler.limits().state;
        if state.len() > limit {
            let text = format!(
                "What `{}` has to remember between two questions takes {} bytes, more than the limit `state` of {limit}.",
                self.about.name,
                state.len()
            );
            return Err(Outcome::Failed { text, delivery: crate::runtime::Delivery::Unknown });
        }
        let mut reply = Reply::new(&self.id, self.handler.face(self.revision), state.len() + 512);
        let requests = reply.key("inputRequests").open('{');
        for (key, question) in &questions {
            let request = request(question, self.revision);
            requests.comma().text(key).raw(":").value(&request);
        }
        requests.close('}');
        reply.key("requestState").text(&state);
        Ok(reply.end_as("input_required"))
    }
}

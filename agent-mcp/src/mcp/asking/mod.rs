//! What a running method asks of its caller, in both eras: the runs of one request, from the first to the one
//! that has all answers.

mod bound;
mod given;
mod live;
mod question;
mod seal;
mod used;

use std::{future::Future, sync::Arc};

use bytes::Bytes;
use tokio_util::sync::CancellationToken;

use self::{
    bound::Bound,
    given::Given,
    live::Open,
    used::{Claimed, Unclaimed},
};
pub(crate) use self::{
    given::responses,
    live::read,
    question::request,
    seal::{Seal, StateKeys},
    used::{Used, UsedHere, UsedStates},
};
use super::{
    envelope,
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
    Answer, Asks, Client, Delivery, Dialogue, Invocation, InvocationId, Located, Means, Outcome,
    Principal, Refusal, too_often,
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

/// Where the runs begin.
pub(crate) struct Resumed {
    pub(crate) dialogue: Arc<Dialogue>,
    /// The state that is used for it, where each may be used once.
    claim: Option<Claimed>,
}

impl<P: Principal> Runs<P> {
    /// The runs of a request that is in flight.
    pub(crate) fn of(
        request: &Request<'_, P>,
        flight: &Flight,
        about: About,
    ) -> Result<Self, RpcError> {
        let revision = request.terms.revision;
        let meta = request.params.meta().map(envelope::Meta::others).transpose()?.flatten();
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
            meta: meta.map(Arc::new),
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
        if let Some(given) = &self.given {
            // Boxed, as below: most calls ask nothing, and what waits should be small.
            return Box::pin(self.go_on(given, run)).await;
        }
        let mut dialogue = None;
        let (limit, mut rounds) = (self.handler.limits().rounds, 0);
        loop {
            let mut invocation = self.invocation();
            if let Some(dialogue) = dialogue.take() {
                invocation = invocation.with_dialogue(Arc::new(dialogue));
            }
            let outcome = run(invocation).await;
            match outcome {
                Outcome::Asks(_) if !self.revision.is_modern() && rounds >= limit => {
                    let text = too_often(&self.about.name, limit);
                    return Ok(Outcome::Failed { text, delivery: Delivery::Unknown });
                }
                Outcome::Asks(asks) if !self.revision.is_modern() => {
                    rounds += 1;
                    dialogue = match Box::pin(self.put(*asks)).await {
                        Ok(answered) => Some(answered),
                        Err(outcome) => return Ok(outcome),
                    };
                }
                outcome => return Ok(outcome),
            }
        }
    }

    /// The run that the answers of the caller lead to (modern).
    async fn go_on<F, R>(&self, given: &Given, run: F) -> Result<Outcome, RpcError>
    where
        F: Fn(Invocation) -> R,
        R: Future<Output = Outcome>,
    {
        let resumed = self.resume(given).await?;
        let outcome = run(self.invocation().with_dialogue(resumed.dialogue.clone())).await;
        self.settle(resumed, &outcome).await;
        Ok(outcome)
    }

    /// What was asked and answered before the first run. It is [settled](Self::settle) with what the run came to.
    pub(crate) async fn resumed(&self) -> Result<Resumed, RpcError> {
        match &self.given {
            Some(given) => self.resume(given).await,
            None => Ok(Resumed { dialogue: Arc::new(Dialogue::new(self.means())), claim: None }),
        }
    }

    /// A state counts as used when the run goes on that it leads to. One that was refused, for its answers or
    /// before its method, may be tried again with the same state.
    pub(crate) async fn settle(&self, resumed: Resumed, outcome: &Outcome) {
        let Resumed { dialogue, claim: Some(claim) } = resumed else { return };
        let is_refused = match outcome {
            // The method ended at a question that it comes to again, unless it has done something that it must
            // not do twice.
            Outcome::Refused(Refusal::BadAnswer { .. } | Refusal::CannotAsk { .. }) => {
                !dialogue.has_done_once()
            }
            Outcome::Refused(_) | Outcome::Defect(_) => outcome.code().dispatched == Delivery::No,
            _ => false,
        };
        if is_refused && let Err(error) = self.handler.used().unclaim(claim).await {
            tracing::warn!(%error, "a state stays used though its call was refused");
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

    async fn resume(&self, given: &Given) -> Result<Resumed, RpcError> {
        let responses = given.responses.iter();
        let answers = responses.map(|(key, answer)| (key, Answer::Given(answer.clone())));
        let Some(state) = &given.state else {
            // MR-9: who knows the questions may answer them beforehand.
            let dialogue = Dialogue::new(self.means());
            answers.for_each(|(key, answer)| dialogue.answer_beforehand(key, answer));
            return Ok(Resumed { dialogue: Arc::new(dialogue), claim: None });
        };
        let opened = self.handler.seal().open(&self.bound(), state).ok_or_else(|| {
            RpcError::invalid_params(
                "`requestState` is not what this server gave for this request, or is too old; ask again without it",
            )
        })?;
        let claim = match self.about.once {
            true => Some(self.claim(opened.nonce).await?),
            false => None,
        };
        let dialogue = Dialogue::resume(self.means(), opened.memory);
        // MR-7: what was not asked means nothing.
        answers.for_each(|(key, answer)| {
            dialogue.answer(key, answer);
        });
        Ok(Resumed { dialogue: Arc::new(dialogue), claim })
    }

    /// MR-6. It is done before the run, so that of two at the same time only one goes on.
    async fn claim(&self, nonce: String) -> Result<Claimed, RpcError> {
        let claimed = self.handler.used().claim(self.principal.id(), nonce).await;
        claimed.map_err(|unclaimed| match unclaimed {
            Unclaimed::Used => RpcError::invalid_params(
                "`requestState` was used before, or is in use; ask again without it",
            ),
            Unclaimed::Full(setting) => RpcError::invalid_request(format!(
                "The server is at its limit `{setting}`: try again later"
            )),
            Unclaimed::Failed(error) => {
                let reference = InvocationId::fresh();
                tracing::error!(%reference, %error, "it cannot be told whether a state was used");
                let text = format!("The call cannot be gone on with. Reference: {reference}");
                RpcError::new(RpcError::INTERNAL, text)
            }
        })
    }

    fn bound(&self) -> Bound {
        let About { method, name, arguments, .. } = &self.about;
        Bound::new(&self.principal.id(), method, name, arguments)
    }

    /// Puts the questions of a run to the caller and waits for all answers (legacy).
    async fn put(&self, asks: Asks) -> Result<Dialogue, Outcome> {
        let Asks { questions, memory, .. } = asks;
        let dialogue = Dialogue::resume(self.means(), memory);
        let mut open = Vec::with_capacity(questions.len());
        for (key, question) in &questions {
            let request = request(question, self.revision);
            let Some(put) = Open::put(&self.shared, &*self.outbox, &request) else {
                let text = format!(
                    "`{}` asks more at a time than a client could come back for: the limits are `stream_messages` and `stream_bytes`.",
                    self.about.name
                );
                return Err(Outcome::Failed { text, delivery: Delivery::Unknown });
            };
            open.push((key, put));
        }
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
        Ok(dialogue)
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
            return Err(Outcome::Failed { text, delivery: Delivery::Unknown });
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

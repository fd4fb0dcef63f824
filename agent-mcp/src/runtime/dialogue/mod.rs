//! What a method asks of its caller, and what it got: a chain of runs that ends with a result.
//!
//! A run that asks for something that is not at hand ends with its questions
//! ([`Outcome::Asks`](super::Outcome::Asks)). The adapter puts them to the caller in the way of its protocol,
//! [answers](Dialogue::answer) them here, and runs the whole pipeline again with the same dialogue.

mod answer;
mod asking;
mod form;
mod memory;
mod question;
mod root;
mod sampling;
#[cfg(test)]
mod tests;
mod url;

use std::{
    collections::BTreeMap,
    sync::{Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use serde_json::Value;
use tokio::{sync::Notify, time::Instant};

pub use answer::{Answer, Unanswered};
#[cfg(test)]
pub(crate) use form::described;
pub use form::{
    Choice, ChoiceField, Field, FieldKind, FieldOf, Form, FormField, FormOption, FormPass,
    FormSchema, ListField, NumberField, TextField, TextFormat,
};
pub use memory::Memory;
pub use question::{Means, Need, Question};
pub use root::Root;
pub use sampling::{
    IncludeContext, Sampled, SampledContent, Sampling, SamplingContent, ToolAnswer, ToolChoice,
    ToolUse,
};

use super::task::NoTask;
use memory::Kept;
use question::Digest;

/// What the runs of one chain ask of their caller, remember and got.
///
/// It outlives a run and belongs to one operation of one caller; [`Memory`] is what another process needs to
/// go on with it.
#[derive(Debug, Default)]
pub struct Dialogue {
    means: Means,
    state: Mutex<State>,
    answered: Notify,
    asked: Notify,
}

#[derive(Debug, Default)]
struct State {
    memory: Memory,
    /// The questions of this run that have no answer, in the order they were asked.
    open: Vec<(String, Question)>,
    /// Why the run cannot go on.
    end: Option<End>,
    /// Set where a run waits for its answers instead of ending with its questions: how often it may still ask.
    live: Option<usize>,
    /// Whether this run has done something that must not be done twice.
    has_done_once: bool,
    /// How long a live run has waited for answers, and since when it does.
    waited: Duration,
    waits_since: Option<Instant>,
}

/// Why a run cannot go on.
#[derive(Debug)]
pub(crate) enum End {
    /// It needs the answers to its questions.
    Asks,
    /// The caller cannot be asked such things.
    Lacks(Vec<Need>),
    /// What the caller answered is no answer to the question.
    BadAnswer { key: String, why: String },
    /// The method contradicts itself; the text is for the log.
    Defect(String),
    /// It has asked as often as it may.
    TooOften,
    /// The task that it is to be cannot begin.
    NoTask(NoTask),
}

/// The questions that a run ended with, and what the next run has to know.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Asks {
    /// Each question with its key, in the order in which they were asked; there is at least one.
    pub questions: Vec<(String, Question)>,
    /// What was answered and done before; the next run needs it.
    pub memory: Memory,
}

/// What becomes of a question.
enum Found {
    Answer(Answer),
    Wait,
    End,
}

impl Dialogue {
    /// A dialogue with a caller that can be asked by these means.
    #[must_use]
    pub fn new(means: Means) -> Self {
        Self { means, ..Self::default() }
    }

    /// Goes on with a dialogue from what was kept of it.
    #[must_use]
    pub fn resume(means: Means, memory: Memory) -> Self {
        let state = Mutex::new(State { memory, ..State::default() });
        Self { means, state, ..Self::default() }
    }

    /// Lets runs wait for their answers from now on instead of ending with their questions, and ask `rounds` times at
    /// most. Going live twice is going live once.
    pub fn go_live(&self, rounds: usize) {
        self.lock().live.get_or_insert(rounds);
    }

    /// By which means the caller can be asked.
    #[must_use]
    pub fn means(&self) -> Means {
        self.means
    }

    /// What is needed to go on with the dialogue elsewhere.
    #[must_use]
    pub fn memory(&self) -> Memory {
        self.lock().memory.clone()
    }

    /// The questions that wait for an answer.
    #[must_use]
    pub fn open(&self) -> Vec<(String, Question)> {
        self.lock().open.clone()
    }

    /// Resolves when a live run has asked something.
    pub async fn asked(&self) {
        self.asked.notified().await;
    }

    /// Takes the answer to an open question; says whether there was such a question.
    ///
    /// The answer counts for that question only: a run that asks something else under the same key asks again.
    pub fn answer(&self, key: &str, answer: Answer) -> bool {
        let taken = self.lock().memory.answer(key, answer);
        if taken {
            self.lock().close(key);
            self.answered.notify_waiters();
        }
        taken
    }

    /// Takes an answer to whatever will be asked under `key`, from a caller that knows the questions beforehand.
    pub fn answer_beforehand(&self, key: &str, answer: Answer) {
        self.lock().memory.answer_beforehand(key, answer);
    }

    /// A run begins: it has asked nothing yet.
    pub(crate) fn begin_run(&self) {
        let mut state = self.lock();
        state.open.clear();
        state.end = None;
        state.has_done_once = false;
        state.memory.forget_questions();
    }

    /// Whether the run cannot go on.
    pub(crate) fn ends_run(&self) -> bool {
        self.lock().end.is_some()
    }

    /// How long a live run has waited for answers, where it does not wait at the moment.
    pub(crate) fn waited(&self) -> Option<Duration> {
        let state = self.lock();
        state.waits_since.is_none().then_some(state.waited)
    }

    /// Resolves when something was answered.
    pub(crate) async fn has_answers(&self) {
        let answered = self.answered.notified();
        if self.lock().waits_since.is_some() {
            answered.await;
        }
    }

    /// Why the run cannot go on.
    pub(crate) fn take_end(&self) -> Option<End> {
        self.lock().end.take()
    }

    /// What the run asks, and what is kept until the next one.
    pub(crate) fn asks(&self) -> Asks {
        let state = self.lock();
        Asks { questions: state.open.clone(), memory: state.memory.clone() }
    }

    /// The answer to `question`. Where it is not at hand, the future does not resolve and the run ends; a live
    /// run waits.
    pub(crate) async fn ask(&self, key: &str, question: Question) -> Answer {
        let digest = question.digest();
        loop {
            let answered = self.answered.notified();
            tokio::pin!(answered);
            answered.as_mut().enable();
            match self.find(key, &digest, &question) {
                Found::Answer(answer) => return answer,
                Found::Wait => answered.await,
                Found::End => std::future::pending().await,
            }
        }
    }

    fn find(&self, key: &str, digest: &Digest, question: &Question) -> Found {
        let mut state = self.lock();
        if let Some(answer) = state.memory.find(key, digest) {
            return Found::Answer(answer);
        }
        let lacking = question.needs().filter(|need| !self.means.has(*need));
        let lacking: Vec<_> = lacking.collect();
        if !lacking.is_empty() {
            match &mut state.end {
                Some(End::Lacks(all)) => all.extend(lacking),
                Some(End::Defect(_) | End::NoTask(_) | End::TooOften | End::BadAnswer { .. }) => {}
                None | Some(End::Asks) => state.end = Some(End::Lacks(lacking)),
            }
            return Found::End;
        }
        match state.open.iter().find(|(open, _)| open == key) {
            Some((_, open)) if open == question => {}
            Some(_) => {
                let text = format!("two different questions are open under the key `{key}`");
                state.end = Some(End::Defect(text));
                return Found::End;
            }
            None => {
                // Beside other questions it belongs to their round.
                if state.live.is_some() && state.waits_since.is_none() && !state.begin_round() {
                    state.end = Some(End::TooOften);
                    return Found::End;
                }
                state.memory.ask(key, digest.clone());
                state.open.push((key.to_owned(), question.clone()));
                if state.live.is_some() {
                    state.waits_since.get_or_insert_with(Instant::now);
                }
                self.asked.notify_one();
            }
        }
        if state.live.is_some() {
            return Found::Wait;
        }
        state.end.get_or_insert(End::Asks);
        Found::End
    }

    /// What was answered under `key` is no answer to its question. That ends the run; a live run asks again, which
    /// is a round also beside other questions.
    pub(crate) fn refuse(&self, key: &str, why: String) {
        let mut state = self.lock();
        state.memory.forget(key);
        let asks_again =
            state.live.is_some() && (state.waits_since.is_none() || state.begin_round());
        if !asks_again {
            state.end = Some(End::BadAnswer { key: key.to_owned(), why });
        }
    }

    /// What was remembered under `key`.
    pub(crate) fn remembered(&self, key: &str) -> Option<Value> {
        self.lock().memory.once.get(key).cloned()
    }

    /// Remembers a value for all later runs.
    pub(crate) fn remember(&self, key: &str, value: Value) {
        let mut state = self.lock();
        state.memory.once.insert(key.to_owned(), value);
        state.has_done_once = true;
    }

    /// Whether the last run has done something that must not be done twice, and that only its memory knows of.
    pub(crate) fn has_done_once(&self) -> bool {
        self.lock().has_done_once
    }

    /// Ends the run.
    pub(crate) fn end(&self, end: End) {
        self.lock().end = Some(end);
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // Nothing that can panic runs under the lock.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// Takes one of the rounds that a live run has; false where none is left.
    fn begin_round(&mut self) -> bool {
        let left = self.live.and_then(|rounds| rounds.checked_sub(1));
        left.inspect(|left| self.live = Some(*left)).is_some()
    }

    fn close(&mut self, key: &str) {
        self.open.retain(|(open, _)| open != key);
        if self.open.is_empty()
            && let Some(since) = self.waits_since.take()
        {
            self.waited += since.elapsed();
        }
    }
}

/// What a call fails with that asks more often than the limit `rounds`.
pub(crate) fn too_often(capability: &str, rounds: usize) -> String {
    format!("`{capability}` asks more than {rounds} times, which is the limit `rounds`.")
}

/// The kept answers, by key.
type Answers = BTreeMap<String, Kept>;

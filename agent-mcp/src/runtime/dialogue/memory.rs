//! What is kept of a dialogue from one run to the next.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Answers, answer::Answer, question::Digest};

/// What is kept of a dialogue from one run to the next: which questions are open, every answer with the
/// question it was given to, and what was done [once](crate::Context::once).
///
/// Whoever hands it out to a caller seals it, since it says what the server takes for answered.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Memory {
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    open: BTreeMap<String, Digest>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    answers: Answers,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(super) once: BTreeMap<String, Value>,
}

/// An answer, and the question that it was given to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Kept {
    /// Nothing where the answer came before the question; the first question takes it.
    question: Option<Digest>,
    answer: Answer,
}

impl Memory {
    /// Whether there is nothing in it that a later run needs.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.open.is_empty() && self.answers.is_empty() && self.once.is_empty()
    }

    pub(super) fn ask(&mut self, key: &str, question: Digest) {
        self.open.insert(key.to_owned(), question);
    }

    pub(super) fn forget_questions(&mut self) {
        self.open.clear();
    }

    pub(super) fn answer(&mut self, key: &str, answer: Answer) -> bool {
        let Some(question) = self.open.remove(key) else { return false };
        self.answers.insert(key.to_owned(), Kept { question: Some(question), answer });
        true
    }

    pub(super) fn answer_beforehand(&mut self, key: &str, answer: Answer) {
        self.answers.insert(key.to_owned(), Kept { question: None, answer });
    }

    pub(super) fn forget(&mut self, key: &str) {
        self.answers.remove(key);
    }

    /// The answer to the question, if it was given to that one.
    pub(super) fn find(&mut self, key: &str, question: &Digest) -> Option<Answer> {
        let kept = self.answers.get_mut(key)?;
        let asked = kept.question.get_or_insert_with(|| question.clone());
        (asked == question).then(|| kept.answer.clone())
    }
}

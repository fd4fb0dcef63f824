//! What a test asks of a reply.

use serde::de::DeserializeOwned;
use serde_json::Value;

use super::{Failed, Notice, Question, Reply};

impl Reply {
    /// Whether the server did what it was asked for.
    #[must_use]
    pub fn is_ok(&self) -> bool {
        self.failure().is_none()
    }

    /// The text: of a tool's content, of a resource, or of the messages of a prompt.
    ///
    /// # Panics
    ///
    /// When it failed, or there is none.
    #[must_use]
    #[track_caller]
    pub fn text(&self) -> String {
        self.expect();
        self.words().unwrap_or_else(|| panic!("{} has no text\n{}", self.about, self.said()))
    }

    /// The value of a call or of a resource, as the method returned it.
    ///
    /// # Panics
    ///
    /// When it failed, or the value is no `T`.
    #[must_use]
    #[track_caller]
    pub fn json<T: DeserializeOwned>(&self) -> T {
        self.expect();
        serde_json::from_value(self.value().unwrap_or_default()).unwrap_or_else(|error| {
            let wanted = std::any::type_name::<T>();
            panic!("the value of {} is no `{wanted}`: {error}\n{}", self.about, self.said())
        })
    }

    /// Why it failed.
    ///
    /// # Panics
    ///
    /// When it did not.
    #[must_use]
    #[track_caller]
    pub fn failed(&self) -> Failed {
        self.failure()
            .unwrap_or_else(|| panic!("{} was to fail and went well\n{}", self.about, self.said()))
    }

    /// How far it was and what it logged, in order, before it was answered.
    #[must_use]
    pub fn notices(&self) -> &[Notice] {
        &self.notices
    }

    /// What was asked before it was answered, in order.
    #[must_use]
    pub fn questions(&self) -> &[Question] {
        &self.questions
    }

    /// The [messages](Question::message) of what was asked.
    #[must_use]
    pub fn asked(&self) -> Vec<&str> {
        self.questions.iter().map(Question::message).collect()
    }

    /// The whole message, with its `result` or `error`.
    #[must_use]
    pub fn message(&self) -> &Value {
        &self.message
    }

    /// The result.
    #[track_caller]
    pub(super) fn expect(&self) -> &Value {
        if let Some(failed) = self.failure() {
            let status = failed.status.map(|status| format!(" ({status})")).unwrap_or_default();
            let code = failed.code.map(|code| format!(" ({code})")).unwrap_or_default();
            panic!("{} failed{status}{code}: {}\n{}", self.about, failed.text, self.said());
        }
        &self.message["result"]
    }

    /// What the server said, for whoever reads of a failed test.
    fn said(&self) -> String {
        let mut said = format!("at {} the server said {:#}", self.revision, self.message);
        for notice in &self.notices {
            said.push_str(&format!("\nand before it {notice:?}"));
        }
        for question in &self.questions {
            said.push_str(&format!("\nand asked `{}` {}", question.method, question.params));
        }
        said
    }
}

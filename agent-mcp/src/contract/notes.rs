//! What is said of content beside it.

use serde_json::Value;

use super::{MetaKeyError, MetaMap, check_meta_key};

/// For whom content is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Audience {
    /// The person in front of the client.
    User,
    /// The model.
    Assistant,
}

impl Audience {
    /// The word.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Assistant => "assistant",
        }
    }
}

/// What is said of content beside it: hints for a client, which may do as it likes.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Notes {
    /// For whom it is; empty is for everybody.
    pub audience: Vec<Audience>,
    /// How much it matters, from 0 to 1.
    pub priority: Option<f64>,
    /// When it was last changed, in the form of ISO 8601.
    pub last_modified: Option<String>,
    /// Its `_meta`, for programs that know more.
    pub meta: MetaMap,
}

impl Notes {
    pub(crate) fn add_audience(&mut self, audience: Audience) {
        if !self.audience.contains(&audience) {
            self.audience.push(audience);
        }
    }

    pub(crate) fn add_meta(&mut self, key: &str, value: Value) -> Result<(), MetaKeyError> {
        check_meta_key(key)?;
        self.meta.insert(key.to_owned(), value);
        Ok(())
    }

    /// How much it takes in a reply, as far as it may be much.
    pub(crate) fn len(&self) -> usize {
        let member = |(key, value): (&String, &Value)| key.len() + value.to_string().len();
        self.meta.iter().map(member).sum()
    }

    pub(crate) fn set_priority(&mut self, priority: f64) {
        // RES-12: 0 to 1.
        self.priority = (!priority.is_nan()).then(|| priority.clamp(0.0, 1.0));
    }
}

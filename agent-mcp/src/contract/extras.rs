//! What is said of an entry beside what it is.

use serde_json::Value;

use super::{Icon, MetaMap};

/// What is said of an entry beside what it is: for people, and for programs that know more.
#[derive(Debug, Clone, Default, PartialEq)]
#[non_exhaustive]
pub struct Extras {
    /// Pictures of it.
    pub icons: Vec<Icon>,
    /// Its `_meta`.
    pub meta: MetaMap,
}

impl Extras {
    /// Nothing.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a picture.
    #[must_use]
    pub fn icon(mut self, icon: impl Into<Icon>) -> Self {
        self.icons.push(icon.into());
        self
    }

    /// Adds a member of `_meta`.
    #[must_use]
    pub fn meta(mut self, key: &str, value: impl Into<Value>) -> Self {
        self.meta.insert(key.to_owned(), value.into());
        self
    }

    /// Whether nothing is said.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.icons.is_empty() && self.meta.is_empty()
    }
}

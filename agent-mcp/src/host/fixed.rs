//! The host of a service: one Model for good, no Messages.

use std::fmt;
use std::sync::Arc;

use super::{BoxError, Host};

/// A Message that nobody can send.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Never {}

impl fmt::Display for Never {
    fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {}
    }
}

impl std::error::Error for Never {}

/// A host whose Model stays as it is and which takes no Messages.
///
/// This is what serves an agent that is its own Model. It tells of no changes, because there are
/// none.
#[derive(Debug)]
pub struct Fixed<Model>(Arc<Model>);

impl<Model> Fixed<Model> {
    /// Makes the host of that Model.
    pub fn new(model: Model) -> Self {
        Self(Arc::new(model))
    }
}

impl<Model> From<Arc<Model>> for Fixed<Model> {
    fn from(model: Arc<Model>) -> Self {
        Self(model)
    }
}

impl<Model> Clone for Fixed<Model> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<Model: Send + Sync + 'static> Host for Fixed<Model> {
    type Model = Model;
    type Message = Never;

    fn model(&self) -> Arc<Model> {
        self.0.clone()
    }

    async fn dispatch(&self, message: Never) -> Result<(), BoxError> {
        match message {}
    }
}

//! Following the Model from async code.

use std::fmt;
use std::sync::Arc;

use tokio::sync::watch;

/// The Models of a store as async code follows them, such as a user interface that draws the
/// newest.
///
/// A Model that is replaced before it is looked at is skipped. Who must see each one observes the
/// store.
pub struct Changes<Model>(watch::Receiver<Arc<Model>>);

impl<Model> Changes<Model> {
    pub(super) fn new(receiver: watch::Receiver<Arc<Model>>) -> Self {
        Self(receiver)
    }

    /// The newest Model; it counts as seen.
    pub fn latest(&mut self) -> Arc<Model> {
        self.0.borrow_and_update().clone()
    }

    /// Waits for a Model that was not seen yet; `None` when the store is gone.
    ///
    /// Dropping the future loses nothing.
    pub async fn next(&mut self) -> Option<Arc<Model>> {
        self.0.changed().await.ok()?;
        Some(self.latest())
    }

    /// Waits until the newest Model is as wanted, now or later; `None` when the store is gone
    /// before.
    pub async fn until(&mut self, mut wanted: impl FnMut(&Model) -> bool) -> Option<Arc<Model>> {
        let mut model = self.latest();
        while !wanted(&model) {
            model = self.next().await?;
        }
        Some(model)
    }
}

impl<Model> Clone for Changes<Model> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<Model> fmt::Debug for Changes<Model> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Changes").finish_non_exhaustive()
    }
}

//! Placeholder.
#![allow(missing_docs)]
use std::sync::Arc;
pub type BoxError = Box<dyn std::error::Error + Send + Sync>;
pub struct Subscription(Option<Box<dyn FnOnce() + Send>>);
impl Subscription {
    pub fn new(f: impl FnOnce() + Send + 'static) -> Self {
        Self(Some(Box::new(f)))
    }
}
impl Drop for Subscription {
    fn drop(&mut self) {
        if let Some(f) = self.0.take() {
            f()
        }
    }
}
pub type MessageObserver<M> = Arc<dyn Fn(&M) + Send + Sync>;
pub type ModelObserver<M> = Arc<dyn Fn(&Arc<M>) + Send + Sync>;
pub trait Host: Send + Sync + 'static {
    type Model: Send + Sync + 'static;
    type Message: Send + 'static;
    fn model(&self) -> Arc<Self::Model>;
    fn dispatch(&self, message: Self::Message)
    -> impl Future<Output = Result<(), BoxError>> + Send;
    fn observe_messages(&self, _: MessageObserver<Self::Message>) -> Option<Subscription> {
        None
    }
    fn observe_model(&self, _: ModelObserver<Self::Model>) -> Option<Subscription> {
        None
    }
}

//! A host behind a pointer.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use super::{BoxError, Host, MessageObserver, ModelObserver, Subscription};

/// A Message on its way to the application.
pub type Dispatching<'a> = Pin<Box<dyn Future<Output = Result<(), BoxError>> + Send + 'a>>;

/// Any host of that Model and Message.
pub type SharedHost<Model, Message> = Arc<dyn DynHost<Model = Model, Message = Message>>;

/// A [`Host`] that can stand behind `dyn`; every host is one.
///
/// Its methods are called on the pointer without an import; imported beside [`Host`] they would be
/// ambiguous.
pub trait DynHost: Send + Sync + 'static {
    /// The application's state.
    type Model: Send + Sync + 'static;

    /// The values that name its transitions.
    type Message: Send + 'static;

    /// See [`Host::model`].
    fn model(&self) -> Arc<Self::Model>;

    /// See [`Host::dispatch`].
    fn dispatch(&self, message: Self::Message) -> Dispatching<'_>;

    /// See [`Host::observe_messages`].
    fn observe_messages(&self, observer: MessageObserver<Self::Message>) -> Option<Subscription>;

    /// See [`Host::observe_model`].
    fn observe_model(&self, observer: ModelObserver<Self::Model>) -> Option<Subscription>;
}

impl<H: Host> DynHost for H {
    type Model = H::Model;
    type Message = H::Message;

    fn model(&self) -> Arc<Self::Model> {
        Host::model(self)
    }

    fn dispatch(&self, message: Self::Message) -> Dispatching<'_> {
        Box::pin(Host::dispatch(self, message))
    }

    fn observe_messages(&self, observer: MessageObserver<Self::Message>) -> Option<Subscription> {
        Host::observe_messages(self, observer)
    }

    fn observe_model(&self, observer: ModelObserver<Self::Model>) -> Option<Subscription> {
        Host::observe_model(self, observer)
    }
}

//! The seam to the live application.
//!
//! A [`Host`] reads the Model, accepts Messages and tells of changes. An application that already
//! has a store implements it in a few lines; one that has none takes [`Store`]; a service without
//! Messages is served from [`Fixed`] without knowing of it.

mod changes;
mod effects;
mod engine;
mod erased;
mod fixed;
mod narrow;
mod observers;
mod store;
mod subscription;

use std::future::Future;
use std::sync::Arc;

pub use changes::Changes;
#[doc(hidden)]
pub use effects::kind;
pub use effects::{Effects, IntoEffects, IntoUpdate};
pub use erased::{Dispatching, DynHost, SharedHost};
pub use fixed::{Fixed, Never};
pub use narrow::Narrow;
pub use store::{SendError, Store};
pub use subscription::Subscription;

/// An error of any kind.
pub type BoxError = Box<dyn std::error::Error + Send + Sync>;

/// What is called with each Message that the application has applied.
pub type MessageObserver<Message> = Arc<dyn Fn(&Message) + Send + Sync>;

/// What is called with each new Model.
pub type ModelObserver<Model> = Arc<dyn Fn(&Arc<Model>) + Send + Sync>;

/// What is live: reads the Model, accepts Messages, tells of changes.
///
/// Models are replaced, never mutated: a call keeps the [`Arc`] it was given and expects it to stay
/// as it is. A Model with interior mutability breaks that promise on its own account.
///
/// ```
/// use std::sync::{Arc, Mutex};
/// use agent_mcp::{BoxError, Host};
///
/// struct Counter(Mutex<Arc<u32>>);
///
/// impl Host for Counter {
///     type Model = u32;
///     type Message = u32;
///
///     fn model(&self) -> Arc<u32> {
///         self.0.lock().unwrap().clone()
///     }
///
///     async fn dispatch(&self, add: u32) -> Result<(), BoxError> {
///         let mut model = self.0.lock().unwrap();
///         *model = Arc::new(model.checked_add(add).ok_or("the counter is full")?);
///         Ok(())
///     }
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a host",
    note = "a host reads the Model and accepts Messages: use `Store`, or implement `Host`"
)]
pub trait Host: Send + Sync + 'static {
    /// The application's state.
    type Model: Send + Sync + 'static;

    /// The values that name its transitions; [`Never`] where there are none.
    type Message: Send + 'static;

    /// The Model as it is now.
    fn model(&self) -> Arc<Self::Model>;

    /// Hands a Message to the application.
    ///
    /// Done means that the application has it. What follows from it later is told to the observers.
    ///
    /// # Errors
    ///
    /// The Message may or may not have arrived: a failure is a defect of that call, never a
    /// refusal.
    fn dispatch(&self, message: Self::Message)
    -> impl Future<Output = Result<(), BoxError>> + Send;

    /// Calls `observer` with each Message from now on; `None` says that this host does not tell.
    ///
    /// Each Message is told once, in the order of application, when its Model is in place. None is
    /// left out: a lossy channel in between would lose the one that a call waits for.
    fn observe_messages(&self, observer: MessageObserver<Self::Message>) -> Option<Subscription> {
        let _ = observer;
        None
    }

    /// Calls `observer` with each new Model from now on; `None` says that this host does not tell.
    ///
    /// Each Model is told, in order. None is left out, also when the next one is there already: a
    /// state that was reached for a moment only was reached.
    fn observe_model(&self, observer: ModelObserver<Self::Model>) -> Option<Subscription> {
        let _ = observer;
        None
    }
}

impl<H: Host> Host for Arc<H> {
    type Model = H::Model;
    type Message = H::Message;

    fn model(&self) -> Arc<Self::Model> {
        H::model(self)
    }

    fn dispatch(
        &self,
        message: Self::Message,
    ) -> impl Future<Output = Result<(), BoxError>> + Send {
        H::dispatch(self, message)
    }

    fn observe_messages(&self, observer: MessageObserver<Self::Message>) -> Option<Subscription> {
        H::observe_messages(self, observer)
    }

    fn observe_model(&self, observer: ModelObserver<Self::Model>) -> Option<Subscription> {
        H::observe_model(self, observer)
    }
}

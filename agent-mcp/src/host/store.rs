//! The embedded host: a Model, an update function, and whoever wants to know.

use std::fmt;
use std::sync::Arc;

use tokio::runtime::Handle;

use super::engine::{Engine, Step};
use super::{BoxError, Changes, Host, IntoUpdate, MessageObserver, ModelObserver, Subscription};

/// Why a Message did not do all that it should.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SendError {
    /// The update function panicked on this Message.
    #[error("the update function panicked; the Model is as it was")]
    UpdatePanicked,
    /// The Message was applied, but nothing can run what follows from it.
    #[error(
        "the Message was applied, but its effects need a tokio runtime: \
         make the store inside of one, or name one with `Store::on`"
    )]
    NoRuntime,
}

/// An application's state and the one function that changes it.
///
/// Handles are cheap to clone and all show the same Model. Messages are applied one at a time:
/// `update` gets the Model and the Message and returns the new Model, alone or with
/// [effects](super::Effects) such as a Message that follows or work that yields one later. It
/// should be quick and must not wait for anybody else; slow work belongs in an effect.
///
/// ```
/// use agent_mcp::Store;
///
/// #[derive(Clone)]
/// enum Message { Add(u32), Reset }
///
/// let store = Store::new(0, |count: &u32, message: Message| match message {
///     Message::Add(n) => count + n,
///     Message::Reset => 0,
/// });
/// store.send(Message::Add(2))?;
/// assert_eq!(*store.model(), 2);
/// # Ok::<(), agent_mcp::host::SendError>(())
/// ```
///
/// # Order
///
/// When [`send`](Self::send) returns, the Model is in place. Observers are called one after the
/// other, for each Model and then its Message, in the order of application. The sender calls them
/// itself; while another thread is at it already, that thread goes on with the new ones, and
/// [`dispatch`](Host::dispatch) waits for it without blocking. No lock is held meanwhile, so an
/// observer may send, subscribe and unsubscribe: what it sends is told when the present Message has
/// been told to everybody. An observer must not wait for another `dispatch`.
///
/// An observer is told of everything that is applied after it was subscribed, and of nothing
/// before.
pub struct Store<Model, Message>(Arc<Engine<Model, Message>>);

impl<Model, Message> Store<Model, Message>
where
    Model: Send + Sync + 'static,
    Message: Clone + Send + 'static,
{
    /// Makes a store of that Model.
    ///
    /// Effects run on the tokio runtime that the store is made in, or, when it is made outside of
    /// any, on the one that the Message is sent in.
    pub fn new<U, R, Kind>(model: Model, update: U) -> Self
    where
        U: Fn(&Model, Message) -> R + Send + Sync + 'static,
        R: IntoUpdate<Model, Message, Kind>,
    {
        let update = move |model: &Model, message| update(model, message).into_update();
        Self(Arc::new(Engine::new(Arc::new(model), Box::new(update), Handle::try_current().ok())))
    }

    /// The Model as it is now.
    pub fn model(&self) -> Arc<Model> {
        self.0.model()
    }

    /// Applies a Message and tells the observers.
    ///
    /// Called from inside `update`, it applies the Message right after the present one. It waits
    /// only for updates of other threads, and for observers that have fallen 256 Messages behind.
    /// Async code has [`dispatch`](Host::dispatch).
    ///
    /// # Errors
    ///
    /// See [`SendError`].
    pub fn send(&self, message: Message) -> Result<(), SendError> {
        self.0.advance_blocking(Step::Apply(message))
    }

    /// Puts another Model in place and tells the observers of Models, such as after loading it from
    /// a file.
    pub fn replace(&self, model: impl Into<Arc<Model>>) {
        // Nothing can fail: no update runs and nothing follows.
        let _ = self.0.advance_blocking(Step::Replace(model.into()));
    }

    /// Follows the newest Model from async code.
    pub fn changes(&self) -> Changes<Model> {
        self.0.changes()
    }

    /// Names the tokio runtime that effects run on.
    #[must_use]
    pub fn on(self, runtime: Handle) -> Self {
        self.0.set_runtime(runtime);
        self
    }
}

impl<Model, Message> Host for Store<Model, Message>
where
    Model: Send + Sync + 'static,
    Message: Clone + Send + 'static,
{
    type Model = Model;
    type Message = Message;

    fn model(&self) -> Arc<Model> {
        self.0.model()
    }

    /// Applies the Message; done when it has been told to everybody.
    ///
    /// It is applied at the first poll. Dropping the future later undoes nothing.
    async fn dispatch(&self, message: Message) -> Result<(), BoxError> {
        Ok(self.0.advance(Step::Apply(message)).await?)
    }

    fn observe_messages(&self, observer: MessageObserver<Message>) -> Option<Subscription> {
        Some(self.0.messages.subscribe(observer))
    }

    fn observe_model(&self, observer: ModelObserver<Model>) -> Option<Subscription> {
        Some(self.0.models.subscribe(observer))
    }
}

impl<Model, Message> Clone for Store<Model, Message> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<Model: fmt::Debug, Message> fmt::Debug for Store<Model, Message> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Store").field("model", &*self.0.model()).finish_non_exhaustive()
    }
}

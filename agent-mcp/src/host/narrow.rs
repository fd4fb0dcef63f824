//! A part of a wider application, as a host of its own.

use std::fmt;
use std::future::Future;
use std::sync::Arc;

use super::{BoxError, Host, MessageObserver, ModelObserver, Subscription};

/// A host whose Model and Messages are a part of a wider host's.
///
/// An agent is written for the part it knows; the application has more than that. The part of the
/// Model is shared, not copied, when the wider Model keeps it in an [`Arc`].
///
/// ```
/// use std::sync::Arc;
/// use agent_mcp::{Host, Store, host::Narrow};
///
/// #[derive(Clone)]
/// enum Message { Notes(NoteMessage), Quit }
/// #[derive(Clone)]
/// enum NoteMessage { Add(String) }
/// struct Model { notes: Arc<Vec<String>>, running: bool }
///
/// let store = Store::new(
///     Model { notes: Arc::default(), running: true },
///     |model: &Model, message: Message| match message {
///         Message::Notes(NoteMessage::Add(note)) => Model {
///             notes: Arc::new(model.notes.iter().cloned().chain([note]).collect()),
///             running: model.running,
///         },
///         Message::Quit => Model { notes: model.notes.clone(), running: false },
///     },
/// );
/// let notes = Narrow::new(
///     store,
///     |model: &Model| model.notes.clone(),
///     Message::Notes,
///     |message| match message {
///         Message::Notes(message) => Some(message),
///         Message::Quit => None,
///     },
/// );
/// # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
/// notes.dispatch(NoteMessage::Add("buy milk".into())).await.unwrap();
/// assert_eq!(*notes.model(), ["buy milk"]);
/// # });
/// ```
// B21: the host accepts every Message that the contract can build; a wider type is fine.
pub struct Narrow<H: Host, Model, Message> {
    host: H,
    view: Arc<View<H::Model, Model>>,
    wrap: Arc<Wrap<Message, H::Message>>,
    peel: Arc<Peel<H::Message, Message>>,
}

/// The part of a wider Model.
type View<Wide, Model> = dyn Fn(&Wide) -> Arc<Model> + Send + Sync;

/// The wider Message of a Message.
type Wrap<Message, Wide> = dyn Fn(Message) -> Wide + Send + Sync;

/// The part of a wider Message, if it is one of the part's.
type Peel<Wide, Message> = dyn for<'a> Fn(&'a Wide) -> Option<&'a Message> + Send + Sync;

impl<H: Host, Model, Message> Narrow<H, Model, Message> {
    /// Makes the host of a part: `view` finds it in the Model, `wrap` makes a wider Message of its
    /// Messages, and `peel` finds its Messages among the wider ones.
    pub fn new(
        host: H,
        view: impl Fn(&H::Model) -> Arc<Model> + Send + Sync + 'static,
        wrap: impl Fn(Message) -> H::Message + Send + Sync + 'static,
        peel: impl for<'a> Fn(&'a H::Message) -> Option<&'a Message> + Send + Sync + 'static,
    ) -> Self {
        Self { host, view: Arc::new(view), wrap: Arc::new(wrap), peel: Arc::new(peel) }
    }
}

impl<H, Model, Message> Host for Narrow<H, Model, Message>
where
    H: Host,
    Model: Send + Sync + 'static,
    Message: Send + 'static,
{
    type Model = Model;
    type Message = Message;

    fn model(&self) -> Arc<Model> {
        (self.view)(&self.host.model())
    }

    fn dispatch(&self, message: Message) -> impl Future<Output = Result<(), BoxError>> + Send {
        self.host.dispatch((self.wrap)(message))
    }

    fn observe_messages(&self, observer: MessageObserver<Message>) -> Option<Subscription> {
        let peel = self.peel.clone();
        self.host.observe_messages(Arc::new(move |message| {
            if let Some(message) = peel(message) {
                observer(message);
            }
        }))
    }

    /// Calls `observer` at each new Model of the wider host, also when this part is the same.
    fn observe_model(&self, observer: ModelObserver<Model>) -> Option<Subscription> {
        let view = self.view.clone();
        self.host.observe_model(Arc::new(move |model| observer(&view(model))))
    }
}

impl<H: Host + Clone, Model, Message> Clone for Narrow<H, Model, Message> {
    fn clone(&self) -> Self {
        Self {
            host: self.host.clone(),
            view: self.view.clone(),
            wrap: self.wrap.clone(),
            peel: self.peel.clone(),
        }
    }
}

impl<H: Host + fmt::Debug, Model, Message> fmt::Debug for Narrow<H, Model, Message> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Narrow").field("host", &self.host).finish_non_exhaustive()
    }
}

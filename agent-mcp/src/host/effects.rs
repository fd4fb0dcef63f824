//! What follows from a Message besides the new Model.

use std::fmt;
use std::future::Future;
use std::pin::Pin;

/// What an update wants done besides the new Model: Messages that follow at once, and work that may
/// yield more.
///
/// ```
/// use agent_mcp::host::Effects;
///
/// # #[derive(Clone)]
/// enum Message { Save(String), Saved }
///
/// fn update(model: &String, message: Message) -> (String, Effects<Message>) {
///     match message {
///         Message::Save(text) => {
///             // Yields a Message; `Option` or `Vec` of it, `()` and `Effects` do as well.
///             let save = Effects::run(async { Message::Saved });
///             (text, save)
///         }
///         Message::Saved => (model.clone(), Effects::none()),
///     }
/// }
/// ```
#[must_use = "effects happen only when `update` returns them"]
pub struct Effects<Message> {
    pub(super) messages: Vec<Message>,
    pub(super) work: Vec<Work<Message>>,
}

/// Work in progress.
pub(super) type Work<Message> = Pin<Box<dyn Future<Output = Effects<Message>> + Send>>;

impl<Message> Effects<Message> {
    /// Nothing follows.
    pub fn none() -> Self {
        Self { messages: Vec::new(), work: Vec::new() }
    }

    /// A Message that is applied next, before any Message of anybody else.
    pub fn send(message: Message) -> Self {
        Self { messages: vec![message], work: Vec::new() }
    }

    /// Work that is spawned on tokio; what it yields is sent to the store.
    ///
    /// The work does not keep its store alive: when the last handle is gone it runs to its end, but
    /// nobody hears of it. A panic in it ends the work and nothing else.
    pub fn run<F, Kind>(work: F) -> Self
    where
        F: Future<Output: IntoEffects<Message, Kind>> + Send + 'static,
    {
        Self { messages: Vec::new(), work: vec![Box::pin(async { work.await.into_effects() })] }
    }

    /// Both: these Messages first, then those of `other`.
    pub fn and<E, Kind>(mut self, other: E) -> Self
    where
        E: IntoEffects<Message, Kind>,
    {
        let other = other.into_effects();
        self.messages.extend(other.messages);
        self.work.extend(other.work);
        self
    }

    /// The same with each Message made into a wider one: how an update passes on what a part of it
    /// returned.
    pub fn map<Wide, F>(self, wrap: F) -> Effects<Wide>
    where
        F: Fn(Message) -> Wide + Clone + Send + 'static,
        Message: 'static,
    {
        let work = self.work.into_iter().map(|work| -> Work<Wide> {
            let wrap = wrap.clone();
            Box::pin(async { work.await.map(wrap) })
        });
        Effects { work: work.collect(), messages: self.messages.into_iter().map(wrap).collect() }
    }
}

impl<Message> Default for Effects<Message> {
    fn default() -> Self {
        Self::none()
    }
}

impl<Message> fmt::Debug for Effects<Message> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Effects")
            .field("messages", &self.messages.len())
            .field("work", &self.work.len())
            .finish()
    }
}

/// What an update, or the work it starts, may yield: a Message, `Option` or `Vec` of it, `()`, or
/// [`Effects`].
///
/// `Kind` tells the forms apart and is inferred.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an effect of Messages of type `{Message}`",
    note = "an effect is `()`, a Message, `Option` or `Vec` of it, or `Effects`"
)]
pub trait IntoEffects<Message, Kind> {
    /// The effects meant.
    fn into_effects(self) -> Effects<Message>;
}

/// What an update may return: the new Model, alone or with what follows, `(Model, effects)`.
///
/// `Kind` tells the forms apart and is inferred.
#[diagnostic::on_unimplemented(
    message = "an update of `{Model}` cannot return `{Self}`",
    note = "return the new Model, or `(Model, effects)` where effects are `()`, a Message, \
            `Option` or `Vec` of it, or `Effects`"
)]
pub trait IntoUpdate<Model, Message, Kind> {
    /// The new Model and what follows.
    fn into_update(self) -> (Model, Effects<Message>);
}

/// The forms that [`IntoEffects`] and [`IntoUpdate`] tell apart.
#[doc(hidden)]
pub mod kind {
    use std::marker::PhantomData;

    #[derive(Debug)]
    pub struct Nothing;
    #[derive(Debug)]
    pub struct One;
    #[derive(Debug)]
    pub struct Maybe;
    #[derive(Debug)]
    pub struct Several;
    #[derive(Debug)]
    pub struct Ready;
    #[derive(Debug)]
    pub struct Alone;
    #[derive(Debug)]
    pub struct With<Kind>(PhantomData<Kind>);
}

impl<Message> IntoEffects<Message, kind::Nothing> for () {
    fn into_effects(self) -> Effects<Message> {
        Effects::none()
    }
}

impl<Message> IntoEffects<Message, kind::One> for Message {
    fn into_effects(self) -> Effects<Message> {
        Effects::send(self)
    }
}

impl<Message> IntoEffects<Message, kind::Maybe> for Option<Message> {
    fn into_effects(self) -> Effects<Message> {
        self.map_or_else(Effects::none, Effects::send)
    }
}

impl<Message> IntoEffects<Message, kind::Several> for Vec<Message> {
    fn into_effects(self) -> Effects<Message> {
        Effects { messages: self, work: Vec::new() }
    }
}

impl<Message> IntoEffects<Message, kind::Ready> for Effects<Message> {
    fn into_effects(self) -> Effects<Message> {
        self
    }
}

impl<Model, Message> IntoUpdate<Model, Message, kind::Alone> for Model {
    fn into_update(self) -> (Model, Effects<Message>) {
        (self, Effects::none())
    }
}

impl<Model, Message, E, Kind> IntoUpdate<Model, Message, kind::With<Kind>> for (Model, E)
where
    E: IntoEffects<Message, Kind>,
{
    fn into_update(self) -> (Model, Effects<Message>) {
        (self.0, self.1.into_effects())
    }
}

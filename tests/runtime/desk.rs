//! The application that these tests call: a desk with items, on a host that does as it is told.

use std::{
    future::poll_fn,
    pin::Pin,
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    task::Poll,
    time::Duration,
};

use agent_mcp::{
    Completion, Context, Denied, Failure, InProcess, InvocationId, Outcome, Principal, PrincipalId,
    Runtime, Server, agent,
    host::{BoxError, Host, MessageObserver, ModelObserver, Subscription},
    runtime::Status,
};
use serde_json::{Value, json};

/// What happened, in order.
#[derive(Clone, Default)]
pub(crate) struct Trace(Arc<Mutex<Vec<&'static str>>>);

impl Trace {
    pub(crate) fn note(&self, what: &'static str) {
        self.0.lock().unwrap().push(what);
    }

    pub(crate) fn notes(&self) -> Vec<&'static str> {
        self.0.lock().unwrap().clone()
    }
}

#[derive(Clone, Default)]
pub(crate) struct Model {
    pub(crate) open: bool,
    pub(crate) selected: Option<u32>,
    pub(crate) count: u32,
    pub(crate) trace: Trace,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Message {
    Add { title: String, request: InvocationId },
    Added { id: u32, request: InvocationId },
    AddFailed { why: String, request: InvocationId },
    Delete { id: u32 },
    Count { to: u32 },
}

pub(crate) struct User {
    pub(crate) name: &'static str,
    pub(crate) may_add: bool,
    pub(crate) trace: Trace,
}

impl User {
    pub(crate) fn ada() -> Self {
        Self { name: "ada", may_add: true, trace: Trace::default() }
    }
}

impl Principal for User {
    fn id(&self) -> PrincipalId {
        PrincipalId::local(self.name)
    }
}

pub(crate) struct Desk;

#[agent(name = "desk", model = Model, message = Message, principal = User)]
impl Desk {
    /// What an agent may see.
    #[context]
    fn context(cx: &Context<Self>) -> Seen {
        Seen { count: cx.model().count }
    }

    /// The count.
    #[resource]
    fn count(cx: &Context<Self>) -> u32 {
        cx.model().count
    }

    /// Only for those who may add.
    #[resource(authorize = |call| call.principal.may_add)]
    fn private(cx: &Context<Self>) -> String {
        format!("secret of {}", cx.principal().name)
    }

    /// Always breaks.
    #[resource]
    fn broken(_cx: &Context<Self>) -> u32 {
        panic!("postgres://user:hunter2@db")
    }

    /// Adds an item.
    #[capability(
        available = |model| { model.trace.note("available"); model.open },
        authorize = async |call| {
            call.principal.trace.note("authorize");
            yield_now().await;
            call.principal.trace.note("authorized");
            call.principal.may_add
        },
        completion = |call, message| match message {
            Message::Added { id, request } if *request == call.invocation.id => Completion::Done(Item { id: *id }),
            Message::AddFailed { why, request } if *request == call.invocation.id => Completion::failed(why),
            _ => Completion::Pending,
        },
    )]
    fn add(cx: &Context<Self>, title: String) -> Message {
        cx.model().trace.note("method");
        Message::Add { title, request: cx.invocation().id.clone() }
    }

    /// Adds an item, for those with a reason.
    #[capability(authorize = |call| {
        if call.input.title.is_empty() { return Err(Denied::because("a title is needed")) }
        Ok(())
    })]
    fn add_reasoned(cx: &Context<Self>, title: String) -> Message {
        Message::Add { title, request: cx.invocation().id.clone() }
    }

    /// Deletes the selected item.
    #[capability(available = |model| model.selected.is_some())]
    fn delete_selected(cx: &Context<Self>) -> Result<Message, Failure> {
        let id = cx.model().selected.ok_or_else(|| Failure::say("nothing is selected"))?;
        Ok(Message::Delete { id })
    }

    /// Counts to a number and waits until it is reached.
    #[capability(completion = when(|call, model| model.count >= call.input.to), timeout = "5s")]
    fn count_to(_cx: &Context<Self>, to: u32) -> Message {
        Message::Count { to }
    }

    /// Counts, and breaks while it waits.
    #[capability(completion = when(|_call, model| {
        if model.count > 0 { panic!("a bad predicate") }
        false
    }))]
    fn count_badly(_cx: &Context<Self>, to: u32) -> Message {
        Message::Count { to }
    }

    /// Counts and waits for nothing.
    #[capability]
    fn count_off(_cx: &Context<Self>, to: u32) -> Message {
        Message::Count { to }
    }

    /// Works for a while.
    #[capability(timeout = "200ms")]
    async fn work(cx: &Context<Self>, steps: u32) -> Result<u32, Failure> {
        for _ in 0..steps {
            yield_now().await;
        }
        if steps > 1_000 {
            cx.cancelled().await;
            cx.model().trace.note("cleaned up");
            std::future::pending::<()>().await;
        }
        Ok(steps)
    }

    /// Waits for ever.
    #[capability(timeout = "200ms", concurrency = 1)]
    async fn wait(cx: &Context<Self>) -> String {
        cx.model().trace.note("waiting");
        std::future::pending().await
    }

    /// Fails as asked.
    #[capability]
    async fn fail(_cx: &Context<Self>, how: String) -> Result<String, Failure> {
        match how.as_str() {
            "say" => Err(Failure::say("no stock")),
            "internal" => Err(Failure::internal("postgres://user:hunter2@db")),
            "protocol" => Err(Failure::protocol(-32000, "not here")),
            "panic" => panic!("/home/somebody/secret.txt"),
            _ => Ok("fine".into()),
        }
    }
}

#[agent_mcp::data]
pub(crate) struct Seen {
    count: u32,
}

#[agent_mcp::data]
pub(crate) struct Item {
    pub(crate) id: u32,
}

/// Lets everything else run once.
pub(crate) async fn yield_now() {
    tokio::task::yield_now().await;
}

/// What the host does with the next Messages.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) enum Behaviour {
    /// Applies it and tells the fact before it returns.
    #[default]
    Complete,
    /// Applies it and tells nothing.
    Accept,
    /// Tells that it failed.
    Decline,
    /// Needs a few polls, then completes.
    Slow,
    /// Never returns.
    Hang,
    /// Tells the fact and never returns.
    CompleteAndHang,
    /// Fails.
    Fail,
    /// Panics.
    Panic,
    /// Changes the Model and back before it returns.
    Flash,
}

#[derive(Clone, Default)]
pub(crate) struct DeskHost(Arc<Inner>);

#[derive(Default)]
struct Inner {
    model: Mutex<Arc<Model>>,
    behaviour: Mutex<Behaviour>,
    reads: AtomicUsize,
    sent: Mutex<Vec<Message>>,
    messages: Mutex<Vec<(usize, MessageObserver<Message>)>>,
    models: Mutex<Vec<(usize, ModelObserver<Model>)>>,
    next: AtomicUsize,
    subscribed: AtomicUsize,
}

impl DeskHost {
    pub(crate) fn open() -> Self {
        let host = Self::default();
        host.change(|model| model.open = true);
        host
    }

    pub(crate) fn change(&self, change: impl FnOnce(&mut Model)) {
        let model = {
            let mut model = self.0.model.lock().unwrap();
            let mut next = Model::clone(&model);
            change(&mut next);
            *model = Arc::new(next);
            model.clone()
        };
        for (_, observer) in self.0.models.lock().unwrap().clone() {
            observer(&model);
        }
    }

    /// Changes the Model without telling anybody.
    pub(crate) fn change_silently(&self, change: impl FnOnce(&mut Model)) {
        let mut model = self.0.model.lock().unwrap();
        let mut next = Model::clone(&model);
        change(&mut next);
        *model = Arc::new(next);
    }

    pub(crate) fn tell(&self, message: &Message) {
        for (_, observer) in self.0.messages.lock().unwrap().clone() {
            observer(message);
        }
    }

    pub(crate) fn behave(&self, behaviour: Behaviour) {
        *self.0.behaviour.lock().unwrap() = behaviour;
    }

    pub(crate) fn sent(&self) -> Vec<Message> {
        self.0.sent.lock().unwrap().clone()
    }

    pub(crate) fn reads(&self) -> usize {
        self.0.reads.load(Ordering::Relaxed)
    }

    pub(crate) fn trace(&self) -> Trace {
        self.0.model.lock().unwrap().trace.clone()
    }

    /// How many observers there are now.
    pub(crate) fn observers(&self) -> usize {
        self.0.messages.lock().unwrap().len() + self.0.models.lock().unwrap().len()
    }

    /// How often anybody has subscribed.
    pub(crate) fn subscribed(&self) -> usize {
        self.0.subscribed.load(Ordering::Relaxed)
    }

    fn fact_of(&self, message: &Message, behaviour: Behaviour) {
        match message {
            Message::Add { request, .. } => {
                let request = request.clone();
                self.tell(&if behaviour == Behaviour::Decline {
                    Message::AddFailed { why: "the desk is full".into(), request }
                } else {
                    Message::Added { id: 7, request }
                });
            }
            Message::Count { to } => self.change(|model| model.count = *to),
            _ => {}
        }
    }
}

impl Host for DeskHost {
    type Model = Model;
    type Message = Message;

    fn model(&self) -> Arc<Model> {
        self.0.reads.fetch_add(1, Ordering::Relaxed);
        self.0.model.lock().unwrap().clone()
    }

    async fn dispatch(&self, message: Message) -> Result<(), BoxError> {
        self.trace().note("dispatch");
        self.0.sent.lock().unwrap().push(message.clone());
        let behaviour = *self.0.behaviour.lock().unwrap();
        match behaviour {
            Behaviour::Accept => {}
            Behaviour::Complete | Behaviour::Decline => self.fact_of(&message, behaviour),
            Behaviour::Slow => {
                yield_now().await;
                self.fact_of(&message, behaviour);
                yield_now().await;
            }
            Behaviour::Hang => std::future::pending().await,
            Behaviour::CompleteAndHang => {
                self.fact_of(&message, behaviour);
                std::future::pending::<()>().await;
            }
            Behaviour::Fail => return Err("postgres://user:hunter2@db is gone".into()),
            Behaviour::Panic => panic!("postgres://user:hunter2@db is gone"),
            Behaviour::Flash => {
                self.fact_of(&message, behaviour);
                self.change(|model| model.count = 0);
            }
        }
        Ok(())
    }

    fn observe_messages(&self, observer: MessageObserver<Message>) -> Option<Subscription> {
        Some(self.subscribe(|inner| &inner.messages, observer))
    }

    fn observe_model(&self, observer: ModelObserver<Model>) -> Option<Subscription> {
        Some(self.subscribe(|inner| &inner.models, observer))
    }
}

impl DeskHost {
    fn subscribe<T: Send + 'static>(
        &self,
        list: fn(&Inner) -> &Mutex<Vec<(usize, T)>>,
        observer: T,
    ) -> Subscription {
        let key = self.0.next.fetch_add(1, Ordering::Relaxed);
        self.0.subscribed.fetch_add(1, Ordering::Relaxed);
        list(&self.0).lock().unwrap().push((key, observer));
        let inner = Arc::downgrade(&self.0);
        Subscription::new(move || {
            if let Some(inner) = inner.upgrade() {
                list(&inner).lock().unwrap().retain(|(other, _)| *other != key);
            }
        })
    }
}

/// The desk behind its in-process door.
pub(crate) fn desk(host: &DeskHost) -> InProcess<User> {
    desk_as(host, User::ada())
}

pub(crate) fn desk_as(host: &DeskHost, user: User) -> InProcess<User> {
    runtime(host).acting_as(user)
}

pub(crate) fn runtime(host: &DeskHost) -> Runtime<User> {
    let runtime = Server::bind(Desk, host.clone()).runtime().unwrap();
    // Binding probes what the host tells; what follows counts from here.
    host.0.subscribed.store(0, Ordering::Relaxed);
    host.0.reads.store(0, Ordering::Relaxed);
    runtime
}

pub(crate) fn titled(title: &str) -> Value {
    json!({"title": title})
}

pub(crate) fn status(outcome: &Outcome) -> Status {
    outcome.code().status
}

/// Lets spawned tasks and `time` pass; the clock is paused in these tests.
pub(crate) async fn pass(time: Duration) {
    let _ = tokio::time::timeout(time, std::future::pending::<()>()).await;
}

/// Polls a call once and gives its outcome, if it has ended.
pub(crate) async fn poll_once(
    call: &mut Pin<Box<impl Future<Output = Outcome>>>,
) -> Option<Outcome> {
    poll_fn(|cx| match call.as_mut().poll(cx) {
        Poll::Ready(outcome) => Poll::Ready(Some(outcome)),
        Poll::Pending => Poll::Ready(None),
    })
    .await
}

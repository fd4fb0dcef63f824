//! The seam to the application: order, re-entrance, panics, effects (B41 to B51, B60 to B77, O56,
//! O57).

#![allow(clippy::unwrap_used)] // helpers of tests are tests

use std::future::Future;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc;
use std::sync::{Arc, Barrier, Mutex, OnceLock};
use std::task::{Context, Poll, Waker};
use std::thread;

use agent_mcp::BoxError;
use agent_mcp::host::{
    Effects, Fixed, Host, Narrow, Never, SendError, SharedHost, Store, Subscription,
};

#[derive(Debug, Clone, PartialEq)]
enum Message {
    Add(u32),
    Twice(u32),
    Later(u32),
    Panic,
}

type Counter = Store<u32, Message>;

fn update(count: &u32, message: Message) -> (u32, Effects<Message>) {
    match message {
        Message::Add(n) => (count + n, Effects::none()),
        Message::Twice(n) => (count + n, Effects::send(Message::Add(n))),
        Message::Later(n) => (*count, Effects::run(async move { Message::Add(n) })),
        Message::Panic => panic!("the update gives up"),
    }
}

fn counter() -> Counter {
    Store::new(0, update)
}

/// A shared list that observers write and tests read.
#[derive(Clone, Default)]
struct Seen<T>(Arc<Mutex<Vec<T>>>);

impl<T> Seen<T> {
    fn new() -> Self {
        Self(Arc::default())
    }

    fn push(&self, item: T) {
        self.0.lock().unwrap().push(item);
    }

    fn take(&self) -> Vec<T> {
        std::mem::take(&mut self.0.lock().unwrap())
    }
}

fn on_message(host: &Counter, f: impl Fn(&Message) + Send + Sync + 'static) -> Subscription {
    host.observe_messages(Arc::new(f)).expect("a store tells")
}

fn on_model(host: &Counter, f: impl Fn(&u32) + Send + Sync + 'static) -> Subscription {
    host.observe_model(Arc::new(move |model: &Arc<u32>| f(model))).expect("a store tells")
}

fn messages_of(store: &Counter) -> (Seen<Message>, Subscription) {
    let seen = Seen::new();
    let subscription = {
        let seen = seen.clone();
        on_message(store, move |message| seen.push(message.clone()))
    };
    (seen, subscription)
}

fn models_of(store: &Counter) -> (Seen<u32>, Subscription) {
    let seen = Seen::new();
    let subscription = {
        let seen = seen.clone();
        on_model(store, move |model| seen.push(*model))
    };
    (seen, subscription)
}

/// Runs a future that is ready at its first poll.
fn now<T>(future: impl Future<Output = T>) -> T {
    match std::pin::pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(value) => value,
        Poll::Pending => panic!("the future waits"),
    }
}

#[test]
fn b41_b43_a_snapshot_stays_as_it_is_while_the_model_moves_on() {
    let store = counter();
    let snapshot = store.model();
    store.send(Message::Add(1)).unwrap();
    assert_eq!((*snapshot, *store.model()), (0, 1));
}

#[test]
fn b42_clones_of_a_store_show_the_same_model() {
    let store = counter();
    store.clone().send(Message::Add(2)).unwrap();
    assert_eq!(*store.model(), 2);
}

#[test]
fn b62_an_observer_subscribed_before_the_send_sees_the_message_with_its_model_in_place() {
    let store = counter();
    let seen = Seen::new();
    let _subscription = on_message(&store, {
        let (seen, store) = (seen.clone(), store.clone());
        move |message| seen.push((message.clone(), *store.model()))
    });
    now(store.dispatch(Message::Add(3))).unwrap();
    assert_eq!(seen.take(), [(Message::Add(3), 3)]);
}

#[test]
fn a_model_is_told_before_the_message_that_made_it() {
    let store = counter();
    let seen = Seen::new();
    let (a, b) = (seen.clone(), seen.clone());
    let _messages = on_message(&store, move |_| a.push("message"));
    let _models = on_model(&store, move |_| b.push("model"));
    store.send(Message::Add(1)).unwrap();
    assert_eq!(seen.take(), ["model", "message"]);
}

#[test]
fn an_observer_is_told_of_nothing_before_its_subscription_and_nothing_after_it() {
    let store = counter();
    store.send(Message::Add(1)).unwrap();
    let (seen, subscription) = messages_of(&store);
    store.send(Message::Add(2)).unwrap();
    drop(subscription);
    store.send(Message::Add(3)).unwrap();
    assert_eq!(seen.take(), [Message::Add(2)]);
}

#[test]
fn what_an_observer_holds_is_let_go_with_its_subscription() {
    let store = counter();
    let held = Arc::new(());
    let subscription = on_message(&store, {
        let held = held.clone();
        move |_| drop(held.clone())
    });
    assert_eq!(Arc::strong_count(&held), 2);
    drop(subscription);
    assert_eq!(Arc::strong_count(&held), 1);
}

#[test]
fn an_observer_may_end_another_ones_subscription_and_its_own() {
    let store = counter();
    let slot = Arc::new(Mutex::new(Vec::new()));
    let calls = Seen::new();
    for name in ["first", "second"] {
        let (slot2, calls) = (slot.clone(), calls.clone());
        let subscription = on_message(&store, move |_| {
            calls.push(name);
            let ended: Vec<Subscription> = std::mem::take(&mut slot2.lock().unwrap());
            drop(ended);
        });
        slot.lock().unwrap().push(subscription);
    }
    store.send(Message::Add(1)).unwrap();
    store.send(Message::Add(1)).unwrap();
    assert_eq!(calls.take(), ["first"]);
}

#[test]
fn an_observer_may_subscribe_another_one_which_is_told_from_the_next_message_on() {
    let store = counter();
    let late = Seen::new();
    let subscriptions = Arc::new(Mutex::new(Vec::new()));
    let _first = on_message(&store, {
        let (store, late, subscriptions) = (store.clone(), late.clone(), subscriptions.clone());
        move |_| {
            let mut subscriptions = subscriptions.lock().unwrap();
            if subscriptions.is_empty() {
                let late = late.clone();
                subscriptions.push(on_message(&store, move |message| late.push(message.clone())));
            }
        }
    });
    store.send(Message::Add(1)).unwrap();
    store.send(Message::Add(2)).unwrap();
    assert_eq!(late.take(), [Message::Add(2)]);
    subscriptions.lock().unwrap().clear();
}

#[test]
fn what_an_observer_sends_is_told_after_the_present_message_has_been_told_to_all() {
    let store = counter();
    let seen = Seen::new();
    let _first = on_message(&store, {
        let (store, seen) = (store.clone(), seen.clone());
        move |message| {
            seen.push(("first", message.clone()));
            if *message == Message::Add(1) {
                store.send(Message::Add(10)).unwrap();
                // `dispatch` must not wait for the telling that goes on around it.
                now(store.dispatch(Message::Add(100))).unwrap();
            }
        }
    });
    let _second = on_message(&store, {
        let seen = seen.clone();
        move |message| seen.push(("second", message.clone()))
    });
    store.send(Message::Add(1)).unwrap();
    let told: Vec<_> = seen.take();
    let expected: Vec<_> = [1, 10, 100]
        .into_iter()
        .flat_map(|n| [("first", Message::Add(n)), ("second", Message::Add(n))])
        .collect();
    assert_eq!(told, expected);
    assert_eq!(*store.model(), 111);
}

#[test]
fn b72_a_transient_state_is_told() {
    // O56: nothing is coalesced, also when the next Model is there already.
    let store = Store::new(false, |_: &bool, to: bool| (to, to.then_some(false)));
    let seen = Seen::new();
    let _subscription = store.observe_model(Arc::new({
        let seen = seen.clone();
        move |model: &Arc<bool>| seen.push(**model)
    }));
    store.send(true).unwrap();
    assert_eq!(seen.take(), [true, false]);
    assert!(!*store.model());
}

#[test]
fn b74_a_panicking_observer_disturbs_neither_the_sender_nor_the_others() {
    let store = counter();
    let _bad = on_message(&store, |_| panic!("a bad observer"));
    let _worse = on_model(&store, |_| panic!("a bad observer"));
    let (messages, _messages) = messages_of(&store);
    let (models, _models) = models_of(&store);
    store.send(Message::Add(1)).unwrap();
    now(store.dispatch(Message::Add(2))).unwrap();
    assert_eq!(messages.take(), [Message::Add(1), Message::Add(2)]);
    assert_eq!(models.take(), [1, 3]);
}

#[test]
fn b47_o57_a_panicking_update_leaves_the_model_and_fails_that_dispatch_only() {
    let store = counter();
    let (messages, _messages) = messages_of(&store);
    store.send(Message::Add(1)).unwrap();
    assert_eq!(store.send(Message::Panic), Err(SendError::UpdatePanicked));
    let error = now(store.dispatch(Message::Panic)).unwrap_err();
    assert_eq!(error.downcast_ref(), Some(&SendError::UpdatePanicked));
    assert!(error.to_string().contains("the Model is as it was"), "{error}");
    assert_eq!(*store.model(), 1);
    store.send(Message::Add(1)).unwrap();
    assert_eq!(*store.model(), 2);
    assert_eq!(messages.take(), [Message::Add(1), Message::Add(1)]);
}

#[test]
fn a_message_that_follows_is_applied_before_the_send_returns() {
    let store = counter();
    let (messages, _messages) = messages_of(&store);
    store.send(Message::Twice(2)).unwrap();
    assert_eq!(*store.model(), 4);
    assert_eq!(messages.take(), [Message::Twice(2), Message::Add(2)]);
}

#[test]
fn an_update_may_send_to_its_own_store_and_reads_the_model_before() {
    let cell: Arc<OnceLock<Store<u32, u32>>> = Arc::default();
    let store = Store::new(0, {
        let cell = cell.clone();
        move |count: &u32, n: u32| {
            let store = cell.get().unwrap();
            assert_eq!(*store.model(), *count);
            if n == 1 {
                store.send(10).unwrap();
                store.replace(5);
            }
            count + n
        }
    });
    cell.set(store.clone()).unwrap();
    let seen = Seen::new();
    let _subscription = store.observe_model(Arc::new({
        let seen = seen.clone();
        move |model: &Arc<u32>| seen.push(**model)
    }));
    store.send(1).unwrap();
    assert_eq!(seen.take(), [1, 11, 5]);
}

#[test]
fn replacing_the_model_is_told_to_observers_of_models_only() {
    let store = counter();
    let (messages, _messages) = messages_of(&store);
    let (models, _models) = models_of(&store);
    let model = Arc::new(7);
    store.replace(model.clone());
    assert!(Arc::ptr_eq(&store.model(), &model), "the Model itself, not a copy");
    assert_eq!((models.take(), messages.take()), (vec![7], vec![]));
}

#[tokio::test]
async fn an_effect_sends_its_message_to_the_store() {
    let store = counter();
    store.dispatch(Message::Later(5)).await.unwrap();
    assert_eq!(*store.model(), 0, "nothing waits for an effect");
    assert_eq!(store.changes().until(|count| *count == 5).await.as_deref(), Some(&5));
}

#[tokio::test]
async fn an_update_may_return_the_forms_that_it_needs() {
    async fn settles<M: Clone + Send + 'static>(store: Store<u32, M>, message: M) {
        store.send(message).unwrap();
        store.changes().until(|count| *count == 2).await.unwrap();
    }
    #[derive(Clone, Copy)]
    struct More(u32);
    let less = |more: More| More(more.0 - 1);
    let go_on = |more: More| more.0 > 0;

    settles(Store::new(0, |_: &u32, more: More| more.0), More(2)).await;
    settles(Store::new(0, |_: &u32, more: More| (more.0, ())), More(2)).await;
    settles(
        Store::new(0, move |n: &u32, more: More| (n + 1, go_on(more).then(|| less(more)))),
        More(1),
    )
    .await;
    settles(
        Store::new(0, move |n: &u32, more: More| {
            (n + 1, if go_on(more) { vec![less(more)] } else { vec![] })
        }),
        More(1),
    )
    .await;
    settles(
        Store::new(0, move |n: &u32, more: More| {
            let effects = match more.0 {
                0 => Effects::none(),
                // Work may yield a Message, none, or further work.
                1 => Effects::run(async move { Effects::run(async move { Some(less(more)) }) })
                    .and(Effects::run(async {})),
                _ => Effects::run(async move { less(more) }),
            };
            (n + u32::from(more.0 < 2), effects)
        }),
        More(2),
    )
    .await;
}

#[tokio::test]
async fn a_panicking_effect_disturbs_nobody() {
    let store = Store::new(0, |count: &u32, n: u32| {
        let effects = match n {
            0 => Effects::run(async { if true { panic!("a bad effect") } else { 1 } }),
            _ => Effects::none(),
        };
        (count + n, effects)
    });
    store.dispatch(0).await.unwrap();
    tokio::task::yield_now().await;
    store.dispatch(1).await.unwrap();
    assert_eq!(*store.model(), 1);
}

#[tokio::test]
async fn an_effect_does_not_keep_its_store_alive() {
    let (release, released) = tokio::sync::oneshot::channel::<()>();
    let released = Mutex::new(Some(released));
    let store = Store::new(0, move |count: &u32, n: u32| {
        let work = released.lock().unwrap().take();
        let work =
            work.map(|released| Effects::run(async move { released.await.map(|()| n).ok() }));
        (*count, work.unwrap_or_default())
    });
    store.send(1).unwrap();
    let mut changes = store.changes();
    drop(store);
    assert!(changes.next().await.is_none(), "the store is gone while its work goes on");
    release.send(()).unwrap();
}

#[test]
fn an_effect_without_a_runtime_is_an_error_that_says_what_to_do() {
    let store = counter();
    let error = store.send(Message::Later(1)).unwrap_err();
    assert_eq!(error, SendError::NoRuntime);
    assert!(error.to_string().contains("Store::on"), "{error}");

    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let store = counter().on(runtime.handle().clone());
    store.send(Message::Later(1)).unwrap();
    let mut changes = store.changes();
    assert_eq!(*runtime.block_on(changes.until(|count| *count == 1)).unwrap(), 1);
}

#[tokio::test]
async fn changes_show_the_newest_model_and_end_with_the_store() {
    let store = counter();
    let mut changes = store.changes();
    store.send(Message::Add(1)).unwrap();
    store.send(Message::Add(1)).unwrap();
    assert_eq!(changes.next().await.as_deref(), Some(&2));
    assert_eq!(*changes.latest(), 2);
    drop(store);
    assert!(changes.next().await.is_none());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_dispatch_is_done_when_everybody_has_been_told_by_whichever_thread() {
    let store = counter();
    let gate = Arc::new(Barrier::new(2));
    let told = Arc::new(AtomicUsize::new(0));
    let _subscription = on_message(&store, {
        let (gate, told) = (gate.clone(), told.clone());
        move |message| {
            if *message == Message::Add(1) {
                gate.wait();
                gate.wait();
            }
            told.fetch_add(1, Ordering::SeqCst);
        }
    });
    let teller = thread::spawn({
        let store = store.clone();
        move || store.send(Message::Add(1)).unwrap()
    });
    gate.wait();
    // The other thread is inside of the observer now.
    let mut dispatch = Box::pin(store.dispatch(Message::Add(2)));
    let polled = dispatch.as_mut().poll(&mut Context::from_waker(Waker::noop()));
    assert!(polled.is_pending(), "the other thread has not told of it yet");
    assert_eq!(*store.model(), 3, "but the Model is in place");
    // A blocking sender is not held up by a slow observer.
    store.send(Message::Add(3)).unwrap();
    assert_eq!(*store.model(), 6);
    gate.wait();
    dispatch.await.unwrap();
    assert!(told.load(Ordering::SeqCst) >= 2);
    teller.join().unwrap();
    assert_eq!(told.load(Ordering::SeqCst), 3, "and the thread that tells has told all");
}

#[test]
fn a_dropped_dispatch_is_told_all_the_same() {
    let store = counter();
    let gate = Arc::new(Barrier::new(2));
    let seen = Seen::new();
    let _subscription = on_message(&store, {
        let (gate, seen) = (gate.clone(), seen.clone());
        move |message| {
            if *message == Message::Add(1) {
                gate.wait();
                gate.wait();
            }
            seen.push(message.clone());
        }
    });
    thread::scope(|scope| {
        scope.spawn(|| store.send(Message::Add(1)).unwrap());
        gate.wait();
        let mut dispatch = Box::pin(store.dispatch(Message::Add(2)));
        assert!(dispatch.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending());
        drop(dispatch);
        gate.wait();
    });
    assert_eq!(seen.take(), [Message::Add(1), Message::Add(2)]);
}

#[test]
fn an_observer_may_wait_for_a_thread_that_sends() {
    let store = counter();
    let once = AtomicBool::new(false);
    let _subscription = on_message(&store, {
        let store = store.clone();
        move |_| {
            if !once.swap(true, Ordering::SeqCst) {
                let store = store.clone();
                thread::spawn(move || store.send(Message::Add(10)).unwrap()).join().unwrap();
            }
        }
    });
    store.send(Message::Add(1)).unwrap();
    assert_eq!(*store.model(), 11);
}

#[test]
fn two_stores_that_send_to_each_other_do_not_wait_for_each_other() {
    let (left, right) = (counter(), counter());
    let link = |from: &Counter, to: &Counter| {
        let to = to.clone();
        on_message(from, move |message| {
            if let Message::Twice(n) = message {
                to.send(Message::Add(*n)).unwrap();
            }
        })
    };
    let _links = (link(&left, &right), link(&right, &left));
    thread::scope(|scope| {
        for store in [&left, &right] {
            scope.spawn(move || (0..2000).for_each(|_| store.send(Message::Twice(1)).unwrap()));
        }
    });
    assert_eq!((*left.model(), *right.model()), (6000, 6000));
}

#[test]
fn observers_see_the_order_of_application_under_many_senders() {
    const THREADS: u32 = 8;
    const EACH: u32 = 500;
    // The Model is the list of what was applied, so the order of application is known.
    let store = Store::new(Vec::new(), |applied: &Vec<(u32, u32)>, message: (u32, u32)| {
        let mut applied = applied.clone();
        applied.push(message);
        applied
    });
    let (messages, lengths) = (Seen::new(), Seen::new());
    let overlap = Arc::new(AtomicBool::new(false));
    let _messages = store.observe_messages(Arc::new({
        let (messages, overlap) = (messages.clone(), overlap.clone());
        move |message: &(u32, u32)| {
            assert!(!overlap.swap(true, Ordering::SeqCst), "one observer is called once at a time");
            messages.push(*message);
            overlap.store(false, Ordering::SeqCst);
        }
    }));
    let _models = store.observe_model(Arc::new({
        let lengths = lengths.clone();
        move |model: &Arc<Vec<_>>| lengths.push(model.len())
    }));
    let start = Barrier::new(THREADS as usize);
    thread::scope(|scope| {
        for sender in 0..THREADS {
            let (store, start) = (&store, &start);
            scope.spawn(move || {
                let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
                start.wait();
                for n in 0..EACH {
                    if sender % 2 == 0 {
                        store.send((sender, n)).unwrap();
                    } else {
                        runtime.block_on(store.dispatch((sender, n))).unwrap();
                    }
                    let model = store.model();
                    assert!(model.contains(&(sender, n)), "a sender sees its own Message applied");
                    // Observers come and go meanwhile.
                    drop(store.observe_messages(Arc::new(|_: &_| {})));
                }
            });
        }
    });
    let applied = store.model();
    assert_eq!(applied.len(), (THREADS * EACH) as usize);
    assert_eq!(messages.take(), *applied);
    assert_eq!(lengths.take(), (1..=applied.len()).collect::<Vec<_>>());
    for sender in 0..THREADS {
        let own: Vec<_> = applied.iter().filter(|(by, _)| *by == sender).map(|(_, n)| *n).collect();
        assert_eq!(own, (0..EACH).collect::<Vec<_>>());
    }
}

#[test]
fn a_sender_far_ahead_of_the_observers_waits_for_them() {
    let store = counter();
    let (entered, inside) = mpsc::channel();
    let (release, released) = mpsc::channel::<()>();
    let released = Mutex::new(Some(released));
    let told = Arc::new(AtomicUsize::new(0));
    let _subscription = on_message(&store, {
        let told = told.clone();
        move |_| {
            if let Some(released) = released.lock().unwrap().take() {
                entered.send(()).unwrap();
                released.recv().unwrap();
            }
            told.fetch_add(1, Ordering::SeqCst);
        }
    });
    let sent = AtomicUsize::new(0);
    thread::scope(|scope| {
        scope.spawn(|| store.send(Message::Add(1)).unwrap());
        inside.recv().unwrap();
        let ahead = scope.spawn(|| {
            for _ in 0..1000 {
                store.send(Message::Add(1)).unwrap();
                sent.fetch_add(1, Ordering::SeqCst);
            }
        });
        // The 256th is applied, but its sender is held until the observer is released.
        while *store.model() < 257 {
            thread::yield_now();
        }
        for _ in 0..100 {
            thread::yield_now();
            assert_eq!((*store.model(), sent.load(Ordering::SeqCst) <= 255), (257, true));
        }
        release.send(()).unwrap();
        ahead.join().unwrap();
    });
    assert_eq!(told.load(Ordering::SeqCst), 1001);
}

#[test]
fn an_observer_never_waits_for_the_observers_of_another_store() {
    let (here, there) = (counter(), counter());
    let gate = Arc::new(Barrier::new(2));
    let _slow = on_message(&there, {
        let (gate, once) = (gate.clone(), AtomicBool::new(false));
        move |_| {
            if !once.swap(true, Ordering::SeqCst) {
                gate.wait();
                gate.wait();
            }
        }
    });
    let _link = on_message(&here, {
        let there = there.clone();
        move |_| (0..1000).for_each(|_| there.send(Message::Add(1)).unwrap())
    });
    thread::scope(|scope| {
        scope.spawn(|| there.send(Message::Add(1)).unwrap());
        gate.wait();
        // The slow observer is held until this has returned.
        here.send(Message::Add(1)).unwrap();
        gate.wait();
    });
    assert_eq!(*there.model(), 1001);
}

#[test]
fn b51_a_host_that_tells_nothing_says_so() {
    struct Silent;
    impl Host for Silent {
        type Model = ();
        type Message = ();
        fn model(&self) -> Arc<()> {
            Arc::default()
        }
        async fn dispatch(&self, (): ()) -> Result<(), BoxError> {
            Err("the application is closed".into())
        }
    }
    assert!(Silent.observe_model(Arc::new(|_| {})).is_none());
    assert!(Silent.observe_messages(Arc::new(|_| {})).is_none());
    // B47: a host may fail; the error is passed on as it is.
    let erased: SharedHost<(), ()> = Arc::new(Silent);
    assert_eq!(now(erased.dispatch(())).unwrap_err().to_string(), "the application is closed");
}

#[test]
fn a_fixed_host_has_one_model_and_no_messages() {
    struct Weather;
    let host = Fixed::new(Weather);
    assert!(Arc::ptr_eq(&host.model(), &host.clone().model()));
    assert!(host.observe_model(Arc::new(|_| {})).is_none());
    fn takes_no_messages<H: Host<Message = Never>>(_: &H) {}
    takes_no_messages(&host);
    let model = Arc::new(Weather);
    assert!(Arc::ptr_eq(&Fixed::from(model.clone()).model(), &model));
}

#[test]
fn a_host_behind_a_pointer_is_the_same_host() {
    fn erased(host: impl Host<Model = u32, Message = Message>) -> SharedHost<u32, Message> {
        Arc::new(host)
    }
    let store = counter();
    let host = erased(Arc::new(store.clone()));
    let seen: Seen<Message> = Seen::new();
    let subscription = {
        let seen = seen.clone();
        host.observe_messages(Arc::new(move |message| seen.push(message.clone())))
    };
    now(host.dispatch(Message::Add(4))).unwrap();
    drop(subscription);
    now(host.dispatch(Message::Add(1))).unwrap();
    assert_eq!((*host.model(), *store.model()), (5, 5));
    assert_eq!(seen.take(), [Message::Add(4)]);
}

#[test]
fn b21_an_agent_of_a_part_is_served_by_the_wider_host() {
    #[derive(Debug, Clone, PartialEq)]
    enum Wide {
        Count(Message),
        Rename(&'static str),
    }
    struct App {
        count: Arc<u32>,
        name: &'static str,
    }
    let store =
        Store::new(
            App { count: Arc::new(0), name: "one" },
            |app: &App, message: Wide| match message {
                Wide::Count(message) => {
                    let (count, effects) = update(&app.count, message);
                    (App { count: Arc::new(count), name: app.name }, effects.map(Wide::Count))
                }
                Wide::Rename(name) => (App { count: app.count.clone(), name }, Effects::none()),
            },
        );
    let part = Narrow::new(
        store.clone(),
        |app: &App| app.count.clone(),
        Wide::Count,
        |message: &Wide| match message {
            Wide::Count(message) => Some(message),
            Wide::Rename(_) => None,
        },
    );
    let (messages, models) = (Seen::new(), Seen::new());
    let _messages = part.observe_messages(Arc::new({
        let messages = messages.clone();
        move |message: &Message| messages.push(message.clone())
    }));
    let _models = part.observe_model(Arc::new({
        let models = models.clone();
        move |count: &Arc<u32>| models.push(count.clone())
    }));
    now(part.dispatch(Message::Twice(1))).unwrap();
    store.send(Wide::Rename("two")).unwrap();
    assert_eq!(store.model().name, "two");
    assert_eq!(messages.take(), [Message::Twice(1), Message::Add(1)]);
    // B75: the part is the same value, not an equal one, so a reader can tell that nothing changed.
    let models = models.take();
    assert_eq!(models, [Arc::new(1), Arc::new(2), Arc::new(2)]);
    assert!(Arc::ptr_eq(&models[1], &models[2]));
}

#[test]
fn o57_a_panic_in_the_end_of_a_subscription_stays_there() {
    drop(Subscription::new(|| panic!("cannot unsubscribe")));
}

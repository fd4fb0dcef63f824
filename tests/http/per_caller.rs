//! Agents that are made for each caller (B154, O21, O29; design 2).

use std::{
    sync::{
        Arc, Mutex, Weak,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use agent_mcp::{
    Context, Effects, Failure, Limits, Principal, PrincipalId, Server, Store, agent,
    transport::http::{MemoryStore, bearer},
};
use bytes::Bytes;
use http::{HeaderValue, Method, Request};
use http_body_util::Full;
use serde_json::{Value, json};
use tokio::sync::Notify;

use crate::{
    client::{Answer, Client, message, modern, post, request},
    sessions::{initialize, with},
};

struct User {
    name: String,
    may_write: bool,
}

impl Principal for User {
    fn id(&self) -> PrincipalId {
        PrincipalId::local(&self.name)
    }
}

/// A token is a name; who shows it as `NAME-reader` may do less.
async fn verify(token: String) -> Option<User> {
    let name = token.trim_end_matches("-reader").to_owned();
    Some(User { may_write: name == token, name })
}

/// What becomes of an attempt to make a diary.
#[derive(Clone, Copy)]
enum Mood {
    Willing,
    /// It waits until it is told to go on.
    Slow,
    Refusing,
    Broken,
}

/// What the test decides of the diaries, and what it learns.
struct Shop {
    mood: Mutex<Mood>,
    go_on: Notify,
    made: AtomicUsize,
    diaries: Mutex<Vec<Made>>,
}

/// A diary that was made.
struct Made {
    /// Whether it is still there.
    alive: Weak<()>,
    pages: Store<usize, Wrote>,
}

struct Diary {
    started: Arc<Notify>,
    end: Arc<Notify>,
    _alive: Arc<()>,
}

#[derive(Clone)]
struct Wrote;

#[agent(model = usize, message = Wrote, principal = User)]
impl Diary {
    /// Writes a page.
    #[capability(authorize = |call| call.principal.may_write, completion = when(|_, pages| *pages > 0))]
    fn write(_cx: &Context<Self>) -> Wrote {
        Wrote
    }

    /// How many pages there are.
    #[capability(read_only)]
    async fn count(&self, cx: &Context<Self>) -> usize {
        *cx.model()
    }

    /// Reads until it is told to stop.
    #[capability]
    async fn read(&self) {
        self.started.notify_one();
        self.end.notified().await;
    }

    /// Tears the last page out.
    #[capability(available = |pages| *pages > 0)]
    async fn tear(&self) {}
}

struct Served {
    client: Client,
    shop: Arc<Shop>,
    started: Arc<Notify>,
    end: Arc<Notify>,
}

fn serve(change: impl FnOnce(&mut Limits)) -> Served {
    serve_from(MemoryStore::new(), change)
}

/// Servers that share a store serve each other's sessions.
fn serve_from(store: MemoryStore, change: impl FnOnce(&mut Limits)) -> Served {
    let shop = Arc::new(Shop {
        mood: Mutex::new(Mood::Willing),
        go_on: Notify::new(),
        made: AtomicUsize::new(0),
        diaries: Mutex::default(),
    });
    let (started, end) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
    let (maker, signals) = (shop.clone(), (started.clone(), end.clone()));
    let server = Server::per_caller(move |_: Arc<User>| {
        let (shop, (started, end)) = (maker.clone(), signals.clone());
        async move {
            shop.made.fetch_add(1, Ordering::Relaxed);
            let mood = *shop.mood.lock().unwrap();
            match mood {
                Mood::Willing => {}
                Mood::Slow => shop.go_on.notified().await,
                Mood::Refusing => return Err(Failure::say("You have no diary")),
                Mood::Broken => return Err(std::io::Error::other("the secret cause").into()),
            }
            let pages = Store::new(0, |pages: &usize, _: Wrote| (pages + 1, Effects::none()));
            let alive = Arc::new(());
            let made = Made { alive: Arc::downgrade(&alive), pages: pages.clone() };
            shop.diaries.lock().unwrap().push(made);
            Ok((Diary { started, end, _alive: alive }, pages))
        }
    });
    let http = server.limits(change).http().sessions(store).authenticate(bearer(verify));
    Served { client: Client::of(http), shop, started, end }
}

impl Served {
    fn made(&self) -> usize {
        self.shop.made.load(Ordering::Relaxed)
    }

    fn be(&self, mood: Mood) {
        *self.shop.mood.lock().unwrap() = mood;
    }

    /// How many diaries are there.
    fn alive(&self) -> usize {
        let diaries = self.shop.diaries.lock().unwrap();
        diaries.iter().filter(|made| made.alive.strong_count() > 0).count()
    }

    async fn call(&self, token: &str, tool: &str) -> Answer {
        self.client.send(call(token, tool)).await
    }

    async fn open(&self, token: &str) -> Answer {
        self.client.post(&[("authorization", &bearing(token))], initialize("2025-11-25")).await
    }

    /// Opens a session and gives its id.
    async fn session(&self, token: &str) -> String {
        self.open(token).await.header("mcp-session-id").unwrap().to_owned()
    }

    async fn call_in(&self, session: &str, token: &str, tool: &str) -> Answer {
        self.client.send(call_in(session, token, tool)).await
    }
}

fn bearing(token: &str) -> String {
    format!("Bearer {token}")
}

/// A call without a session.
fn call(token: &str, tool: &str) -> Request<Full<Bytes>> {
    as_caller(token, modern("tools/call", json!({ "name": tool })))
}

fn as_caller(token: &str, mut request: Request<Full<Bytes>>) -> Request<Full<Bytes>> {
    let value = HeaderValue::try_from(bearing(token)).unwrap();
    request.headers_mut().insert("authorization", value);
    request
}

fn call_in(session: &str, token: &str, tool: &str) -> Request<Full<Bytes>> {
    let body = message(1, "tools/call", json!({ "name": tool })).to_string();
    post(&with(session, &[("authorization", &bearing(token))]), body)
}

fn text(answer: &Answer) -> Value {
    answer.result()["content"][0]["text"].clone()
}

#[tokio::test]
async fn b154_each_session_has_its_own() {
    let served = serve(|_| {});
    let (one, other) = (served.session("ada").await, served.session("ada").await);
    assert_eq!(served.made(), 2);
    served.call_in(&one, "ada", "write").await.result();
    assert_eq!(text(&served.call_in(&one, "ada", "count").await), "1");
    assert_eq!(text(&served.call_in(&other, "ada", "count").await), "0");
    // It goes with its session.
    let headers = with(&one, &[("authorization", "Bearer ada")]);
    let answer = served.client.send(request(Method::DELETE, &headers, "")).await;
    assert_eq!(answer.status, 204);
    assert_eq!((served.alive(), served.made()), (1, 2));
}

#[tokio::test]
async fn b154_a_session_that_goes_on_at_another_server_has_its_own_there() {
    let store = MemoryStore::new();
    let (one, other) = (serve_from(store.clone(), |_| {}), serve_from(store, |_| {}));
    let session = one.session("ada").await;
    other.be(Mood::Broken);
    assert_eq!(other.call_in(&session, "ada", "count").await.error(500), -32603);
    // The session is none the worse for it.
    other.be(Mood::Willing);
    other.call_in(&session, "ada", "write").await.result();
    assert_eq!(text(&other.call_in(&session, "ada", "count").await), "1");
    assert_eq!(text(&one.call_in(&session, "ada", "count").await), "0");
    assert_eq!((one.made(), other.made()), (1, 2));
    // To a stranger there is nothing, and nothing is made.
    assert_eq!(other.call_in(&session, "bob", "count").await.status, 404);
    assert_eq!(other.made(), 2);
}

#[tokio::test]
async fn b154_without_sessions_each_caller_has_its_own() {
    let served = serve(|_| {});
    served.call("ada", "write").await.result();
    assert_eq!(text(&served.call("ada", "count").await), "1");
    assert_eq!(text(&served.call("bob", "count").await), "0");
    assert_eq!(served.made(), 2);
    // And none of them is a session's.
    let session = served.session("ada").await;
    assert_eq!(text(&served.call_in(&session, "ada", "count").await), "0");
}

#[tokio::test]
async fn callers_without_a_name_are_one_caller() {
    struct Tally(AtomicUsize);

    #[agent(name = "tally")]
    impl Tally {
        /// Counts.
        #[capability]
        async fn count(&self) -> usize {
            self.0.fetch_add(1, Ordering::Relaxed)
        }
    }

    let server = Server::per_caller(|_: Arc<()>| async { Ok(Tally(AtomicUsize::new(0))) });
    let client = Client::of(server.http());
    for count in 0..3 {
        let answer = client.modern("tools/call", json!({"name": "count"})).await;
        assert_eq!(text(&answer), count.to_string());
    }
}

#[tokio::test]
async fn what_is_no_good_request_makes_nothing() {
    let served = serve(|_| {});
    let authorization = bearing("ada");
    let headers = [("authorization", &*authorization)];
    for body in ["nonsense", "[1]", "{}", r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#] {
        assert!(served.client.post(&headers, body).await.status.is_client_error(), "{body}");
    }
    let mut request = call("ada", "count");
    request.headers_mut().insert("host", HeaderValue::from_static("evil.example"));
    assert_eq!(served.client.send(request).await.status, 403);
    assert_eq!(served.made(), 0);
}

#[tokio::test]
async fn two_first_requests_at_once_make_one() {
    let served = serve(|_| {});
    served.be(Mood::Slow);
    let (one, other, ()) =
        tokio::join!(served.call("ada", "count"), served.call("ada", "count"), async {
            tokio::task::yield_now().await;
            served.shop.go_on.notify_one();
        });
    assert_eq!((text(&one), text(&other), served.made()), (json!("0"), json!("0"), 1));
}

#[tokio::test]
async fn o29_a_failure_leaves_nothing_behind() {
    let served = serve(|_| {});
    for (mood, status, code) in [(Mood::Broken, 500, -32603), (Mood::Refusing, 403, -32600)] {
        served.be(mood);
        for answer in [served.open("ada").await, served.call("ada", "count").await] {
            assert_eq!(answer.error(status), code);
            assert_eq!(answer.header("mcp-session-id"), None);
            let said = answer.json();
            assert!(said["id"].is_number(), "{said}");
            let said = said["error"]["message"].as_str().unwrap().to_owned();
            assert!(!said.contains("secret"), "{said}");
            assert_eq!(said.contains("You have no diary"), status == 403, "{said}");
        }
    }
    assert_eq!((served.made(), served.alive()), (4, 0));
    // It is not kept.
    served.be(Mood::Willing);
    assert_eq!(text(&served.call("ada", "count").await), "0");
    served.session("ada").await;
}

#[tokio::test]
async fn who_goes_away_while_an_agent_is_made_leaves_nothing_behind() {
    let served = serve(|_| {});
    served.be(Mood::Slow);
    for request in
        [call("ada", "count"), post(&[("authorization", "Bearer ada")], initialize("2025-11-25"))]
    {
        let gone = tokio::time::timeout(Duration::from_millis(50), served.client.send(request));
        assert!(gone.await.is_err());
    }
    assert_eq!(served.made(), 2);
    served.be(Mood::Willing);
    assert_eq!(text(&served.call("ada", "count").await), "0");
    assert_eq!((served.made(), served.alive()), (3, 1));
}

#[tokio::test]
async fn o21_rights_that_are_taken_away_count_at_the_next_call() {
    let served = serve(|_| {});
    let session = served.session("ada").await;
    let status = |answer: Answer| {
        answer.result()["_meta"]["agent-mcp/outcome"]["status"].as_str().unwrap().to_owned()
    };
    for (token, expected) in [("ada", "completed"), ("ada-reader", "unauthorized")] {
        assert_eq!(status(served.call_in(&session, token, "write").await), expected);
        assert_eq!(status(served.call(token, "write").await), expected);
    }
    assert_eq!(served.made(), 2);
}

#[tokio::test]
async fn at_the_limit_the_idle_one_goes_and_the_busy_one_stays() {
    let served = serve(|limits| limits.callers = 1);
    served.call("ada", "write").await.result();
    assert_eq!(text(&served.call("bob", "count").await), "0");
    assert_eq!((served.alive(), served.made()), (1, 2));

    let client = served.client.clone();
    let reading = tokio::spawn(async move { client.send(call("bob", "read")).await });
    served.started.notified().await;
    let answer = served.call("ada", "count").await;
    assert_eq!((answer.error(429), answer.header("retry-after")), (-32600, Some("1")));
    assert!(answer.json()["error"]["message"].as_str().unwrap().contains("`callers`"));
    // A session has room of its own.
    served.session("ada").await;

    served.end.notify_one();
    reading.await.unwrap().result();
    assert_eq!(text(&served.call("ada", "count").await), "0");
}

#[tokio::test(start_paused = true)]
async fn one_that_nobody_uses_is_dropped_and_a_busy_one_is_not() {
    let idle = Duration::from_secs(60);
    let served = serve(|limits| limits.session_idle = idle);
    served.call("ada", "count").await.result();
    let client = served.client.clone();
    let reading = tokio::spawn(async move { client.send(call("bob", "read")).await });
    served.started.notified().await;
    let listen = json!({"notifications": {"toolsListChanged": true}});
    let listen = as_caller("cyd", modern("subscriptions/listen", listen));
    let mut stream = served.client.stream(listen).await;
    stream.messages().await;
    assert_eq!(served.alive(), 3);
    tokio::time::sleep(idle * 3).await;
    assert_eq!((served.alive(), served.made()), (2, 3));

    served.end.notify_one();
    reading.await.unwrap().result();
    drop(stream);
    tokio::time::sleep(idle * 3).await;
    assert_eq!(served.alive(), 0);
}

#[tokio::test(start_paused = true)]
async fn each_stream_is_told_of_its_own_callers_changes() {
    let served = serve(|_| {});
    let listen = json!({"notifications": {"toolsListChanged": true}});
    let mut streams = Vec::new();
    for token in ["ada", "bob"] {
        let listen = as_caller(token, modern("subscriptions/listen", listen.clone()));
        let mut stream = served.client.stream(listen).await;
        stream.messages().await;
        streams.push(stream);
    }
    let pages = |place: usize| served.shop.diaries.lock().unwrap()[place].pages.clone();
    for (place, stream) in streams.iter_mut().enumerate() {
        pages(place).send(Wrote).unwrap();
        let told = stream.messages().await;
        assert_eq!(
            (told.len(), &told[0]["method"]),
            (1, &json!("notifications/tools/list_changed"))
        );
    }
    // Only their own: nothing else waits.
    for stream in &mut streams {
        let more = tokio::time::timeout(Duration::from_secs(5), stream.messages());
        assert!(more.await.is_err());
    }
}

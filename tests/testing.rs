//! The client for the tests of agents: what it shows, and what it says when a test fails.
#![allow(clippy::unwrap_used)] // Tests.

use std::{panic::AssertUnwindSafe, time::Duration};

use agent_mcp::{
    Choice, Context, Effects, Failure, Form, LogLevel, Principal, PrincipalId, Sampling, Server,
    Store, agent, data,
    testing::{Answer, Connecting, Notice, connect},
};
use serde_json::{Value, json};

const ALL: [&str; 5] = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"];
/// The revisions in which a person can be asked.
const ASKING: [&str; 3] = [ALL[2], ALL[3], ALL[4]];

#[derive(Clone)]
struct User(&'static str);

impl Principal for User {
    fn id(&self) -> PrincipalId {
        PrincipalId::local(self.0)
    }
}

#[data]
#[derive(Debug, PartialEq)]
struct Page {
    number: u32,
}

#[derive(Debug, Clone, Copy, Choice)]
enum Colour {
    Red,
    Blue,
}

#[derive(Form)]
struct Paint {
    colour: Colour,
}

/// The message: turn to that page.
#[derive(Clone)]
struct Turn(u32);

/// It takes so long to read.
struct Book(Duration);

/// A book.
#[agent(name = "book", model = u32, message = Turn, principal = User)]
impl Book {
    /// Turn to a page.
    #[capability]
    fn turn(to: u32) -> Turn {
        Turn(to)
    }

    /// Tear the page out.
    #[capability(available = |page| *page > 0, authorize = |call| call.principal.0 == "ada")]
    fn tear() -> Turn {
        Turn(0)
    }

    /// The page, and how it is found.
    #[capability(read_only)]
    async fn page(&self, cx: &Context<Self>) -> Page {
        cx.log(LogLevel::Debug, "looking");
        cx.progress().say(1.0, Some(2.0), "turning");
        Page { number: *cx.model() }
    }

    /// Some numbers.
    #[capability(read_only)]
    async fn numbers(&self) -> Vec<i64> {
        vec![1, 2]
    }

    /// A text that looks like a number.
    #[capability(read_only)]
    async fn title(&self) -> &'static str {
        "1984"
    }

    /// Fail.
    #[capability]
    async fn fail(&self) -> Result<(), Failure> {
        Err(Failure::protocol(-32000, "torn"))
    }

    /// Read all night.
    #[capability(read_only, task = "optional")]
    async fn all_night(&self, cx: &Context<Self>) -> Result<String, Failure> {
        cx.progress().say(1.0, None, "yawning");
        tokio::time::sleep(self.0).await;
        let paint: Paint = cx.ask("paint", "Which colour is the dawn?").await?;
        Ok(format!("{:?}", paint.colour))
    }

    /// What it is about.
    #[capability(read_only)]
    async fn about(&self, cx: &Context<Self>) -> Result<String, Failure> {
        let roots = cx.roots().await?;
        let sampled = cx.sample("sum", Sampling::new("Sum it up")).await?;
        Ok(format!("{} in {}", sampled.text(), roots[0].uri))
    }

    /// The page that is open.
    #[resource]
    fn open(cx: &Context<Self>) -> u32 {
        *cx.model()
    }

    /// The motto.
    #[resource]
    fn motto(_cx: &Context<Self>) -> String {
        "7".to_owned()
    }
}

const NIGHT: Duration = Duration::from_secs(1800);

fn book() -> (Store<u32, Turn>, Connecting<User>) {
    that_takes(NIGHT)
}

fn that_takes(time: Duration) -> (Store<u32, Turn>, Connecting<User>) {
    let store = Store::new(0, |_, Turn(page)| (page, Effects::none()));
    let client = connect(Server::bind(Book(time), store.clone()).principal(User("ada")));
    (store, client)
}

#[tokio::test]
async fn values_are_those_of_the_methods_in_every_revision() {
    for revision in ALL {
        let (_, client) = book();
        let book = client.at(revision).await;
        assert_eq!(book.call("page", ()).await.json::<Page>(), Page { number: 0 });
        assert_eq!(book.call("numbers", json!({})).await.json::<Vec<i64>>(), [1, 2]);
        assert_eq!(book.call("title", ()).await.text(), "1984");
        if revision >= ASKING[0] {
            assert_eq!(book.call("title", ()).await.json::<Value>(), "1984");
            assert_eq!(book.call("title", ()).await.json::<String>(), "1984");
        }
        assert_eq!(book.read("app://open").await.json::<u32>(), 0);
        assert_eq!(book.read("app://motto").await.json::<String>(), "7");
        assert_eq!(book.resources().await, ["app://open", "app://motto"]);
        assert_eq!(book.about()["serverInfo"]["name"], json!("book"), "{}", book.about());
        assert_eq!(book.about()["instructions"], "A book.");
        let turn = book.tool("turn").await;
        assert_eq!(turn["inputSchema"]["required"], json!(["to"]));
    }
}

#[tokio::test]
async fn failures_have_words_and_codes() {
    for revision in ALL {
        let (store, client) = book();
        let book = client.at(revision).await;
        let gone = book.call("tear", ()).await.failed();
        assert_eq!((gone.status.as_deref(), gone.code), (Some("unavailable"), None));
        store.send(Turn(3)).unwrap();
        let bob = book.beside(User("bob")).at(revision).await;
        let denied = bob.call("tear", ()).await.failed();
        assert_eq!(denied.status.as_deref(), Some("unauthorized"));
        let torn = book.call("fail", ()).await.failed();
        assert_eq!((torn.status, torn.code, &*torn.text), (None, Some(-32000), "torn"));
        let unknown = book.call("trun", ()).await.failed();
        assert!(unknown.text.contains("`turn`"), "{unknown}");
    }
}

#[tokio::test]
async fn changes_are_heard_by_whoever_listed() {
    for revision in ALL {
        let (store, client) = book();
        let book = client.at(revision).await;
        let bob = book.beside(User("bob")).at(revision).await;
        assert!(!book.tools().await.contains(&"tear".to_owned()));
        book.subscribe("app://open").await;
        store.send(Turn(3)).unwrap();
        let open = Notice::ResourceUpdated("app://open".to_owned());
        assert_eq!(book.heard().await, [Notice::ToolsChanged, open.clone()]);
        assert!(book.tools().await.contains(&"tear".to_owned()));
        assert!(book.call("turn", json!({"to": 4})).await.is_ok());
        assert_eq!(book.hears().await, open);
        assert_eq!(bob.heard().await, []);
    }
}

#[tokio::test]
async fn what_a_call_says_is_in_its_reply() {
    for revision in ALL {
        let (_, client) = book();
        let book = client.at(revision).await;
        let reply = book.call("page", ()).await;
        let message = (revision != ALL[0]).then(|| "turning".to_owned());
        let log = Notice::Log { level: LogLevel::Debug, data: json!("looking") };
        let progress = Notice::Progress { done: 1.0, total: Some(2.0), message };
        assert_eq!(reply.notices(), [log, progress]);
        assert_eq!(book.heard().await, []);
    }
}

#[tokio::test(start_paused = true)]
async fn questions_are_answered_as_prepared() {
    for revision in ASKING {
        let (_, client) = book();
        let book = client.at(revision).elicitation().sampling().roots(["file:///work"]).await;
        book.will_answer(Answer::accept(json!({"colour": "Blue"})));
        let reply = book.call("all_night", ()).await;
        assert_eq!(reply.text(), "Blue");
        assert_eq!(reply.asked(), ["Which colour is the dawn?"]);

        book.will_answer(Answer::says("whales"));
        let reply = book.call("about", ()).await;
        assert_eq!(reply.text(), "whales in file:///work");
        assert_eq!(reply.asked(), ["", "Sum it up"]);
        assert_eq!(reply.questions()[0].method, "roots/list");
    }
}

#[tokio::test(start_paused = true)]
async fn a_task_is_followed_and_asks_too() {
    let (_, client) = book();
    let book = client.elicitation().tasks().await;
    book.will_answer(Answer::accept(json!({"colour": "Red"})));
    let reply = book.call("all_night", ()).await;
    assert_eq!(reply.text(), "Red");
    assert_eq!(reply.notices(), [Notice::Task("yawning".to_owned())]);
    assert_eq!(reply.asked(), ["Which colour is the dawn?"]);
}

/// It is kept for an hour.
#[tokio::test(start_paused = true)]
async fn a_task_that_takes_too_long_is_given_up() {
    let (_, client) = that_takes(NIGHT * 9);
    let late = client.elicitation().tasks().await.call("all_night", ()).await.failed();
    assert!(late.text.contains("in the time for which it is kept"), "{late}");
}

#[tokio::test(start_paused = true)]
async fn a_call_that_nobody_waits_for_ends() {
    let store = Store::new(0, |_, Turn(page)| (page, Effects::none()));
    let audit = agent_mcp::AuditLog::new(9);
    let server = Server::bind(Book(NIGHT), store).audit(audit.clone()).principal(User("ada"));
    let book = connect(server).await;
    let night = tokio::time::timeout(Duration::from_secs(9), book.call("all_night", ()));
    assert!(night.await.is_err());
    while audit.entries().is_empty() {
        tokio::task::yield_now().await;
    }
    assert_eq!(audit.entries()[0].status.as_str(), "interrupted");
}

#[tokio::test]
async fn calls_may_be_made_at_the_same_time() {
    let (_, client) = book();
    let book = client.await;
    let (page, numbers) = tokio::join!(book.call("page", ()), book.call("numbers", ()));
    assert_eq!((page.json::<Page>().number, numbers.json::<Vec<i64>>().len()), (0, 2));
}

#[tokio::test]
async fn agents_that_are_made_per_caller_are_made_for_each_client() {
    struct Diary(&'static str);

    #[agent(principal = User)]
    impl Diary {
        /// Whose it is.
        #[capability]
        async fn whose(&self) -> &'static str {
            self.0
        }
    }

    let server = Server::per_caller(|user: std::sync::Arc<User>| async move { Ok(Diary(user.0)) });
    let ada = connect(server.principal(User("ada"))).await;
    let bob = ada.beside(User("bob")).at(ALL[3]).await;
    assert_eq!(ada.call("whose", ()).await.text(), "ada");
    assert_eq!(bob.call("whose", ()).await.text(), "bob");
}

/// A server whose lists never change has nothing to tell of them.
#[tokio::test]
async fn what_never_changes_is_listed_too() {
    struct Fixed;

    #[agent]
    impl Fixed {
        /// Nothing.
        #[capability]
        async fn nothing(&self) {}
    }

    for revision in ALL {
        let fixed = connect(Server::new(Fixed)).at(revision).await;
        assert_eq!(fixed.tools().await, ["nothing"]);
        assert_eq!(fixed.call("nothing", ()).await.text(), "ok");
        assert_eq!(fixed.heard().await, []);
    }
}

/// What a panic says.
async fn panic(test: impl Future<Output = ()>) -> String {
    use std::{future::poll_fn, panic::catch_unwind, pin::pin, task::Poll};
    let mut test = pin!(test);
    poll_fn(|cx| match catch_unwind(AssertUnwindSafe(|| test.as_mut().poll(cx))) {
        Ok(Poll::Pending) => Poll::Pending,
        Ok(Poll::Ready(())) => Poll::Ready("no panic".to_owned()),
        Err(panic) => Poll::Ready(*panic.downcast::<String>().unwrap()),
    })
    .await
}

#[tokio::test(start_paused = true)]
async fn a_test_that_fails_shows_what_the_server_said() {
    let (_, client) = book();
    let book = client.elicitation().await;
    let said = panic(async { drop(book.call("tear", ()).await.text()) }).await;
    assert!(said.contains("`tools/call` of `tear` failed (unavailable): "), "{said}");
    assert!(said.contains("at 2026-07-28 the server said {"), "{said}");
    let said = panic(async { drop(book.call("page", ()).await.json::<String>()) }).await;
    assert!(said.contains("is no `alloc::string::String`"), "{said}");
    assert!(said.contains("\"number\": 0") && said.contains("turning"), "{said}");
    let said = panic(async { drop(book.call("page", ()).await.failed()) }).await;
    assert!(said.contains("was to fail and went well"), "{said}");
    let said = panic(async { drop(book.call("all_night", ()).await) }).await;
    assert!(said.contains("no answer is prepared") && said.contains("the dawn?"), "{said}");
    let said = panic(async { drop(book.tool("tear").await) }).await;
    assert!(said.contains("there is no tool `tear`; there are \"turn\", "), "{said}");
    let said = panic(async { drop(book.hears().await) }).await;
    assert!(said.contains("said nothing"), "{said}");
    let said = panic(async { drop(self::book().1.at("2019-01-01").await) }).await;
    assert!(said.contains("does not speak `2019-01-01`; it speaks "), "{said}");
}

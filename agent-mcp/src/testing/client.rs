//! A client for tests.

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use serde::Serialize;
use serde_json::{Value, json};

use super::{Answer, Connecting, Notice, Question, Reply};
use crate::{
    client::{self, Failed, Person},
    mcp::Handlers,
    runtime::Principal,
};

/// How long a notice is waited for. Where time is paused, that is no time.
const PATIENCE: Duration = Duration::from_secs(10);

/// A client for the tests of an agent; [`connect`](super::connect) makes it.
///
/// Its methods panic where the server does something that a client cannot go on with. Whether a call went well is in its
/// [`Reply`].
pub struct Client<P: Principal = ()> {
    client: client::Client<P>,
    handlers: Arc<Handlers<P>>,
    roots: Vec<Value>,
    answers: Mutex<VecDeque<Answer>>,
    /// The lists of whose changes it is told.
    told: Mutex<Vec<&'static str>>,
}

/// A list of the protocol.
struct List {
    method: &'static str,
    member: &'static str,
    /// What tells its entries apart.
    key: &'static str,
    /// The capability of the server that says whether it is told of changes, and the word to ask for that.
    of: &'static str,
    flag: &'static str,
}

const TOOLS: List = List {
    method: "tools/list",
    member: "tools",
    key: "name",
    of: "tools",
    flag: "toolsListChanged",
};
const PROMPTS: List = List {
    method: "prompts/list",
    member: "prompts",
    key: "name",
    of: "prompts",
    flag: "promptsListChanged",
};
const RESOURCES: List = List {
    method: "resources/list",
    member: "resources",
    key: "uri",
    of: "resources",
    flag: "resourcesListChanged",
};
const TEMPLATES: List = List {
    method: "resources/templates/list",
    member: "resourceTemplates",
    key: "uriTemplate",
    ..RESOURCES
};

impl<P: Principal> Client<P> {
    pub(super) fn new(
        client: client::Client<P>,
        handlers: Arc<Handlers<P>>,
        roots: Vec<Value>,
    ) -> Self {
        Self { client, handlers, roots, answers: Mutex::default(), told: Mutex::default() }
    }

    /// One more client of the same server, which works for `principal`. Where agents are made per caller, it has its own.
    ///
    /// ```
    /// # use agent_mcp::{Context, Principal, PrincipalId, Server, agent, testing};
    /// # struct User(&'static str);
    /// # impl Principal for User { fn id(&self) -> PrincipalId { PrincipalId::local(self.0) } }
    /// # struct Diary;
    /// # #[agent(principal = User)]
    /// # impl Diary {
    /// #     /// Whose diary this is.
    /// #     #[capability]
    /// #     async fn whose(&self, cx: &Context<Self>) -> String { cx.principal().0.to_owned() }
    /// # }
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() {
    /// let ada = testing::connect(Server::new(Diary).principal(User("ada"))).await;
    /// let bob = ada.beside(User("bob")).await;
    /// assert_eq!(bob.call("whose", ()).await.text(), "bob");
    /// # }
    /// ```
    pub fn beside(&self, principal: impl Into<Arc<P>>) -> Connecting<P> {
        Connecting::to(self.handlers.clone(), principal.into())
    }

    /// What the server says of itself: `instructions`, `serverInfo`, `capabilities`.
    #[must_use]
    pub fn about(&self) -> &Value {
        self.client.about()
    }

    /// The names of the tools that are there now. From then on it hears when there are others.
    pub async fn tools(&self) -> Vec<String> {
        self.names(TOOLS).await
    }

    /// The entry of a tool in the list.
    pub async fn tool(&self, name: &str) -> Value {
        let tools = self.list(TOOLS).await;
        let names: Vec<_> = tools.iter().map(|tool| tool["name"].to_string()).collect();
        let found = tools.into_iter().find(|tool| tool["name"] == name);
        found.unwrap_or_else(|| panic!("there is no tool `{name}`; there are {}", names.join(", ")))
    }

    /// The addresses of the resources that are there now. From then on it hears when there are others.
    pub async fn resources(&self) -> Vec<String> {
        self.names(RESOURCES).await
    }

    /// The templates of addresses.
    pub async fn templates(&self) -> Vec<String> {
        self.names(TEMPLATES).await
    }

    /// The names of the prompts that are there now. From then on it hears when there are others.
    pub async fn prompts(&self) -> Vec<String> {
        self.names(PROMPTS).await
    }

    /// Calls a tool. `arguments` serialise to an object; a tool without arguments is called with `()`.
    ///
    /// Questions are answered as [prepared](Self::will_answer), and a task is followed to its end. Dropping the future
    /// ends the call.
    pub async fn call(&self, tool: &str, arguments: impl Serialize) -> Reply {
        self.request("tools/call", with_arguments(tool, arguments)).await
    }

    /// Reads a resource.
    pub async fn read(&self, uri: &str) -> Reply {
        self.request("resources/read", json!({ "uri": uri })).await
    }

    /// Gets a prompt. `arguments` serialise to an object of texts.
    pub async fn prompt(&self, name: &str, arguments: impl Serialize) -> Reply {
        self.request("prompts/get", with_arguments(name, arguments)).await
    }

    /// What is suggested for an argument of a prompt, or for a variable of a template, when `typed` is there already.
    pub async fn suggestions(&self, of: &str, argument: &str, typed: &str) -> Vec<String> {
        let reference = match of.contains("://") {
            true => json!({"type": "ref/resource", "uri": of}),
            false => json!({"type": "ref/prompt", "name": of}),
        };
        let argument = json!({"name": argument, "value": typed});
        let params = json!({"ref": reference, "argument": argument});
        let reply = self.request("completion/complete", params).await;
        let values = reply.expect()["completion"]["values"].as_array().into_iter().flatten();
        values.filter_map(|value| value.as_str().map(str::to_owned)).collect()
    }

    /// Wants to hear when what is read at `uri` changes.
    pub async fn subscribe(&self, uri: &str) {
        if self.client.revision().is_modern() {
            self.listen(json!({ "resourceSubscriptions": [uri] })).await;
        } else {
            self.request("resources/subscribe", json!({ "uri": uri })).await.expect();
        }
    }

    /// What the next question is answered. Answers are given in the order in which they are prepared; a question that
    /// comes without one panics. Roots need none.
    pub fn will_answer(&self, answer: Answer) {
        lock(&self.answers).push_back(answer);
    }

    /// What was said since the last time and belongs to no request: lists that have changed, resources that have.
    /// What a call says is in its [`Reply`].
    pub async fn heard(&self) -> Vec<Notice> {
        self.client.heard().await
    }

    /// Waits for the next such thing, where it is the work of something that goes on.
    pub async fn hears(&self) -> Notice {
        let heard = tokio::time::timeout(PATIENCE, self.client.hears()).await;
        heard.unwrap_or_else(|_| panic!("the server has said nothing for {PATIENCE:?}"))
    }

    /// Makes any other request of the protocol.
    pub async fn request(&self, method: &str, params: Value) -> Reply {
        let person = Prepared {
            roots: &self.roots,
            answers: &self.answers,
            notices: Mutex::default(),
            questions: Mutex::default(),
        };
        let mut reply = self.client.request(method, params, &person).await;
        reply.notices = std::mem::take(&mut lock(&person.notices));
        reply.questions = std::mem::take(&mut lock(&person.questions));
        reply
    }

    async fn names(&self, list: List) -> Vec<String> {
        let key = list.key;
        let entries = self.list(list).await;
        let names = entries.iter().map(|entry| entry[key].as_str().unwrap_or_default());
        names.map(str::to_owned).collect()
    }

    async fn list(&self, List { method, member, of, flag, .. }: List) -> Vec<Value> {
        // The older revisions tell whoever has listed; the newest whoever has asked to be told.
        let is_told = self.about()["capabilities"][of]["listChanged"] == true;
        if is_told && self.client.revision().is_modern() && self.is_first(flag) {
            self.listen(json!({ flag: true })).await;
        }
        let listed = self.client.list(method, member).await;
        listed.unwrap_or_else(|failed| panic!("`{method}` failed: {failed}"))
    }

    fn is_first(&self, flag: &'static str) -> bool {
        let mut told = lock(&self.told);
        let first = !told.contains(&flag);
        told.push(flag);
        first
    }

    async fn listen(&self, filter: Value) {
        let opened = self.client.listen(filter).await;
        opened.unwrap_or_else(|failed: Failed| panic!("no stream of notices is opened: {failed}"));
    }
}

fn with_arguments(name: &str, arguments: impl Serialize) -> Value {
    match serde_json::to_value(arguments) {
        Ok(Value::Null) => json!({ "name": name }),
        Ok(arguments) => json!({ "name": name, "arguments": arguments }),
        Err(error) => panic!("the arguments of `{name}` cannot be JSON: {error}"),
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Somebody who has thought of the answers before.
struct Prepared<'a> {
    roots: &'a [Value],
    answers: &'a Mutex<VecDeque<Answer>>,
    notices: Mutex<Vec<Notice>>,
    questions: Mutex<Vec<Question>>,
}

impl Person for Prepared<'_> {
    fn hears(&self, notice: Notice) {
        lock(&self.notices).push(notice);
    }

    async fn answers(&self, question: Question) -> Answer {
        let answer = match question.method.as_str() {
            "roots/list" => Some(Answer::result(json!({ "roots": self.roots }))),
            _ => lock(self.answers).pop_front(),
        };
        let answer = answer.unwrap_or_else(|| {
            panic!(
                "the server asks and no answer is prepared (`Client::will_answer`): `{}` {:#}",
                question.method, question.params
            )
        });
        lock(&self.questions).push(question);
        answer
    }
}

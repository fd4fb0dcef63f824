//! A client in the process of its server.
//!
//! It speaks the protocol like any other, and so meets what any other meets: the same lists, the same checks, the
//! same words. The two eras differ here and nowhere above.

mod inbox;
mod notice;
mod question;
mod reply;
mod task;

use std::{
    fmt,
    future::Future,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
};

use bytes::Bytes;
use serde_json::{Value, json};
use tokio::sync::Notify;

use self::inbox::Inbox;
pub use self::{
    notice::Notice,
    question::{Answer, Question},
    reply::{Failed, Reply},
};
use crate::{
    host::Subscription,
    mcp::{Connection, Exchange, Handler, Outbox, Received, Revision},
    runtime::{LogLevel, Principal},
};

/// Who sits in front of a client.
pub(crate) trait Person: Sync {
    /// Is told something before the reply.
    fn hears(&self, notice: Notice);

    /// Answers what is asked before the reply.
    fn answers(&self, question: Question) -> impl Future<Output = Answer> + Send;
}

/// What a client says of itself.
pub(crate) struct Introduction {
    pub(crate) name: &'static str,
    pub(crate) revision: Revision,
    pub(crate) capabilities: Value,
    /// The log messages that it wants: these and more severe ones.
    pub(crate) log_level: LogLevel,
}

/// One client's end of a connection. Dropping it closes the connection.
pub(crate) struct Client<P: Principal> {
    connection: Arc<Connection<P>>,
    principal: Arc<P>,
    says: Introduction,
    ids: AtomicU64,
    /// What is said that belongs to no request, and the streams for it.
    standing: Arc<Inbox>,
    streams: Mutex<Vec<Exchange>>,
    about: Value,
    /// Held until the connection ends. The lock makes it something that tasks may share.
    _changes: Mutex<Vec<Subscription>>,
}

impl<P: Principal> Client<P> {
    /// Connects, and shakes hands where the era has that.
    pub(crate) async fn connect(
        handler: &Handler<P>,
        principal: Arc<P>,
        says: Introduction,
    ) -> Result<Self, Failed> {
        let standing = Arc::new(Inbox::default());
        let connection = Arc::new(handler.connect(principal.clone(), standing.clone()));
        let changes = observe(handler, &connection, &standing);
        let mut client = Self {
            connection,
            principal,
            says,
            ids: AtomicU64::new(1),
            standing,
            streams: Mutex::default(),
            about: Value::Null,
            _changes: Mutex::new(changes),
        };
        client.about = client.introduce().await?;
        Ok(client)
    }

    async fn introduce(&self) -> Result<Value, Failed> {
        let Introduction { revision, capabilities, log_level, .. } = &self.says;
        if revision.is_modern() {
            let found = self.reply("server/discover", json!({}), &Nobody).await;
            let mut about = found.into_result()?;
            // Said in another place than by the older revisions.
            let server = about["_meta"]["io.modelcontextprotocol/serverInfo"].take();
            about["serverInfo"] = server;
            return Ok(about);
        }
        let hello = json!({
            "protocolVersion": revision,
            "capabilities": capabilities,
            "clientInfo": self.info(),
        });
        let about = self.reply("initialize", hello, &Nobody).await.into_result()?;
        self.notify("notifications/initialized");
        if about["capabilities"].get("logging").is_some() {
            let _ = self.reply("logging/setLevel", json!({ "level": log_level }), &Nobody).await;
        }
        Ok(about)
    }

    /// What the server says of itself.
    pub(crate) fn about(&self) -> &Value {
        &self.about
    }

    /// Makes a request, answers what is asked on the way and waits for the task that it may become.
    pub(crate) async fn request(
        &self,
        method: &str,
        mut params: Value,
        person: &impl Person,
    ) -> Reply {
        loop {
            let reply = self.reply(method, params.clone(), person).await;
            let Some(result) = reply.result() else { return reply };
            match result["resultType"].as_str() {
                Some("input_required") => {
                    params["requestState"] = result["requestState"].clone();
                    params["inputResponses"] = answers(&result["inputRequests"], person).await;
                }
                Some("task") => return self.follow(reply, person).await,
                _ => return reply,
            }
        }
    }

    /// All entries of a list, from all its pages.
    pub(crate) async fn list(&self, method: &str, member: &str) -> Result<Vec<Value>, Failed> {
        let mut entries = Vec::new();
        let mut page = json!({});
        loop {
            let mut result = self.reply(method, page, &Nobody).await.into_result()?;
            if let Value::Array(listed) = result[member].take() {
                entries.extend(listed);
            }
            match result["nextCursor"].take() {
                Value::Null => return Ok(entries),
                cursor => page = json!({ "cursor": cursor }),
            }
        }
    }

    /// Wants to be told of what the filter names, where that takes a stream (modern).
    pub(crate) async fn listen(&self, filter: Value) -> Result<(), Failed> {
        let outbox: Arc<dyn Outbox> = self.standing.clone();
        let stream = self.stream(filter, &outbox).await?;
        self.streams.lock().unwrap_or_else(PoisonError::into_inner).push(stream);
        Ok(())
    }

    /// Opens a stream. Once it is open, nothing has to drive it but where it tells of tasks.
    async fn stream(&self, filter: Value, outbox: &Arc<dyn Outbox>) -> Result<Exchange, Failed> {
        let opened = Arc::new(Opened { outbox: outbox.clone(), opened: Notify::new() });
        let notices: Arc<dyn Outbox> = opened.clone();
        let (request, reply) =
            self.message("subscriptions/listen", json!({"notifications": filter}));
        match self.connection.receive_from(request.to_string().into(), &self.principal, &notices) {
            Received::Call(mut stream) => tokio::select! {
                biased;
                () = opened.opened.notified() => Ok(stream),
                ended = &mut stream => Err(reply.with(ended.as_deref()).unexpected()),
            },
            Received::Reply(refusal) => Err(reply.with(Some(&refusal)).unexpected()),
            Received::Nothing => Err(reply.with(None).unexpected()),
        }
    }

    /// Everything that belongs to no request and was said since the last time.
    pub(crate) async fn heard(&self) -> Vec<Notice> {
        self.standing.look().await;
        self.standing.take_all().into_iter().filter_map(Notice::read).collect()
    }

    /// The next thing that belongs to no request.
    pub(crate) async fn hears(&self) -> Notice {
        loop {
            if let Some(notice) = Notice::read(self.standing.next().await) {
                return notice;
            }
        }
    }

    pub(crate) fn revision(&self) -> Revision {
        self.says.revision
    }

    /// One request and its reply.
    async fn reply(&self, method: &str, params: Value, person: &impl Person) -> Reply {
        let (request, reply) = self.message(method, params);
        let inbox = Arc::new(Inbox::default());
        let notices: Arc<dyn Outbox> = inbox.clone();
        let message = request.to_string().into();
        let received = self.connection.receive_from(message, &self.principal, &notices);
        let answer = match received {
            Received::Reply(answer) => Some(answer),
            Received::Nothing => None,
            Received::Call(mut exchange) => loop {
                tokio::select! {
                    // In this order: what was said before the reply is heard before it.
                    biased;
                    said = inbox.next() => self.hear(said, person).await,
                    answer = &mut exchange => break answer,
                }
            },
        };
        for said in inbox.take_all() {
            self.hear(said, person).await;
        }
        reply.with(answer.as_deref())
    }

    async fn hear(&self, mut said: Value, person: &impl Person) {
        let id = said["id"].take();
        if id.is_null() {
            if let Some(notice) = Notice::read(said) {
                person.hears(notice);
            }
            return;
        }
        let Answer(result) = person.answers(Question::read(said)).await;
        self.send(&json!({"jsonrpc": "2.0", "id": id, "result": result}));
    }

    fn notify(&self, method: &str) {
        self.send(&json!({"jsonrpc": "2.0", "method": method}));
    }

    fn send(&self, message: &Value) {
        self.connection.receive(message.to_string().into());
    }

    fn info(&self) -> Value {
        json!({"name": self.says.name, "version": env!("CARGO_PKG_VERSION")})
    }

    /// A request, and what its answer is put into.
    fn message(&self, method: &str, mut params: Value) -> (Value, Reply) {
        let id = self.ids.fetch_add(1, Ordering::Relaxed);
        let reply = Reply::to(method, &params, self.says.revision);
        params["_meta"] = json!({ "progressToken": id });
        if self.says.revision.is_modern() {
            let meta = [
                ("protocolVersion", json!(self.says.revision)),
                ("clientInfo", self.info()),
                ("clientCapabilities", self.says.capabilities.clone()),
                ("logLevel", json!(self.says.log_level)),
            ];
            for (key, value) in meta {
                params["_meta"][format!("io.modelcontextprotocol/{key}")] = value;
            }
        }
        (json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}), reply)
    }
}

impl<P: Principal> Drop for Client<P> {
    fn drop(&mut self) {
        self.connection.close();
    }
}

impl<P: Principal> fmt::Debug for Client<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Client").field("revision", &self.says.revision).finish_non_exhaustive()
    }
}

/// Compares what is offered after every change, at once: without a clock, what is told does not depend on one.
fn observe<P: Principal>(
    handler: &Handler<P>,
    connection: &Arc<Connection<P>>,
    standing: &Arc<Inbox>,
) -> Vec<Subscription> {
    // Held weakly: the host's list of observers must not keep the connection.
    let (connection, standing) = (Arc::downgrade(connection), standing.clone());
    handler.runtime().observe_changes(Arc::new(move || {
        let Some(connection) = connection.upgrade() else { return };
        if let Some(updates) = connection.announce_changes() {
            standing.will_look(updates);
        }
    }))
}

/// The answers to what a result or a task asks, each under its key.
async fn answers(questions: &Value, person: &impl Person) -> Value {
    let mut answers = json!({});
    for (key, question) in questions.as_object().into_iter().flatten() {
        let Answer(answer) = person.answers(Question::read(question.clone())).await;
        answers[key] = answer;
    }
    answers
}

/// Nobody sits there: what is not about the application's own methods says and asks nothing.
pub(crate) struct Nobody;

impl Person for Nobody {
    fn hears(&self, _: Notice) {}

    async fn answers(&self, _: Question) -> Answer {
        Answer::cancel()
    }
}

/// Notices the first message of a stream, which says that it is open.
struct Opened {
    outbox: Arc<dyn Outbox>,
    opened: Notify,
}

impl Outbox for Opened {
    fn send(&self, message: Bytes) {
        self.outbox.send(message);
        self.opened.notify_one();
    }
}

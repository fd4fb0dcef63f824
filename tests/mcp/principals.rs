//! Who calls, and what depends on it (design 8, CAC-4, dynamic-1da).

use std::sync::Arc;

use agent_mcp::{
    Context, Principal, PrincipalId, Server, agent,
    mcp::{Connection, Handler, Outbox, Received},
};
use bytes::Bytes;
use serde_json::{Value, json};

use crate::client::{envelope, initialize, names, request};

struct User {
    name: &'static str,
    admin: bool,
}

impl Principal for User {
    fn id(&self) -> PrincipalId {
        PrincipalId::local(self.name)
    }
}

#[derive(Default)]
struct Office;

#[agent(name = "office", principal = User)]
impl Office {
    /// Says who calls.
    #[capability]
    async fn whoami(&self, cx: &Context<Self>) -> String {
        cx.principal().name.to_owned()
    }

    /// For administrators.
    #[capability(available = |_, user| user.admin)]
    async fn fire(&self) -> String {
        "fired".to_owned()
    }
}

struct Nowhere;

impl Outbox for Nowhere {
    fn send(&self, _: Bytes) {}
}

fn office() -> Handler<User> {
    Server::new(Office).handler().unwrap()
}

fn user(name: &'static str, admin: bool) -> Arc<User> {
    Arc::new(User { name, admin })
}

async fn answer(received: Received) -> Value {
    let reply = match received {
        Received::Reply(reply) => reply,
        Received::Call(exchange) => exchange.await.unwrap(),
        Received::Nothing => panic!("no answer"),
    };
    serde_json::from_slice(&reply).unwrap()
}

fn modern(method: &str, mut params: Value) -> Bytes {
    params["_meta"] = envelope();
    request(json!(1), method, params).to_string().into()
}

async fn list(connection: &Connection<User>) -> Value {
    answer(connection.receive(modern("tools/list", json!({})))).await["result"].take()
}

#[tokio::test]
async fn dynamic_1da_the_list_depends_on_the_caller_and_not_on_the_connection() {
    let handler = office();
    let connect = |user| handler.connect(user, Arc::new(Nowhere));
    let (ada, again, bob) =
        (connect(user("ada", true)), connect(user("ada", true)), connect(user("bob", false)));
    assert_eq!(names(&list(&ada).await["tools"]), ["whoami", "fire"]);
    assert_eq!(list(&ada).await, list(&again).await);
    assert_eq!(names(&list(&bob).await["tools"]), ["whoami"]);
}

#[tokio::test]
async fn cac_4_a_list_that_depends_on_the_caller_is_private() {
    let handler = office();
    let list = list(&handler.connect(user("ada", true), Arc::new(Nowhere))).await;
    assert_eq!((&list["ttlMs"], &list["cacheScope"]), (&json!(0), &json!("private")));
}

#[tokio::test]
async fn each_message_is_served_for_its_own_caller() {
    let handler = office();
    let outbox: Arc<dyn Outbox> = Arc::new(Nowhere);
    let session = handler.connect(user("ada", true), outbox.clone());
    session.receive(initialize("2025-11-25").to_string().into());
    let call = |tool: &str| -> Bytes {
        request(json!(1), "tools/call", json!({ "name": tool })).to_string().into()
    };
    // Rights that were taken away count at once.
    for (caller, status) in [(user("ada", true), "ok"), (user("ada", false), "unavailable")] {
        let answer = answer(session.receive_from(call("fire"), &caller, &outbox)).await;
        assert_eq!(answer["result"]["_meta"]["agent-mcp/outcome"]["status"], status);
    }
    let who = answer(session.receive_from(call("whoami"), &user("eve", false), &outbox)).await;
    assert_eq!(who["result"]["content"][0]["text"], "eve");
}

#[tokio::test]
async fn tool_9_what_does_not_exist_for_the_caller_is_not_suggested() {
    let handler = office();
    for (caller, text) in [
        (user("ada", true), "Unknown tool: fir, did you mean `fire`?"),
        (user("eve", false), "Unknown tool: fir"),
    ] {
        let connection = handler.connect(caller, Arc::new(Nowhere));
        let call = modern("tools/call", json!({"name": "fir"}));
        assert_eq!(answer(connection.receive(call)).await["error"]["message"], text);
    }
}

mod tasks {
    use super::*;

    const TASKS: &str = "io.modelcontextprotocol/tasks";

    struct Mill;

    #[agent(name = "mill", principal = User)]
    impl Mill {
        /// Grinds, for a long time.
        #[capability(task = "required")]
        async fn grind(&self) {
            std::future::pending::<()>().await;
        }

        /// For those who may write.
        #[capability(scopes = ["mill:write"])]
        async fn mend(&self) {}
    }

    fn keeping(method: &str, mut params: Value) -> Bytes {
        params["_meta"] = envelope();
        params["_meta"]["io.modelcontextprotocol/clientCapabilities"] =
            json!({"extensions": {TASKS: {}}});
        request(json!(1), method, params).to_string().into()
    }

    #[tokio::test]
    async fn tsk_14_a_task_is_its_owners_alone() {
        let handler = Server::new(Mill).handler().unwrap();
        let connect = |name| handler.connect(user(name, false), Arc::new(Nowhere));
        let (ada, eve) = (connect("ada"), connect("eve"));
        let begun = answer(ada.receive(keeping("tools/call", json!({"name": "grind"})))).await;
        let id = &begun["result"]["taskId"];
        assert!(id.as_str().unwrap().len() >= 32, "nobody guesses it");
        for method in ["tasks/get", "tasks/update", "tasks/cancel"] {
            let message = keeping(method, json!({"taskId": id, "inputResponses": {}}));
            let foreign = answer(eve.receive(message)).await;
            let unknown = keeping(method, json!({"taskId": "unknown", "inputResponses": {}}));
            let unknown = answer(eve.receive(unknown)).await;
            assert_eq!(foreign["error"]["code"], -32602, "{method}");
            assert_eq!(foreign["error"]["message"], unknown["error"]["message"], "{method}");
        }
        let now = answer(ada.receive(keeping("tasks/get", json!({"taskId": id})))).await;
        assert_eq!(now["result"]["status"], "working", "nobody has cancelled it");
    }

    #[tokio::test]
    async fn std_8_without_http_a_missing_scope_is_a_result_and_no_challenge() {
        let handler = Server::new(Mill).handler().unwrap();
        let connection = handler.connect(user("ada", true), Arc::new(Nowhere));
        let refused =
            answer(connection.receive(modern("tools/call", json!({"name": "mend"})))).await;
        assert_eq!(refused["result"]["isError"], true, "{refused}");
        let status = &refused["result"]["_meta"]["agent-mcp/outcome"]["status"];
        assert_eq!(status, "insufficient_scope");
    }
}

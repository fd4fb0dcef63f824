//! What a request is about, repeated in `Mcp-Name` (MH-7).

use agent_mcp::{Server, agent};
use http::Request;
use http_body_util::Full;
use serde_json::{Value, json};

use crate::client::{Client, MODERN, enveloped, post};

struct Office;

#[agent(name = "office")]
impl Office {
    /// Takes its time.
    #[capability(task = "required")]
    async fn file(&self) {
        std::future::pending::<()>().await;
    }

    /// A letter.
    #[prompt]
    fn letter(&self) -> &'static str {
        "Dear all"
    }

    /// A note.
    #[resource]
    fn note(&self) -> &'static str {
        "note"
    }
}

fn ask(method: &str, params: Value, name: &str) -> Request<Full<bytes::Bytes>> {
    let mut body = enveloped(method, params);
    body["params"]["_meta"]["io.modelcontextprotocol/clientCapabilities"] =
        json!({"extensions": {"io.modelcontextprotocol/tasks": {}}});
    let headers = [("mcp-protocol-version", MODERN), ("mcp-method", method), ("mcp-name", name)];
    post(&headers, body.to_string())
}

#[tokio::test]
async fn mh_7_the_name_is_said_of_everything_that_has_one() {
    let client = Client::of(Server::new(Office).http());
    let begun = client.send(ask("tools/call", json!({"name": "file"}), "file")).await.result();
    let task = begun["taskId"].as_str().unwrap();
    let by_id = || json!({"taskId": task, "inputResponses": {}});
    for (method, params, name) in [
        ("tools/call", json!({"name": "file"}), "file"),
        ("prompts/get", json!({"name": "letter"}), "letter"),
        ("resources/read", json!({"uri": "app://note"}), "app://note"),
        ("tasks/get", by_id(), task),
        ("tasks/update", by_id(), task),
        ("tasks/cancel", by_id(), task),
    ] {
        let upper = name.to_uppercase();
        for wrong in ["", "other", &upper] {
            let answer = client.send(ask(method, params.clone(), wrong)).await;
            assert_eq!(answer.error(400), -32020, "{method} {wrong}");
        }
        client.send(ask(method, params, name)).await.result();
    }
    // What has no name needs none.
    client.send(ask("tools/list", json!({}), "")).await.result();
}

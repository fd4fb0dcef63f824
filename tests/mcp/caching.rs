//! Caching hints (CAC-1 to CAC-5).

use agent_mcp::{Server, agent, mcp::Handler};
use serde_json::{Value, json};

use crate::client::{ALL, Client, MODERN};

struct Library;

#[agent]
impl Library {
    /// The opening hours: the same for everybody.
    #[resource(cache(ttl = "1h", scope = "public"))]
    async fn hours(&self) -> &'static str {
        "always"
    }

    /// What one has borrowed.
    #[resource(cache(ttl = "30s"))]
    async fn borrowed(&self) -> &'static str {
        "nothing"
    }

    /// What is said now.
    #[resource]
    async fn talk(&self) -> &'static str {
        "hush"
    }

    /// One book.
    #[resource(uri = "library://{id}", cache(ttl = "0s", scope = "public"))]
    async fn book(&self, id: u32) -> String {
        format!("book {id}")
    }
}

fn hint(result: &Value) -> (Value, Value) {
    let member = |key: &str| result.get(key).cloned().unwrap_or_default();
    (member("ttlMs"), member("cacheScope"))
}

async fn read(handler: &Handler<()>, revision: &'static str, uri: &str) -> (Value, Value) {
    let client = Client::at(handler, revision);
    hint(&client.result("resources/read", json!({ "uri": uri })).await)
}

#[tokio::test]
async fn cac_1_and_cac_5_what_is_read_may_be_kept_as_its_declaration_says() {
    let handler = Server::new(Library).handler().unwrap();
    for (uri, ttl, scope) in [
        ("app://hours", 3_600_000, "public"),
        ("app://borrowed", 30_000, "private"),
        ("app://talk", 0, "private"),
        ("library://7", 0, "public"),
    ] {
        assert_eq!(read(&handler, MODERN, uri).await, (json!(ttl), json!(scope)), "{uri}");
    }
}

#[tokio::test]
async fn base_13_older_revisions_have_no_hints() {
    let handler = Server::new(Library).handler().unwrap();
    for revision in &ALL[..4] {
        let hint = read(&handler, revision, "app://hours").await;
        assert_eq!(hint, (Value::Null, Value::Null), "{revision}");
    }
}

#[tokio::test]
async fn cac_4_what_is_made_per_caller_is_never_public() {
    let server = Server::per_caller(|_: std::sync::Arc<()>| async { Ok(Library) });
    let handler = server.handler_for(()).await.unwrap();
    let hint = read(&handler, MODERN, "app://hours").await;
    assert_eq!(hint, (json!(3_600_000), json!("private")));
}

#[tokio::test]
async fn cac_1_lists_may_be_kept_as_the_server_says() {
    let server = Server::new(Library);
    let server = server.protocol(|protocol| protocol.list_ttl = std::time::Duration::from_secs(5));
    let client = Client::at(&server.handler().unwrap(), MODERN);
    for list in ["resources/list", "resources/templates/list", "server/discover"] {
        assert_eq!(
            hint(&client.result(list, json!({})).await),
            (json!(5000), json!("public")),
            "{list}"
        );
    }
}
